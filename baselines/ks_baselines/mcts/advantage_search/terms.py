"""What the networks are told of a state and of its tries: numbers of about 1, from what the seat knows."""

import numpy as np

from ks_baselines.darkboard.components import controlled
from ks_baselines.darkboard.evaluation import COMPONENTS, PARTS
from ks_baselines.darkboard.moves import end_of, kind_of, start_of, under_of
from ks_baselines.mcts.advantage_search.constants import AdvantageConstants
from ks_baselines.mcts.advantage_search.losses import MOVED, TOOK, accepted_value, chance_taken, set_chances
from ks_baselines.mcts.tree import Move, Tree
from ks_baselines.mcts.worth import becomes, exchange, other_guards, promotion_gain
from ks_env.belief.location.answers import king_control, pawn_control
from ks_env.belief.location.layout import KINGS, PAWNS, PIECES, Location
from ks_env.belief.metaposition.layout import Metaposition
from ks_env.belief.metaposition.own_move import simulate_pseudo
from ks_env.belief.terms.state import lead_of, way_free
from ks_env.core.attacks import steps_apart
from ks_env.core.bits import ZERO, has, lowest, popcount, without_lowest
from ks_env.core.jit import kernel
from ks_env.core.record import f4, i8
from ks_env.core.tables import KING, KING_MOVES, PAWN, TRY_TO
from ks_env.games.kriegspiel.layout import View

# ---------------------------------------------------------------- attack on the opponent's king, by its map


NONE = f4(0.0)
PRESSURE, NEARNESS = range(2)


@kernel
def expected_steps(kings: np.ndarray, square: int) -> float:
    """Expected distance of the opponent's king from the square."""
    total = NONE
    for there in range(64):
        if kings[there] > NONE:
            total += kings[there] * f4(steps_apart(there, square))
    return total


@kernel
def pressure(known: Metaposition, kings: np.ndarray, by: np.ndarray) -> float:
    """Expected number of squares around the opponent's king, its own included, that own men control."""
    control = controlled(known, by)
    total = NONE
    for there in range(64):
        if kings[there] > NONE:
            around = KING_MOVES[there] | (np.uint64(1) << np.uint64(there))
            total += kings[there] * f4(popcount(control & around))
    return total


@kernel
def attack(
    place: Location, later: np.ndarray, moves: np.ndarray, n: int, by: np.ndarray, out: np.ndarray
) -> None:
    """Pressure after each move, and the steps by which it brings the man nearer to the king.

    Args:
        later: METAPOSITION[1], overwritten.
        moves: i4[n], packed.
        by: u8[7], overwritten.
        out: f4[n, 2], PRESSURE and NEARNESS.
    """
    kings = place.maps[KINGS]
    for i in range(n):
        move = i8(moves[i])
        start, end = start_of(move), end_of(move)
        later[0] = place.known
        simulate_pseudo(later[0], start, end, under_of(move), 0)
        out[i, PRESSURE] = pressure(later[0], kings, by)
        out[i, NEARNESS] = expected_steps(kings, start) - expected_steps(kings, end)


# ---------------------------------------------------------------- the state


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
LEAST = f4(1e-6)  # chance that is taken for none
ONE = f4(1.0)


@kernel
def entropy_of(chances: np.ndarray) -> float:
    """Of the opponent's king, in nats."""
    total = NONE
    for square in range(64):
        if chances[square] > LEAST:
            total -= chances[square] * np.log(chances[square])
    return total


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
        passed += way_free(place.maps, square) * f4(rank * rank)
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


# ---------------------------------------------------------------- the tries


TRY_TERMS = (
    "legal",
    "captures a pawn",
    "captures a piece",
    "checks",
    "guards of its target",
    "guards of its start",
    "expected loss at its start",
    "danger if quiet",
    "danger if it captures",
    "expected loss at its target",
    "pawns that control the target",
    "pawns that control the start",
    "pieces that control the target",
    "pieces that control the start",
    "king that controls the target",
    "king that controls the start",
    "target empty",
    "promotion",
    "pressure",
    "nearness",
    "loops and hurry",
    "age of the target",
    "age of the start",
    "takes back",
    "moved before",
    "captured before",
    "gave check before",
    "target refused",
    "start refused",
    "rank",
    "ranks gone",
    "steps to the own king",
    "steps to the opponent's king",
    "target is its king's",
    "all guards of the target",
    "target certainly occupied",
    "way free",
    "way free by rank",
    *(COMPONENTS[i] for i in PARTS),
    "behind the best",
    "little behind the best",
    "beyond the mean",
    "the best",
)
FIRST_PART = TRY_TERMS.index("way free by rank") + 1
STANDING = FIRST_PART + len(PARTS)  # the first of the terms that compare tries
OLD = 30  # age from which squares are alike


@kernel
def within(number: float, most: float) -> float:
    """The number, brought to [-most, most]."""
    return max(-f4(most), min(f4(most), f4(number)))


@kernel
def describe_safety(tree: Tree, entry: Move, c: AdvantageConstants, out: np.ndarray) -> None:
    """Terms 4 to 16: what the man risks where it goes and where it stands."""
    place, move = tree.nodes[0].place, i8(entry.move)
    maps, start, end, kind = place.maps, start_of(move), end_of(move), kind_of(move)
    others = other_guards(tree.guards, move)
    out[4] = f4(min(3, others)) / f4(3)
    out[5] = f4(min(3, tree.guards[start])) / f4(3)
    for term in range(6, 10):
        out[term] = NONE
    if kind != KING:
        captures = entry.pawn + entry.piece
        quiet = chance_taken(maps, tree.control, end, others, MOVED, c)
        took = chance_taken(maps, tree.control, end, others, TOOK, c)
        chance = (ONE - captures) * quiet + captures * took
        out[6] = tree.losses[start] / f4(3)
        out[7], out[8] = quiet, took
        if chance > NONE:
            out[9] = exchange(c.own[becomes(move)], chance, tree.control[0, end], others, c) / f4(3)
    out[10], out[11] = min(ONE, pawn_control(maps, end)), min(ONE, pawn_control(maps, start))
    out[12], out[13] = min(f4(2), tree.control[1, end]), min(f4(2), tree.control[1, start])
    out[14], out[15] = min(ONE, king_control(maps, end)), min(ONE, king_control(maps, start))
    out[16] = tree.empty[end]


@kernel
def describe_history(view: View, start: int, end: int, out: np.ndarray) -> None:
    """Terms 21 to 28: what has been heard of the squares lately."""
    last = i8(TRY_TO[view.last]) if view.last >= 0 else -1
    out[21] = f4(min(OLD, view.age[end])) / f4(OLD)
    out[22] = f4(min(OLD, view.age[start])) / f4(OLD)
    out[23] = ONE if end == view.lost else NONE
    out[24] = ONE if start == last else NONE
    out[25] = ONE if view.took >= 0 and start == i8(view.took) else NONE
    out[26] = ONE if view.gave > 0 and start == last else NONE
    out[27] = min(ONE, f4(view.refused_to[end]))
    out[28] = min(ONE, f4(view.refused_from[start]))


@kernel
def describe_place(tree: Tree, move: int, out: np.ndarray) -> None:
    """Terms 29 to 37: where the man goes."""
    place = tree.nodes[0].place
    start, end, kind = start_of(move), end_of(move), kind_of(move)
    rank = end >> 3
    out[29] = f4(rank) / f4(7)
    out[30] = f4(rank - (start >> 3)) / f4(7)
    out[31] = f4(steps_apart(end, lowest(place.known.own[KING]))) / f4(7) if kind != KING else NONE
    out[32] = expected_steps(place.maps[KINGS], end) / f4(7)
    out[33] = place.maps[KINGS, end]
    out[34] = f4(tree.guards[end]) / f4(3)
    out[35] = ONE if has(~(place.known.ghosts[0] | place.known.own[0]), end) else NONE
    out[36] = way_free(place.maps, end) if kind == PAWN else NONE
    out[37] = out[36] * out[29] * out[29]


@kernel
def compare(values: np.ndarray, n: int, out: np.ndarray) -> None:
    """The last terms: how the tries stand by the values that they have by rules of thumb."""
    best = values[:n].max()
    mean = NONE
    for i in range(n):
        mean += values[i] / f4(n)
    for i in range(n):
        gap = values[i] - best
        out[i, STANDING] = max(-f4(3), gap)
        out[i, STANDING + 1] = max(-ONE, f4(5) * gap)
        out[i, STANDING + 2] = within((values[i] - mean) / f4(3), 3)
        out[i, STANDING + 3] = ONE if gap == NONE else NONE


@kernel
def describe_tries(
    tree: Tree,
    view: View,
    moves: np.ndarray,
    n: int,
    parts: np.ndarray,
    attack: np.ndarray,
    bias: np.ndarray,
    c: AdvantageConstants,
    values: np.ndarray,
    out: np.ndarray,
) -> None:
    """The terms of each try.

    Args:
        tree: its root is the state; `search.prepare` has been called for it.
        moves: i4[N], the tries, packed.
        parts: f8[N, len(COMPONENTS)], Darkboard's evaluation.
        attack: f4[N, 2], see the kernel `attack`.
        bias: f8[N], what Darkboard adds to tries against loops.
        values: f4[N], what the rules of thumb add at the root; the value of the move is added to it.
        out: f4[N, len(TRY_TERMS)], overwritten.
    """
    node, entry = tree.nodes[0], tree.attempt[0]
    for i in range(n):
        move, terms = i8(moves[i]), out[i]
        entry.move = moves[i]
        set_chances(tree, node, entry)
        values[i] += accepted_value(node, entry, tree.control, tree.guards, tree.losses, tree.sums[1], c)
        terms[0], terms[1], terms[2], terms[3] = entry.legal, entry.pawn, entry.piece, entry.check
        describe_safety(tree, entry, c, terms)
        terms[17] = within(promotion_gain(move, c) / f4(5), 2)
        terms[18] = within(attack[i, PRESSURE] / f4(3), 3)
        terms[19] = within(attack[i, NEARNESS] / f4(3), 3)
        terms[20] = within(bias[i], 3)
        describe_history(view, start_of(move), end_of(move), terms)
        describe_place(tree, move, terms)
        for j in range(PARTS.shape[0]):
            terms[FIRST_PART + j] = within(parts[i, PARTS[j]] / 3.0, 4)
    compare(values, n, out)
