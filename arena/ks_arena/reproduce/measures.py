"""What is computed from the games of a row, by the kind of its measure."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import cast

import numpy as np

from ks_arena.match.result import reason_name
from ks_arena.reproduce.chessboard import last_entropies
from ks_arena.reproduce.estimates import Counts, lead, odds, quotient, ratio, share
from ks_arena.reproduce.published import ENTROPIES, Measure, Row
from ks_arena.reproduce.seats import Pairs, SeatGame, flat, pairs_of, spoken_moves, summed
from ks_arena.reproduce.uncertainty import uncertainty
from ks_arena.statistics.elo import elo_interval, elo_of
from ks_arena.statistics.pairs import mean_points, pentanomial, points_interval
from ks_arena.statistics.score import Estimate
from ks_arena.study.study import Study
from ks_env.core.answers import Reason

PERCENT = 100.0
ENDLESS = 10**9  # more moves than a game has


@dataclass(frozen=True)
class Work:
    """What a player spent on a move, on average.

    Attributes:
        seconds: of its own time.
        nodes: by its own count; None where it keeps none.
    """

    seconds: float
    nodes: float | None


@dataclass(frozen=True)
class Measured:
    """A figure of ours.

    Attributes:
        estimate: in the unit of the measure; None where the games do not tell, as wins for each loss without
            a decisive game.
        games: of the player against the opponent.
        forfeits: how many of them ended by a player's fault, not on the board.
        work: the player's.
    """

    estimate: Estimate | None
    games: int
    forfeits: int
    work: Work


def measure_row(row: Row, studies: Mapping[str, Study]) -> Measured | None:
    """The row's figure from the studies that have been played, by key; None where a game is missing.

    Raises:
        ConfigError: the players of the row do not meet in the study.
    """
    if row.measure is None or any(study not in studies for study, _, _ in row.sides):
        return None
    sides = [
        pairs_of(studies[study], player, row.measure.against, budget) for study, player, budget in row.sides
    ]
    if not sides or not all(sides):
        return None
    mine, *rivals = sides
    games = list(flat(mine))
    study = studies[row.sides[0][0]]
    if row.measure.kind == "spoken":
        estimate = _spoken(mine, row.measure, study)
    elif row.measure.kind == "draws":
        estimate = _draws(mine, row.measure)
    elif row.measure.kind in ENTROPIES:
        estimate = _lower(mine, row.measure, study)
    elif rivals:
        estimate = _compared(row.measure, mine, rivals)
    else:
        estimate = PLAIN[row.measure.kind](mine)
    forfeits = sum(each.game.fault is not None for each in games)
    return Measured(estimate, len(games), forfeits, _work(games))


def _work(games: list[SeatGame]) -> Work:
    moves = max(1, sum(each.work.moves for each in games))
    nodes = [each.work.nodes for each in games]
    counted = None if None in nodes else sum(cast(list[int], nodes)) / moves
    return Work(sum(each.work.seconds for each in games) / moves, counted)


def _rate(
    pairs: Pairs, hit: Callable[[SeatGame], bool], counts: Callable[[SeatGame], bool] = lambda _: True
) -> Estimate | None:
    """The share of hits among the games that count."""
    return share(summed(pairs, lambda each: counts(each) and hit(each)), summed(pairs, counts))


def _won(each: SeatGame) -> bool:
    return each.outcome > 0


def _decisive(each: SeatGame) -> bool:
    return each.outcome != 0


def _percent(estimate: Estimate | None) -> Estimate | None:
    return None if estimate is None else estimate.scaled(PERCENT)


def _wins_per_loss(pairs: Pairs) -> Estimate | None:
    found = _rate(pairs, _won, _decisive)
    return None if found is None else odds(found)


def _counts(pairs: Pairs) -> np.ndarray[tuple[int], np.dtype[np.int64]] | None:
    """Pairs by the player's points, counting pairs with both games; None if there are no such pairs."""
    whole = [(pair[0].points, pair[1].points) for pair in pairs if len(pair) == 2]
    return pentanomial(whole) if whole else None


def _points(pairs: Pairs) -> Estimate | None:
    counts = _counts(pairs)
    return None if counts is None else Estimate(mean_points(counts), *points_interval(counts)).scaled(PERCENT)


def _elo(pairs: Pairs) -> Estimate | None:
    counts = _counts(pairs)
    return None if counts is None else Estimate(elo_of(mean_points(counts)), *elo_interval(counts))


def _tries_a_move(pairs: Pairs) -> Estimate | None:
    return ratio(summed(pairs, lambda each: each.work.tries), summed(pairs, lambda each: each.work.moves))


PLAIN: dict[str, Callable[[Pairs], Estimate | None]] = {
    "wins": lambda pairs: _percent(_rate(pairs, _won)),
    "losses": lambda pairs: _percent(_rate(pairs, lambda each: each.outcome < 0)),
    "decisive_wins": lambda pairs: _percent(_rate(pairs, _won, _decisive)),
    "points": _points,
    "elo": _elo,
    "wins_per_loss": _wins_per_loss,
    "tries_a_move": _tries_a_move,
}


def _draws(pairs: Pairs, measure: Measure) -> Estimate | None:
    wanted = [reason_name(Reason[name]) for name in measure.reasons]

    def drawn(each: SeatGame) -> bool:
        return each.outcome == 0 and (not wanted or each.game.reason in wanted)

    return _percent(_rate(pairs, drawn))


def _spoken(pairs: Pairs, measure: Measure, study: Study) -> Estimate | None:
    first, last = measure.moves or (1, ENDLESS)
    found = [[spoken_moves(each, study.config, first, last) for each in pair] for pair in pairs]
    sums: Counts = np.array([np.sum(pair, axis=0) for pair in found], np.float64)
    return _percent(share(sums[:, 0], sums[:, 1]))


def _lower(pairs: Pairs, measure: Measure, study: Study) -> Estimate | None:
    """Of the games that the winner won, in how many its entropy was the lower."""
    entropies = uncertainty if measure.kind == "less_uncertain" else last_entropies
    outcome = 1 if measure.winner == "player" else -1
    seat = {None: None, "white": 0, "black": 1}[measure.colour]

    def counts(each: SeatGame) -> bool:
        return each.outcome == outcome and seat in (None, each.seat)

    def hit(each: SeatGame) -> bool:
        own, other = entropies(each.game, study.config, each.seat)
        return own < other if outcome > 0 else other < own

    return _percent(_rate(pairs, hit, counts))


def _compared(measure: Measure, mine: Pairs, rivals: list[Pairs]) -> Estimate | None:
    figure = _elo if measure.kind == "lead" else _nodes_a_second
    found = [figure(pairs) for pairs in (mine, *rivals)]
    if None in found:
        return None
    first, *others = cast(list[Estimate], found)
    return lead(first, others) if measure.kind == "lead" else quotient(first, others[0])


def _nodes_a_second(pairs: Pairs) -> Estimate | None:
    if any(each.work.nodes is None for each in flat(pairs)):
        return None
    return ratio(
        summed(pairs, lambda each: each.work.nodes or 0), summed(pairs, lambda each: each.work.seconds)
    )
