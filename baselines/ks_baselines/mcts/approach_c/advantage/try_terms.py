"""What the networks are told of each try: numbers of about 1, all from what the seat knows."""

import numpy as np

from ks_baselines.darkboard.evaluation import COMPONENTS
from ks_baselines.darkboard.moves import end_of, kind_of, start_of
from ks_baselines.darkboard.position import steps_apart
from ks_baselines.mcts.approach_c.advantage.state_terms import NONE, ONE, chance_way_free
from ks_baselines.mcts.approach_c.attack import NEARNESS, PRESSURE, expected_steps
from ks_baselines.mcts.constants import Constants
from ks_baselines.mcts.knowing import MOVED, TOOK, chance_taken, knowing_value
from ks_baselines.mcts.search import set_chances
from ks_baselines.mcts.tree import Move, Tree
from ks_baselines.mcts.worth import becomes, exchange, other_guards, promotion_gain
from ks_env.belief.location.answers import king_control, pawn_control
from ks_env.belief.location.layout import KINGS
from ks_env.core.bits import has, lowest
from ks_env.core.jit import kernel
from ks_env.core.record import f4, i8
from ks_env.core.tables import KING, PAWN, TRY_TO
from ks_env.games.kriegspiel.layout import View

PARTS = tuple(i for i, name in enumerate(COMPONENTS) if name not in ("material safety", "mate progress"))
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
PART_NUMBERS = np.array(PARTS)
OLD = 30  # age from which squares are alike


@kernel
def within(number: float, most: float) -> float:
    """The number, brought to [-most, most]."""
    return max(-f4(most), min(f4(most), f4(number)))


@kernel
def describe_safety(tree: Tree, entry: Move, c: Constants, out: np.ndarray) -> None:
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
    out[36] = chance_way_free(place.maps, end) if kind == PAWN else NONE
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
    c: Constants,
    values: np.ndarray,
    out: np.ndarray,
) -> None:
    """The terms of each try.

    Args:
        tree: its root is the state; `search.prepare` has been called for it.
        view: VIEW of the seat.
        moves: i4[N], the tries, packed.
        n: number of tries.
        parts: f8[N, len(COMPONENTS)], Darkboard's evaluation.
        attack: f4[N, 2], `attack.attack`.
        bias: f8[N], what Darkboard adds to tries against loops.
        c: CONSTANTS.
        values: f4[N], what the rules of thumb add at the root; the value of the move is added to it.
        out: f4[N, len(TRY_TERMS)], overwritten.
    """
    node, entry = tree.nodes[0], tree.attempt[0]
    for i in range(n):
        move, terms = i8(moves[i]), out[i]
        entry.move = moves[i]
        set_chances(tree, node, entry)
        values[i] += knowing_value(node, entry, tree.control, tree.guards, tree.losses, tree.sums[1], c)
        terms[0], terms[1], terms[2], terms[3] = entry.legal, entry.pawn, entry.piece, entry.check
        describe_safety(tree, entry, c, terms)
        terms[17] = within(promotion_gain(move, c) / f4(5), 2)
        terms[18] = within(attack[i, PRESSURE] / f4(3), 3)
        terms[19] = within(attack[i, NEARNESS] / f4(3), 3)
        terms[20] = within(bias[i], 3)
        describe_history(view, start_of(move), end_of(move), terms)
        describe_place(tree, move, terms)
        for j in range(PART_NUMBERS.shape[0]):
            terms[FIRST_PART + j] = within(parts[i, PART_NUMBERS[j]] / 3.0, 4)
    compare(values, n, out)
