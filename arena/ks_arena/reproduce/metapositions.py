"""Darkboard beside its paper as a whole: what single rows do not show.

See Ciancarini and Favini (2007, §3.1, §4.3).

- the entropy of both players' chessboards as a game goes on;
- how soon the prediction of the referee's words fails with the depth of the search.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from ks_arena.report.words import table
from ks_arena.reproduce.chessboard import Turns, held, last_entropy, turns_of
from ks_arena.reproduce.outcome import Outcome
from ks_arena.reproduce.published import PublishedTable
from ks_arena.reproduce.seats import SeatGame, flat, pairs_of
from ks_arena.statistics.score import wilson
from ks_arena.study.schedule import field_of
from ks_arena.study.study import Study
from ks_env.core.files import write_aside

NAME = "comparison"
SAMPLED = 100  # pairs of games of a pairing that are looked at
MOVES = (1, 2, 4, 8, 12, 16, 20, 30, 40, 60)  # after which entropies are shown
MIDDLE = range(11, 41)  # moves of the middle game, as in the table's row
DEPTHS = range(1, 9)  # plies


def write_comparison(
    folder: Path, paper: PublishedTable, outcomes: Sequence[Outcome], studies: Mapping[str, Study], cut: str
) -> list[Path]:
    """Write `comparison.md`; the files.

    Args:
        folder: where it goes.
        paper: its table.
        outcomes: not needed.
        studies: what has been played, by key.
        cut: what the file's name ends in where the studies are cut short.
    """
    lines = [f"# {paper.title}: as a whole", "", f"The first {SAMPLED} pairs of games of each study.", ""]
    for key, study in studies.items():
        for pairing in field_of(study.config).pairings:
            pairs = pairs_of(study, pairing.first, pairing.second, None)[:SAMPLED]
            games = [(each, turns_of(each.game, study.config)) for each in flat(pairs)]
            first = [turns[each.seat] for each, turns in games]
            second = [turns[1 - each.seat] for each, turns in games]
            lines += [f"## {key}: {pairing.first} v {pairing.second}", "", entropy_table(games), ""]
            lines += [
                prediction_table(pairing.first, first),
                "",
                prediction_table(pairing.second, second),
                "",
            ]
    file = folder / f"{NAME}{cut}.md"
    write_aside(file, "\n".join(lines))
    return [file]


def entropy_table(games: Sequence[tuple[SeatGame, tuple[Turns, Turns]]]) -> str:
    """The mean entropy before a move of the winner and of the loser, in games that somebody won."""
    sides = []
    for each, turns in games:
        if each.outcome != 0:
            winner = each.seat if each.outcome > 0 else 1 - each.seat
            sides.append((turns[winner], turns[1 - winner]))
    if not sides:
        return "Nobody won a game."
    rows = []
    for move in MOVES:
        both = [(w[move - 1].entropy, s[move - 1].entropy) for w, s in sides if min(len(w), len(s)) >= move]
        if both:
            rows.append(_entropy_row(str(move), both))
    last = [(last_entropy(winner), last_entropy(loser)) for winner, loser in sides]
    headings = ("before move", "games", "winner's entropy", "loser's", "winner's is the lower")
    return table(headings, [*rows, _entropy_row("the last ten, mean", last)])


def _entropy_row(name: str, both: Sequence[tuple[float, float]]) -> tuple[str, ...]:
    winner, loser = np.mean(both, axis=0)
    lower = sum(w < s for w, s in both)
    return name, str(len(both)), f"{winner:.2f}", f"{loser:.2f}", _share(lower, len(both))


def _share(hits: int, count: int) -> str:
    low, high = wilson(hits / count, count)
    return f"{100 * hits / count:.0f} % [{100 * low:.0f}, {100 * high:.0f}]"


def prediction_table(player: str, games: Sequence[Turns]) -> str:
    """In how many turns of the middle game the referee says what Darkboard assumes, by depth in plies."""
    starts = [(turns, at) for turns in games for at, turn in enumerate(turns) if turn.move in MIDDLE]
    rows = []
    for plies in DEPTHS:
        known = [each for each in (held(turns, at, plies) for turns, at in starts) if each is not None]
        if known:
            rows.append((str(plies), str(len(known)), f"{100 * sum(known) / len(known):.0f} %"))
    title = f"What the referee says to {player} in moves {MIDDLE.start} to {MIDDLE.stop - 1}"
    return f"{title}\n\n{table(('plies', 'turns', 'all as Darkboard assumes'), rows)}"
