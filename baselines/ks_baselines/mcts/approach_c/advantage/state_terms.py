"""What the networks are told of the state: numbers of about 1, all from what the seat knows."""

import numpy as np

from ks_baselines.darkboard.components import steps_apart
from ks_baselines.mcts.approach_c.attack import expected_steps
from ks_baselines.mcts.tree import Tree
from ks_env.belief.location.layout import KINGS, PAWNS, PIECES, Location
from ks_env.core.bits import ZERO, has, lowest, popcount, without_lowest
from ks_env.core.jit import kernel
from ks_env.core.record import f4
from ks_env.core.tables import KING, PAWN
from ks_env.games.kriegspiel.layout import View

STATE_TERMS = (
    "own pawns",
    "own knights",
    "own bishops",
    "own rooks",
    "own queens",
    "opponent's pawns",
    "opponent's pieces",
    "lead",
    "small lead",
    "fifty-move clock",
    "clock times lead",
    "moves",
    "expected losses",
    "refusals",
    "a man was lost",
    "in check",
    "pawn tries",
    "squares of its king",
    "likeliest of them",
    "their entropy",
    "those that are controlled",
    "foremost pawn",
    "pawns by rank",
    "passed pawns by rank",
    "its pawns by rank",
    "control of the own king",
    "control around it",
    "opponent's men",
    "own men",
    "gave check",
    "number of tries",
    "castling rights",
    "distance of the kings",
)
WORTH = np.array([0, 1, 3, 3, 5, 9, 0], np.float32)  # pawns, by kind
PIECE = f4(31 / 7)  # mean worth of the opponent's pieces
LEAST = f4(1e-6)  # chance that is taken for none
ONE = f4(1.0)
NONE = f4(0.0)


@kernel
def chance_way_free(maps: np.ndarray, square: int) -> float:
    """Chance that no pawn of the opponent stands before an own pawn on the square, on its file."""
    free = ONE
    for ahead in range(square + 8, 64, 8):
        free *= max(NONE, ONE - maps[PAWNS, ahead])
    return free


@kernel
def entropy_of(chances: np.ndarray) -> float:
    """Of the opponent's king, in nats."""
    total = NONE
    for square in range(64):
        if chances[square] > LEAST:
            total -= chances[square] * np.log(chances[square])
    return total


@kernel
def lead_of(place: Location) -> float:
    """Own men less those that the opponent is expected to have, in pawns."""
    lead = -place.left[PAWNS] - PIECE * place.left[PIECES]
    for kind in range(PAWN, KING):
        lead += WORTH[kind] * f4(popcount(place.known.own[kind]))
    return lead


@kernel
def describe_material(place: Location, view: View, out: np.ndarray) -> None:
    """Terms 0 to 11: men and the clock."""
    for kind in range(PAWN, KING):
        out[kind - 1] = f4(popcount(place.known.own[kind])) / f4(8 if kind == PAWN else 2)
    lead, clock = lead_of(place), f4(view.fifty) / f4(100)
    out[5] = place.left[PAWNS] / f4(8)
    out[6] = place.left[PIECES] / f4(7)
    out[7] = lead / f4(10)
    out[8] = max(-ONE, min(ONE, lead / f4(3)))
    out[9] = clock
    out[10] = clock * lead / f4(10)
    out[11] = min(f4(3), f4(view.moves) / f4(100))


@kernel
def describe_pawns(place: Location, out: np.ndarray) -> None:
    """Terms 21 to 24: how far pawns have gone."""
    foremost, total, passed, theirs = 0, NONE, NONE, NONE
    men = place.known.own[PAWN]
    while men != ZERO:
        square = lowest(men)
        men = without_lowest(men)
        rank = square >> 3
        foremost = max(foremost, rank)
        total += f4(rank * rank)
        passed += chance_way_free(place.maps, square) * f4(rank * rank)
    for square in range(64):
        gone = 7 - (square >> 3)
        theirs += place.maps[PAWNS, square] * f4(gone * gone)
    out[21] = f4(foremost) / f4(7)
    out[22] = total / f4(60)
    out[23] = passed / f4(60)
    out[24] = theirs / f4(60)


@kernel
def describe_kings(tree: Tree, place: Location, out: np.ndarray) -> None:
    """Terms 17 to 20, 25, 26 and 32: both kings."""
    kings, own = place.maps[KINGS], lowest(place.known.own[KING])
    held, danger = NONE, NONE
    for square in range(64):
        if not has(place.known.own[0], square):
            held += min(ONE, f4(tree.guards[square])) * kings[square]
        if steps_apart(square, own) == 1:
            danger += min(ONE, tree.control[0, square])
    out[17] = f4(popcount(place.known.ghosts[KING])) / f4(64)
    out[18] = kings.max()
    out[19] = entropy_of(kings) / f4(4)
    out[20] = held
    out[25] = min(f4(2), tree.control[0, own])
    out[26] = danger / f4(8)
    out[32] = expected_steps(kings, own) / f4(7)


@kernel
def describe_state(tree: Tree, view: View, n: int, out: np.ndarray) -> None:
    """The terms of a state.

    Args:
        tree: its root is the state; `search.prepare` has been called for it.
        view: VIEW of the seat.
        n: number of tries.
        out: f4[len(STATE_TERMS)], overwritten.
    """
    place = tree.nodes[0].place
    describe_material(place, view, out)
    out[12] = tree.sums[1] / f4(5)
    out[13] = min(ONE, f4(view.refusals) / f4(10))
    out[14] = ONE if view.lost >= 0 else NONE
    out[15] = ONE if view.checks > 0 else NONE
    out[16] = ONE if view.tries > 0 else NONE
    describe_kings(tree, place, out)
    describe_pawns(place, out)
    out[27] = f4(place.known.most[0]) / f4(16)
    out[28] = f4(popcount(place.known.own[0])) / f4(16)
    out[29] = ONE if view.gave > 0 else NONE
    out[30] = f4(min(n, 60)) / f4(60)
    out[31] = f4(view.rights) / f4(3)
