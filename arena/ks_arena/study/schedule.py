"""From a config to games to play: who meets whom, with which start and seeds."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType

import numpy as np

from ks_arena.apart.cage import DEFAULT_CAGE, Cage
from ks_arena.match.result import GameResult
from ks_arena.sections import ConfigError
from ks_arena.study.config import (
    BUDGET,
    GamesConfig,
    Ladder,
    PlayerEntry,
    StudyConfig,
    different_labels,
    is_isolated,
)
from ks_env.core.ruleset import Ruleset
from ks_env.core.start import alike_fens
from ks_env.games import DEFAULT_GAME, game_named

Alike = tuple[tuple[str, ...], tuple[str, ...]]  # FENs by seat


@dataclass(frozen=True)
class Pairing:
    """Two players who meet.

    Attributes:
        index: number of the pairing.
        first: label of one player, whose points are counted.
        second: label of the other.
        series: in a ladder, label of the player without its budget.
        budget: in a ladder, the first player's budget.
    """

    index: int
    first: str
    second: str
    series: str | None = None
    budget: float | None = None


@dataclass(frozen=True)
class GameJob:
    """One game to play. All that its moves depend on is here.

    Attributes:
        pairing: number of the pairing.
        pair: number of the pair of games.
        leg: 0 where the pairing's first player has White.
        labels: of White and Black.
        players: names of White's and Black's player, for the registry.
        prints: fingerprints of their files; None where a player has none.
        seeds: White's and Black's.
        fen: position at the start.
        hidden: the players are not told it.
        alike: of a hidden start, by seat: the study's starts that White, and Black, cannot tell from it.
        rules: the ruleset.
        seconds_a_move: limit for a turn; None for none.
        deaths: a player that brings down this many worker processes loses the game.
        men: in invisible chess, White's and Black's hidden men.
        game: id of the game.
        isolated: whether White's and Black's player lives in a process of its own.
        cage: limits of such a process.
    """

    pairing: int
    pair: int
    leg: int
    labels: tuple[str, str]
    players: tuple[str, str]
    prints: tuple[str | None, str | None]
    seeds: tuple[int, int]
    fen: str
    hidden: bool
    rules: Ruleset
    seconds_a_move: float | None
    deaths: int
    alike: Alike = ((), ())
    men: tuple[str, str] = ("", "")
    game: str = DEFAULT_GAME
    isolated: tuple[bool, bool] = (False, False)
    cage: Cage = DEFAULT_CAGE

    @property
    def key(self) -> tuple[int, int, int]:
        """The place of the game in the study."""
        return self.pairing, self.pair, self.leg


@dataclass(frozen=True)
class Field:
    """All players of a study by label, and who meets whom."""

    players: dict[str, PlayerEntry]
    pairings: tuple[Pairing, ...]


def check_place(game: GameResult, pairings: Sequence[Pairing], path: Path) -> None:
    """Refuse a game of a study's file that the study has no place for.

    Raises:
        ConfigError: its pairing is of other players, or does not exist.
    """
    players = {each.index: {each.first, each.second} for each in pairings}.get(game.pairing)
    if players != {game.white, game.black}:
        raise ConfigError(
            f"{path}: is damaged: game {game.key}, {game.white} v {game.black}, is of no pairing"
        )


def field_of(config: StudyConfig) -> Field:
    """Who takes part in a study, and the pairings.

    Raises:
        ConfigError: two players have one label.
    """
    tournament = config.tournament
    if isinstance(tournament, Ladder):
        entries, pairings = _climb(tournament)
    else:
        entries = tournament.entries
        pairings = [Pairing(i, a.label, b.label) for i, (a, b) in enumerate(tournament.meetings)]
    try:
        different_labels(entries)
    except ValueError as error:
        raise ConfigError(f"{config.name}: {error}") from error
    return Field({entry.label: entry for entry in entries}, tuple(pairings))


def _climb(ladder: Ladder) -> tuple[tuple[PlayerEntry, ...], list[Pairing]]:
    rungs: list[PlayerEntry] = []
    pairings: list[Pairing] = []
    for entry in ladder.players:
        series = entry.label.replace(BUDGET, "").strip(" :,=") or entry.label
        for budget in ladder.budgets:
            text = f"{budget:.15g}"
            label = entry.label.replace(BUDGET, text) if BUDGET in entry.label else f"{entry.label} at {text}"
            own = f"{budget * entry.per_unit:.15g}"
            rungs.append(PlayerEntry(player=entry.player.replace(BUDGET, own), label=label))
            pairings += [
                Pairing(len(pairings) + i, label, other.label, series, budget)
                for i, other in enumerate(ladder.against)
            ]
    return tuple(rungs) + ladder.against, pairings


def pair_seeds(seed: int, pairing: int, pair: int) -> tuple[int, int]:
    """Seeds for the pairing's first and second player in both games of a pair, below 2**32.

    They come from streams apart, so that no game of one player mirrors the other's.
    """
    first, second = (
        int(stream.generate_state(1)[0]) for stream in np.random.SeedSequence([seed, pairing, pair]).spawn(2)
    )
    return first, second


def alike_starts(config: GamesConfig, number: int) -> Alike:
    """The starts that White, and Black, cannot tell from this one, where the start is hidden."""
    if not config.hidden_start:
        return (), ()
    white, black = _hidden_starts(config.game, config.starts, config.rules)
    return tuple(white[number]), tuple(black[number])


@lru_cache(4)
def _hidden_starts(game: str, fens: tuple[str, ...], rules: Ruleset) -> list[dict[int, list[str]]]:
    starts = game_named(game).hidden_rows(fens, rules)
    return [alike_fens(fens, starts, seat) for seat in (0, 1)]


def men_of(config: StudyConfig, white: str, black: str) -> tuple[str, str]:
    """The hidden men of two players, by label; empty in games that have none."""
    if game_named(config.game).own_men is None:
        return "", ""
    players = field_of(config).players
    return players[white].hidden, players[black].hidden


def jobs_of_pair(
    config: StudyConfig,
    names: dict[str, str],
    pairing: Pairing,
    pair: int,
    prints: Mapping[str, str] = MappingProxyType({}),
) -> Iterator[GameJob]:
    """Both games of a pair.

    Args:
        config: the study.
        names: the players' by label, for the registry.
        pairing: who meets.
        pair: which pair of games.
        prints: fingerprints of players' files by label.
    """
    labels = (pairing.first, pairing.second)
    entries = field_of(config).players
    isolated = {label: is_isolated(entries[label], names[label], config.isolated) for label in labels}
    job = GameJob(
        pairing=pairing.index,
        pair=pair,
        leg=0,
        labels=labels,
        players=(names[pairing.first], names[pairing.second]),
        prints=(prints.get(pairing.first), prints.get(pairing.second)),
        seeds=pair_seeds(config.seed, pairing.index, pair),
        fen=config.starts[pair % len(config.starts)],
        hidden=config.hidden_start,
        rules=config.rules,
        seconds_a_move=config.limits.seconds_a_move,
        deaths=config.limits.deaths,
        alike=alike_starts(config, pair % len(config.starts)),
        men=men_of(config, *labels),
        game=config.game,
        isolated=(isolated[labels[0]], isolated[labels[1]]),
        cage=config.limits.cage,
    )
    yield job
    yield replace(
        job,
        leg=1,
        labels=job.labels[::-1],
        players=job.players[::-1],
        prints=job.prints[::-1],
        seeds=job.seeds[::-1],
        men=job.men[::-1],
        isolated=job.isolated[::-1],
    )
