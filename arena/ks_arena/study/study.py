"""A study as it stands: what was to be played, what has been, and which of it counts."""

from pathlib import Path

from ks_arena.match.result import GameResult
from ks_arena.sections import dump_section
from ks_arena.statistics.sprt import SprtVerdict
from ks_arena.study.config import StudyConfig
from ks_arena.study.schedule import Pairing, check_place, field_of
from ks_arena.study.store import Store, file_of_run


class Study:
    """The games of a study, read from its file once.

    Attributes:
        path: the file.
        config: the config.
        pairings: who meets whom.
        labels: all players, in the order of the config.
        stops: where sequential tests have stopped, by pairing.
        ends: whether all games are known that are to be played.
    """

    ends = True

    def __init__(self, store: Store) -> None:
        self.path = store.path
        self.config: StudyConfig = store.config
        field = field_of(self.config)
        self.pairings: tuple[Pairing, ...] = field.pairings
        self.labels = tuple(field.players)
        self.stops: dict[int, SprtVerdict] = store.stops()
        self._games: dict[int, list[GameResult]] = {pairing.index: [] for pairing in self.pairings}
        for game in store.games():
            check_place(game, self.pairings, store.path)
            self._games[game.pairing].append(game)

    @classmethod
    def read(cls, path: Path) -> "Study":
        """The study in a file, or in the folder of a run.

        Raises:
            ConfigError: it is not the store of a study.
        """
        store = Store(file_of_run(path))
        try:
            return cls(store)
        finally:
            store.close()

    def games(self, pairing: int | None = None) -> list[GameResult]:
        """The games that count, of one pairing or of all, in the order of the schedule."""
        if pairing is not None:
            return list(self._games[pairing])
        return [game for games in self._games.values() for game in games]

    def verdict(self, pairing: int) -> SprtVerdict | None:
        """What the sequential test of a pairing has decided; None if undecided, or without a test."""
        return self.stops.get(pairing)

    def expected(self, pairing: int) -> int:
        """How many games of a pairing are to count, as far as is known now."""
        stop = self.stops.get(pairing)
        return self.config.games if stop is None else 2 * stop.stopped_at

    @property
    def expected_games(self) -> int:
        """How many games are to count in all, as far as is known now."""
        return sum(self.expected(pairing.index) for pairing in self.pairings)

    @property
    def recipe(self) -> tuple[str, str, str]:
        """A file's name, what is to be in it and the command that then plays the same games."""
        name = f"{self.config.name}.yaml"
        return name, dump_section(self.config), f"ks tournament {name}"

    @property
    def finished(self) -> bool:
        """Whether all games have been played."""
        return all(len(self._games[each.index]) >= self.expected(each.index) for each in self.pairings)
