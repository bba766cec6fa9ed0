"""The root of the search: the tries of the seat as moves, and the prediction coefficient alpha."""

import numpy as np

from ks_baselines.darkboard.constants import Constants
from ks_baselines.darkboard.moves import end_of, kind_of, pack, start_of
from ks_baselines.darkboard.search import Work
from ks_baselines.darkboard.umpire import captured_kind, predicted_capture, shorter_than_refused
from ks_env.belief.metaposition.layout import Metaposition
from ks_env.belief.metaposition.own_move import kind_at
from ks_env.core.bits import ZERO, popcount
from ks_env.core.jit import kernel
from ks_env.core.record import f8, i8
from ks_env.core.tables import KING, PAWN, QUEEN, ROOK, TRY_FROM, TRY_KIND, TRY_TO
from ks_env.games.kriegspiel.layout import View


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
def dynamic_alpha(m: Metaposition, c: Constants) -> float:
    """The prediction coefficient alpha, by the material on the board (M07 §3.2)."""
    others = m.own[0] & ~m.own[KING]
    if others == ZERO:
        return c.alpha_bare
    if m.most[0] == 1 and popcount(others) == 1:
        if others == m.own[ROOK]:
            return c.alpha_rook
        if others == m.own[QUEEN]:
            return c.alpha_queen
    return c.alpha


@kernel
def clock_bias(view: View, moves: np.ndarray, n: int, c: Constants, bias: np.ndarray) -> None:
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
