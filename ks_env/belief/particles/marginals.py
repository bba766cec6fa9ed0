"""How likely men are on each square, and the referee's answers to tries, by the weights of the boards."""

import numpy as np

from ks_env.belief.particles.boards import board_of, shared_board
from ks_env.belief.particles.layout import KINDS, Population
from ks_env.core.bits import ZERO, lowest, without_lowest
from ks_env.core.jit import kernel
from ks_env.core.position import is_legal, play, refresh
from ks_env.core.record import i8
from ks_env.core.tables import TRY_FROM, TRY_KIND, TRY_TO
from ks_env.games.kriegspiel.layout import View


@kernel
def write_kinds(men: np.ndarray, weight: np.ndarray, count: int, out: np.ndarray) -> None:
    """Write the chance of each kind on each square, entry 0 that of any man.

    Args:
        men: u8[N, KINDS], the opponent's men by kind.
        weight: f8[N].
        out: f8[KINDS, 64], overwritten.
    """
    out[:, :] = 0.0
    for i in range(count):
        for kind in range(1, KINDS):
            left = men[i, kind]
            while left != ZERO:
                square = lowest(left)
                left = without_lowest(left)
                out[kind, square] += weight[i]
                out[0, square] += weight[i]


@kernel
def write_answers(
    population: Population, count: int, view: View, tries: np.ndarray, truths: np.ndarray, out: np.ndarray
) -> None:
    """How likely the referee's answers to tries of the seat to move are.

    Args:
        view: VIEW that they fit, the seat's turn.
        tries: i2[K], other than "any?".
        truths: TRUTH[3], overwritten.
        out: f8[K, 3], overwritten: the chance that the try is legal; that it captures or checks if it is, 0
            where it is legal on no board.
    """
    out[:, :] = 0.0
    shared_board(view.men, i8(view.rights), 0, truths[0])
    truth, after = truths[1], truths[2]
    for i in range(count):
        board_of(population, i, i8(population.ep[i]), truths[0], truths, 1)
        for k in range(tries.shape[0]):
            start, end = i8(TRY_FROM[tries[k]]), i8(TRY_TO[tries[k]])
            if not is_legal(truth, start, end):
                continue
            truths[2] = truths[1]
            play(after, start, end, i8(TRY_KIND[tries[k]]))
            refresh(after)
            out[k, 0] += population.weight[i]
            if after.said.captured != 0:
                out[k, 1] += population.weight[i]
            if after.checkers != ZERO:
                out[k, 2] += population.weight[i]
    for k in range(tries.shape[0]):
        if out[k, 0] > 0.0:
            out[k, 1] /= out[k, 0]
            out[k, 2] /= out[k, 0]
