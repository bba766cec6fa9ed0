"""Weighted maximax over metapositions (Ciancarini and Favini 2007, §3.2), with killer moves and pruning.

    value(m, x) = static(x) · alpha + best(meta(pseudo(m, x))) · (1 − alpha)

Each level is a full move: an own one and the opponent's silent answer. Of a node's moves all are
evaluated; the best few, and those that were best elsewhere on the same level (killers), are looked into. A
move whose static value lies outside of the bounds counts as ±∞ and is not looked into.

The tree is walked with a stack of its own: level 0 is the root, whose tries are the referee's informed mask.
"""

from collections.abc import Callable
from functools import cache
from typing import NamedTuple

import numpy as np

from ks_baselines.darkboard.components import entropy
from ks_baselines.darkboard.constants import Constants, MoreConstants
from ks_baselines.darkboard.evaluation import COMPONENTS, OwnMen, evaluation_of
from ks_baselines.darkboard.moves import (
    MOST_MOVES,
    captured_kind,
    end_of,
    generate,
    kind_of,
    pack,
    predicted_capture,
    shorter_than_refused,
    start_of,
    under_of,
)
from ks_env.belief.metaposition.layout import METAPOSITION, Metaposition
from ks_env.belief.metaposition.opponent_move import simulate_meta
from ks_env.belief.metaposition.own_move import kind_at, simulate_pseudo
from ks_env.core.bits import ZERO, popcount
from ks_env.core.jit import kernel
from ks_env.core.record import f8, i8
from ks_env.core.tables import KING, PAWN, QUEEN, ROOK, TRY_FROM, TRY_KIND, TRY_TO
from ks_env.games.kriegspiel.layout import View

DEEPEST = 12  # levels below the root
WIDEST = 64  # moves looked into at a node
KILLERS = 16
MOVES, CHOSEN, AT, CURRENT = 0, 1, 2, 3  # columns of `counts`


class Work(NamedTuple):
    """Memory of a search, made once a player.

    Attributes:
        nodes: METAPOSITION[DEEPEST + 2], the path from the root.
        scratch: METAPOSITION[2], a move's metaposition and the one after the opponent's turn.
        moves: i4[DEEPEST + 2, MOST_MOVES], the moves of each node of the path, packed (see `moves`).
        captured: u1[DEEPEST + 2, MOST_MOVES], what each is assumed to capture.
        static: f8[DEEPEST + 2, MOST_MOVES], its static value.
        chosen: i4[DEEPEST + 2, WIDEST], the moves that are looked into.
        counts: i4[DEEPEST + 2, 4], how many moves and chosen ones, the place among these, the move in hand.
        best: f8[DEEPEST + 2], the best value found at the node so far.
        killers: i4[DEEPEST + 2, KILLERS], moves that were best on this level, the latest first; 0 none.
        lines: i4[DEEPEST + 3, DEEPEST + 3], the best line from each level on; 0 ends it.
        boards: u8[17], scratch of the evaluation.
        density: f8[28], scratch of the evaluation.
        parts: f8[MOST_MOVES, K], components of the root's moves; the last row is scratch.
        values: f8[MOST_MOVES], values of the root's moves.
        assumed: i4[MOST_MOVES, DEEPEST + 3], their assumed lines.
    """

    nodes: np.ndarray
    scratch: np.ndarray
    moves: np.ndarray
    captured: np.ndarray
    static: np.ndarray
    chosen: np.ndarray
    counts: np.ndarray
    best: np.ndarray
    killers: np.ndarray
    lines: np.ndarray
    boards: np.ndarray
    density: np.ndarray
    parts: np.ndarray
    values: np.ndarray
    assumed: np.ndarray


def new_work() -> Work:
    """Memory for one player."""
    levels = DEEPEST + 2
    return Work(
        nodes=np.zeros(levels, METAPOSITION),
        scratch=np.zeros(2, METAPOSITION),
        moves=np.zeros((levels, MOST_MOVES), np.int32),
        captured=np.zeros((levels, MOST_MOVES), np.uint8),
        static=np.zeros((levels, MOST_MOVES)),
        chosen=np.zeros((levels, WIDEST), np.int32),
        counts=np.zeros((levels, 4), np.int32),
        best=np.zeros(levels),
        killers=np.zeros((levels, KILLERS), np.int32),
        lines=np.zeros((levels + 1, levels + 1), np.int32),
        boards=np.zeros(17, np.uint64),
        density=np.zeros(28),
        parts=np.zeros((MOST_MOVES, len(COMPONENTS))),
        values=np.zeros(MOST_MOVES),
        assumed=np.zeros((MOST_MOVES, levels + 1), np.int32),
    )


@kernel
def make_move(m: Metaposition, move: int, captured: int) -> None:
    """The simulated own move (Ciancarini and Favini 2007: pseudo)."""
    simulate_pseudo(m, start_of(move), end_of(move), under_of(move), captured)


@kernel
def is_killer(work: Work, level: int, move: int) -> bool:
    """Whether the move was best elsewhere on this level."""
    found = False
    for i in range(KILLERS):
        found = found or work.killers[level, i] == move
    return found


@kernel
def choose_best(work: Work, level: int, most: int) -> None:
    """Put the moves with the greatest static values first among the chosen."""
    n = work.counts[level, MOVES]
    chosen = min(min(n, most), WIDEST - KILLERS)
    for place in range(chosen):
        found = -1
        for i in range(n):
            taken = False
            for j in range(place):
                taken = taken or work.chosen[level, j] == i
            if not taken and (found < 0 or work.static[level, i] > work.static[level, found]):
                found = i
        work.chosen[level, place] = found
    work.counts[level, CHOSEN] = chosen
    work.counts[level, AT] = 0


@kernel
def add_killers(work: Work, level: int, most: int) -> None:
    """Add the node's killer moves to the chosen."""
    first = work.counts[level, CHOSEN]
    chosen = first
    for i in range(work.counts[level, MOVES]):
        if chosen - first >= most or not is_killer(work, level, work.moves[level, i]):
            continue
        taken = False
        for j in range(first):
            taken = taken or work.chosen[level, j] == i
        if not taken:
            work.chosen[level, chosen] = i
            chosen += 1
    work.counts[level, CHOSEN] = chosen


@kernel
def remember_killer(work: Work, level: int, move: int, most: int) -> None:
    """Put the move in front of its level's killers."""
    if move == 0 or is_killer(work, level, move):
        return
    for i in range(min(most, KILLERS) - 1, 0, -1):
        work.killers[level, i] = work.killers[level, i - 1]
    work.killers[level, 0] = move


@kernel
def offer(work: Work, level: int, i: int, value: float) -> None:
    """A value for move i of the node: keep it, and the line behind it, if it is the best."""
    if value <= work.best[level]:
        return
    work.best[level] = value
    work.lines[level, level] = work.moves[level, i]
    for j in range(level + 1, DEEPEST + 2):
        work.lines[level, j] = work.lines[level + 1, j]
        if work.lines[level, j] == 0:
            break


@kernel
def close_leaf(work: Work, level: int) -> None:
    """A node of the last level: its best move by static value."""
    for i in range(work.counts[level, MOVES]):
        work.lines[level + 1, level + 1] = 0
        offer(work, level, i, work.static[level, i])


@kernel
def go_down(work: Work, level: int, i: int) -> None:
    """Make the node below: move i, then the opponent's silent turn."""
    work.nodes[level + 1] = work.nodes[level]
    below = work.nodes[level + 1]
    make_move(below, i8(work.moves[level, i]), i8(work.captured[level, i]))
    simulate_meta(below)


@kernel
def is_final(static: float, c: Constants) -> bool:
    """Whether a static value counts as ±∞ (Ciancarini and Favini 2007, §3.2)."""
    return static < c.low or static > c.high


@kernel
def begin_node(work: Work, level: int, bottom: int, c: Constants) -> None:
    """Choose the moves of an evaluated node that are looked into; of a leaf the best one's value stands."""
    if level == bottom:
        close_leaf(work, level)
        work.counts[level, CHOSEN] = 0
        work.counts[level, AT] = 0
    else:
        choose_best(work, level, i8(c.best_moves))
        add_killers(work, level, i8(c.killers))


@kernel
def take_next(work: Work, level: int, c: Constants) -> bool:
    """Take the node's next chosen move; whether it is looked into, and the node below it made."""
    i = i8(work.chosen[level, work.counts[level, AT]])
    work.counts[level, AT] += 1
    if is_final(work.static[level, i], c):
        work.lines[level + 1, level + 1] = 0
        offer(work, level, i, work.static[level, i])
        return False
    work.counts[level, CURRENT] = i
    go_down(work, level, i)
    return True


@kernel
def go_up(work: Work, level: int, alpha: float, c: Constants) -> None:
    """A node has been looked into: its best value goes to the move that led there, the root's left out."""
    remember_killer(work, level, work.lines[level, level], i8(c.killers))
    above = level - 1
    if above > 0:
        i = i8(work.counts[above, CURRENT])
        static, below = work.static[above, i], work.best[level]
        if below == -np.inf:
            below = static
        offer(work, above, i, static * alpha + below * (1.0 - alpha))


@kernel
def note_root_move(work: Work, i: int, alpha: float) -> None:
    """The value and the assumed line of the root's move i, into which has been looked."""
    if work.best[1] > -np.inf:
        work.values[i] = work.static[0, i] * alpha + work.best[1] * (1.0 - alpha)
        for j in range(1, DEEPEST + 2):
            work.assumed[i, j] = work.lines[1, j]
            if work.lines[1, j] == 0:
                break


def _evaluating(men: OwnMen) -> Callable[..., None]:
    """The kernel of the static values of a node's moves, with what the own men are worth."""
    evaluate, prepare = evaluation_of(men), men.prepare

    @kernel
    def evaluate_moves(work: Work, level: int, c: Constants) -> None:
        """Static values of all moves of the node on this level."""
        before = work.nodes[level]
        child, later = work.scratch[0], work.scratch[1]
        uncertain = entropy(before, work.boards[7:12], c)
        prepare(before, work.boards, work.density)
        for i in range(work.counts[level, MOVES]):
            move = i8(work.moves[level, i])
            captured = i8(work.captured[level, i])
            work.scratch[0] = before
            make_move(child, move, captured)
            work.scratch[1] = child
            row = i if level == 0 else MOST_MOVES - 1
            work.static[level, i] = evaluate(
                before,
                child,
                later,
                start_of(move),
                end_of(move),
                captured,
                level,
                uncertain,
                c,
                work.boards,
                work.parts[row],
                work.density,
            )

    return evaluate_moves


def _searching(evaluate_moves: Callable[..., None]) -> Callable[..., int]:
    """The kernel `search_below`."""

    @kernel
    def open_node(work: Work, level: int, c: Constants) -> int:
        """Generate and evaluate the moves of a node below the root; how many."""
        node = work.nodes[level]
        n = generate(node, work.moves[level])
        for i in range(n):
            move = i8(work.moves[level, i])
            work.captured[level, i] = predicted_capture(node, kind_of(move), start_of(move), end_of(move))
        work.counts[level, MOVES] = n
        evaluate_moves(work, level, c)
        work.best[level] = -np.inf
        work.lines[level, level] = 0
        return n

    @kernel
    def search_below(work: Work, bottom: int, alpha: float, limit: int, done: int, c: Constants) -> int:
        """Best value at level 1, whose node is in place, looking down to level `bottom`.

        Args:
            work: memory; `best[1]` and `lines[1]` are the result.
            bottom: the last level, 1 or more.
            alpha: prediction coefficient.
            limit: most metapositions to be evaluated in all.
            done: those evaluated so far.

        Returns:
            Metapositions evaluated so far; more than `limit` if the search was broken off.
        """
        level = 1
        fresh = True
        while level > 0:
            if fresh:
                done += open_node(work, level, c)
                if done > limit:
                    return done
                begin_node(work, level, bottom, c)
            fresh = False
            if work.counts[level, AT] >= work.counts[level, CHOSEN]:
                go_up(work, level, alpha, c)
                level -= 1
            elif take_next(work, level, c):
                level += 1
                fresh = True
        return done

    return search_below


class SearchKernels(NamedTuple):
    """The two kernels of a search that a player calls.

    Attributes:
        prepare_root: (work, m, n, bias, c).
        look_into_root: (work, bottom, alpha, limit, done, c).
    """

    prepare_root: Callable[..., int]
    look_into_root: Callable[..., int]


@cache
def search_of(men: OwnMen) -> SearchKernels:
    """The search, with what the own men are worth."""
    evaluate_moves = _evaluating(men)
    search_below = _searching(evaluate_moves)

    @kernel
    def look_into_root(work: Work, bottom: int, alpha: float, limit: int, done: int, c: Constants) -> int:
        """Values of the root's chosen moves, down to level `bottom`; unchosen ones are worth −∞.

        The arguments and the result are those of `search_below`.
        """
        n = i8(work.counts[0, MOVES])
        for i in range(n):
            work.values[i] = -np.inf
            work.assumed[i, 0] = 0
        for place in range(work.counts[0, CHOSEN]):
            i = i8(work.chosen[0, place])
            static = work.static[0, i]
            work.values[i] = static
            work.assumed[i, 0] = work.moves[0, i]
            work.assumed[i, 1] = 0
            if bottom == 0 or is_final(static, c):
                continue
            go_down(work, 0, i)
            done = search_below(work, bottom, alpha, limit, done, c)
            if done > limit:
                return done
            note_root_move(work, i, alpha)
        return done

    @kernel
    def prepare_root(work: Work, m: Metaposition, n: int, bias: np.ndarray, c: Constants) -> int:
        """Evaluate the root's n moves, which stand in `moves[0]`, and choose those to look into; how many."""
        work.nodes[0] = m
        work.counts[0, MOVES] = n
        for level in range(DEEPEST + 2):
            for i in range(KILLERS):
                work.killers[level, i] = 0
        evaluate_moves(work, 0, c)
        for i in range(n):
            work.static[0, i] += bias[i]
        choose_best(work, 0, i8(c.best_moves + c.killers))
        return n

    return SearchKernels(prepare_root, look_into_root)


@kernel
def root_capture(m: Metaposition, view: View, kind: int, start: int, end: int) -> int:
    """What a try at the root is assumed to capture: the rules below it, and that of the shorter slide."""
    predicted = predicted_capture(m, kind, start, end)
    if predicted == 0 and shorter_than_refused(view, kind, start, end):
        return captured_kind(m, end)
    return predicted


@kernel
def list_root(work: Work, m: Metaposition, view: View, tries: np.ndarray, n: int) -> None:
    """Put the first n tries at the root, with what each is assumed to capture."""
    for i in range(n):
        action = i8(tries[i])
        start, end = i8(TRY_FROM[action]), i8(TRY_TO[action])
        kind = kind_at(m, start)
        work.moves[0, i] = pack(start, end, kind, i8(TRY_KIND[action]))
        work.captured[0, i] = root_capture(m, view, kind, start, end)


@kernel
def material_balance(m: Metaposition, c: Constants) -> float:
    """How far the seat is ahead in material: from −1, its king alone, to 1, the opponent's king alone.

    Pawns and pieces count on both sides by what the evaluation gives for those of the opponent.
    """
    pawns = popcount(m.own[PAWN])
    own = c.enemy_pawn * pawns + c.enemy_piece * (popcount(m.own[0]) - 1 - pawns)
    others = i8(m.most[0]) - 1
    pawns = min(i8(m.most[PAWN]), others)
    theirs = c.enemy_pawn * pawns + c.enemy_piece * (others - pawns)
    return (own - theirs) / (own + theirs) if others > 0 or popcount(m.own[0]) > 1 else 0.0


@kernel
def dynamic_alpha(m: Metaposition, c: Constants) -> float:
    """The prediction coefficient alpha, by the material on the board (Ciancarini and Favini 2007, §3.2).

    The side that is ahead plays openly, with a lower alpha, the one that is behind conservatively.
    """
    others = m.own[0] & ~m.own[KING]
    if others == ZERO:
        return c.alpha_bare
    if m.most[0] == 1 and popcount(others) == 1:
        if others == m.own[ROOK]:
            return c.alpha_rook
        if others == m.own[QUEEN]:
            return c.alpha_queen
    return c.alpha - c.alpha_balance * material_balance(m, c)


@kernel
def clock_bias(view: View, moves: np.ndarray, n: int, c: MoreConstants, bias: np.ndarray) -> None:
    """Prefer pawn moves as the fifty-move clock, as far as the seat can compute it, runs out."""
    late = f8(view.fifty) - c.patience
    if late <= 0.0:
        return
    for i in range(n):
        if kind_of(i8(moves[i])) == PAWN:
            bias[i] += c.hurry * late


@kernel
def without_castling(moves: np.ndarray, n: int, bias: np.ndarray) -> None:
    """Make castling too dear to play: the search against a bare king does not know it."""
    for i in range(n):
        move = i8(moves[i])
        apart = end_of(move) - start_of(move)
        if kind_of(move) == KING and (apart == 2 or apart == -2):
            bias[i] += 10_000.0
