"""The score of a pairing: what its complete pairs of games say, with their 95 % intervals; as a table too."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from rich.markup import escape
from rich.table import Table

from ks_arena.match.result import GameResult
from ks_arena.statistics.elo import elo_of
from ks_arena.statistics.pairs import mean_points, pairs_of, pentanomial, points_interval
from ks_arena.statistics.score import Interval
from ks_arena.statistics.sprt import SprtVerdict
from ks_arena.study.schedule import Pairing
from ks_arena.study.study import Study


@dataclass(frozen=True)
class PairingScore:
    """One pairing, from its first player's side.

    Attributes:
        pairing: who plays.
        games: those of complete pairs.
        played: how many have been played.
        expected: how many are to be.
        verdict: of the sequential test, once it has stopped.
        points: share of the points; None without games.
        interval: its 95 % interval, by pair.
    """

    pairing: Pairing
    games: Sequence[GameResult]
    played: int
    expected: int
    verdict: SprtVerdict | None
    points: float | None
    interval: Interval | None

    @cached_property
    def results(self) -> tuple[int, int, int]:
        """Won, drawn, lost."""
        points = Counter(game.first_points for game in self.games)
        return points[1.0], points[0.5], points[0.0]

    @property
    def elo(self) -> float | None:
        """The share of the points as Elo."""
        return None if self.points is None else elo_of(self.points)

    @property
    def elo_interval(self) -> Interval | None:
        """Its 95 % interval, whose ends may be infinite."""
        return None if self.interval is None else (elo_of(self.interval[0]), elo_of(self.interval[1]))

    @cached_property
    def ends(self) -> Counter[tuple[float, str]]:
        """How often the games ended how: the first player's points and the reason."""
        return Counter((game.first_points, game.reason) for game in self.games)

    @cached_property
    def distinct(self) -> int:
        """How many different games there are: by who has White, by the start and by all tries."""
        return len({(game.leg, game.start_fen, game.actions) for game in self.games})

    @property
    def spoken_share(self) -> float | None:
        """Share of the moves after which the referee said something."""
        return ratio(sum(game.spoken for game in self.games), sum(game.plies for game in self.games))

    @property
    def plies_a_game(self) -> float | None:
        """Mean length of the games, in half-moves."""
        return ratio(sum(game.plies for game in self.games), len(self.games))


class Rung(NamedTuple):
    """What a player scores with one budget of a ladder.

    Attributes:
        series: label of the player without its budget.
        against: label of the other.
        budget: the player's.
        games: those of complete pairs.
        points: share of the points; None without games.
        interval: its 95 % interval, by pair.
    """

    series: str
    against: str
    budget: float
    games: int
    points: float | None
    interval: Interval | None


def rungs(scores: Sequence[PairingScore]) -> list[Rung]:
    """The pairings that have a budget."""
    return [
        Rung(
            score.pairing.series or score.pairing.first,
            score.pairing.second,
            score.pairing.budget,
            len(score.games),
            score.points,
            score.interval,
        )
        for score in scores
        if score.pairing.budget is not None
    ]


def score_of(study: Study, pairing: Pairing) -> PairingScore:
    """The score of a pairing, as far as its pairs of games are complete."""
    played = study.games(pairing.index)
    games = _paired(played)
    counts = pentanomial(pairs_of(games))
    return PairingScore(
        pairing=pairing,
        games=games,
        played=len(played),
        expected=study.expected(pairing.index),
        verdict=study.verdict(pairing.index),
        points=mean_points(counts) if games else None,
        interval=points_interval(counts) if games else None,
    )


def ladder_of(study: Study) -> list[Rung]:
    """The rungs of a study, as far as it has been played."""
    return rungs([score_of(study, pairing) for pairing in study.pairings])


def _paired(games: Sequence[GameResult]) -> list[GameResult]:
    legs = Counter(game.pair for game in games)
    return [game for game in games if legs[game.pair] == 2]


def ratio(part: float, whole: float) -> float | None:
    """A share; None of nothing."""
    return part / whole if whole else None


def scores(study: Study) -> Table:
    """A row a pairing, points and Elo being the first player's; below them how the games ended."""
    table = Table(title="points and Elo of the first; intervals are 95 %, by pair", caption_justify="left")
    for heading in ("first", "second"):
        table.add_column(heading)
    for heading in ("games", "won", "drawn", "lost", "points", "Elo"):
        table.add_column(heading, justify="right")
    notes = []
    for pairing in study.pairings:
        score = score_of(study, pairing)
        names = escape(pairing.first), escape(pairing.second)
        if score.interval is None:
            table.add_row(*names, str(score.played))
            continue
        table.add_row(*names, str(score.played), *map(str, score.results), *_strength(score))
        notes += _notes(study, pairing)
    table.caption = escape("\n".join(notes))
    return table


def _strength(score: PairingScore) -> list[str]:
    """Points and Elo with their intervals, where there are any."""
    if score.points is None or score.interval is None:
        return []
    low, high = score.interval
    return [
        f"{score.points:.1%} [{100 * low:.1f}, {100 * high:.1f}]",
        f"{elo_of(score.points):+.0f} [{elo_of(low):+.0f}, {elo_of(high):+.0f}]",
    ]


def _notes(study: Study, pairing: Pairing) -> list[str]:
    games = study.games(pairing.index)
    reasons = sorted({game.reason for game in games})
    ends = ", ".join(f"{sum(game.reason == reason for game in games)} {reason}" for reason in reasons)
    notes = [f"{pairing.first} v {pairing.second}: {ends}"]
    verdict = study.verdict(pairing.index)
    if verdict is not None:
        notes.append(
            f"  {verdict.accepted} accepted after {verdict.stopped_at} pairs, LLR {verdict.llr:+.2f}"
        )
    elif study.config.sprt is not None:
        notes.append("  the sequential test has not decided")
    faulty = [game for game in games if game.fault]
    faults = sorted({f"{game.black if game.outcome > 0 else game.white} {game.fault}" for game in faulty})
    return notes + [f"  {fault}" for fault in faults[:3]]
