"""Running a study: play what is missing, keep every game as it ends, stop and go on at any moment."""

from collections.abc import Iterator, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.markup import escape

from ks_arena.apart.cage import walls
from ks_arena.apart.player import ApartPlayer, is_apart, isolated_player
from ks_arena.apart.wire import FaultError
from ks_arena.names import fingerprint
from ks_arena.sections import ConfigError
from ks_arena.statistics.sprt import Sprt
from ks_arena.study.config import GamesConfig, PlayerEntry, StudyConfig, check_player, is_isolated
from ks_arena.study.display import Display
from ks_arena.study.schedule import Field, GameJob, check_place, field_of, jobs_of_pair
from ks_arena.study.store import FILE, Store
from ks_arena.study.study import Study
from ks_arena.study.tally import Standing
from ks_arena.work.database import alone, discard
from ks_arena.work.engine import Engine, make_engine
from ks_arena.work.interrupts import held_interrupts
from ks_env.players.registry import make_player


def default_path(config: StudyConfig) -> Path:
    """Where a study lives unless told otherwise."""
    return Path("runs") / config.name / FILE


def run_study(
    config: StudyConfig,
    path: Path | None = None,
    *,
    workers: int = 2,
    engine: str = "processes",
    console: Console | None = None,
    restart: bool = False,
) -> Study:
    """Play what is missing of a study; an interrupt ends it early, and the same call goes on.

    Args:
        config: the study.
        path: its file; `runs/<name>/study.sqlite` by default.
        workers: how many games are played at once.
        engine: "processes" or "ray".
        console: where the progress is shown.
        restart: throw away what was played.

    Raises:
        ConfigError: a player cannot be made, the file holds another study, or another process is playing it.
    """
    path = path or default_path(config)
    field = field_of(config)
    names = {label: tried_out(entry, config) for label, entry in field.players.items()}
    warn_of_open_walls(config, field.players, names, console)
    plays = make_engine(engine, workers)
    path.parent.mkdir(parents=True, exist_ok=True)
    with (
        alone(path.with_name(f".{path.name}.lock"), f"{path}: another process is playing this study"),
        closing(_open(config, path, names, restart=restart)) as store,
    ):
        _Runner(store, config, field, names).play(plays, console or Console())
        return Study(store)


def tried_out(entry: PlayerEntry, config: GamesConfig) -> str:
    """The name by which this player is made; it has been made once, where the study will make it.

    Raises:
        ConfigError: it cannot be made, or does not play the game.
    """

    def make(name: str) -> None:
        player: Any
        if is_isolated(entry, name, config.isolated):
            try:
                player = isolated_player(name, config.limits.cage)
            except FaultError as fault:
                raise ValueError(f"its process {fault}") from None
        else:
            player = make_player(name)
        if isinstance(player, ApartPlayer):
            player.close()

    return check_player(entry, make)


def warn_of_open_walls(
    config: GamesConfig, players: Mapping[str, PlayerEntry], names: Mapping[str, str], console: Console | None
) -> None:
    """Say what this system cannot keep from players in processes of their own, if there are any."""
    apart = [
        label
        for label, entry in players.items()
        if is_isolated(entry, names[label], config.isolated) or is_apart(names[label])
    ]
    if apart and not walls().complete and console is not None:
        console.print(f"[yellow]{escape(', '.join(apart))}: {escape(walls().words)}; bubblewrap is missing")


def _open(config: StudyConfig, path: Path, names: dict[str, str], *, restart: bool) -> Store:
    """The study's file, made if it is not there, and seen to be of this very study."""
    prints = {label: found for label, name in names.items() if (found := fingerprint(name)) is not None}
    if restart and Store.is_begun(path):
        Store(path).close()  # nothing else than a study is thrown away
        discard(path)
    if not Store.is_begun(path):
        return Store.create(path, config, prints)
    store = Store(path, write=True)
    try:
        _check_same(store, config, prints)
    except BaseException:
        store.close()
        raise
    return store


def _check_same(store: Store, config: StudyConfig, prints: dict[str, str]) -> None:
    kept = store.config
    if kept != config:
        ours, theirs = config.model_dump(), kept.model_dump()
        keys = [key for key in ours if ours[key] != theirs[key]]
        raise ConfigError(
            f"{store.path}: holds a study with another {' and '.join(keys)}; use --restart to throw it away"
            " and start over, or give this one another name"
        )
    for label, found in store.fingerprints.items():
        if prints.get(label) != found:
            raise ConfigError(
                f"{store.path}: the file of player {label!r} has changed since the study began; use --restart"
                " to throw the study away and start over, or give this one another name"
            )


class _Runner:
    """Plays what is missing of one study."""

    def __init__(self, store: Store, config: StudyConfig, field: Field, names: dict[str, str]) -> None:
        self.store = store
        self.config = config
        self.field = field
        self.names = names
        self.prints = store.fingerprints
        rule = config.sprt
        sprt = None if rule is None else Sprt(rule.elo0, rule.elo1, rule.alpha, rule.beta)
        self.standings = [Standing(sprt) for _ in field.pairings]
        for game in store.games(surplus=True):
            check_place(game, field.pairings, store.path)
            self.standings[game.pairing].add(game)
        self._agree_on_stops()
        self.played = store.keys()

    def _agree_on_stops(self) -> None:
        """What was decided when it was played stands, though another version might decide otherwise."""
        kept = self.store.stops()
        for index, standing in enumerate(self.standings):
            if index in kept:
                standing.stop = kept[index]
            elif standing.stop is not None:
                self.store.add_stop(index, standing.stop)

    def play(self, engine: Engine, console: Console) -> None:
        """Play, show and keep."""
        if next(self._missing(), None) is None:
            return
        display = Display(console, self.config, self.field.pairings, self.standings)
        with held_interrupts() as check, display, closing(engine.run(self._missing())) as results:
            for game in results:
                if game is not None:
                    self.store.add(game, self.standings[game.pairing].add(game))
                    display.update(game)
                check()

    def _missing(self) -> Iterator[GameJob]:
        """Games not yet played: the first pair of every pairing, then the second, and so on."""
        for pair in range(self.config.games // 2):
            for pairing in self.field.pairings:
                if self.standings[pairing.index].stop is None:
                    for job in jobs_of_pair(self.config, self.names, pairing, pair, self.prints):
                        if job.key not in self.played:
                            yield job
