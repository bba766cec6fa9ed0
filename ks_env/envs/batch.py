"""Kernels over ranges of rows: the engine under every interface.

All of them take a `Batch` of N games and `Buffers` that the caller owns, and work on the rows from
`first` to before `last`. Rows are independent, each with its own random streams, so a batch may be cut into
any ranges and stepped by any number of threads with the same result.
"""

from typing import Any, NamedTuple

import numpy as np

from ks_env.core.bits import random_below
from ks_env.core.jit import kernel
from ks_env.core.referee import PLIES, judge
from ks_env.core.tries import MOST_TRIES
from ks_env.players.kernel import choose
from ks_env.spaces.observation import write_mask, write_observation

Array = np.ndarray[Any, Any]

NEXT_STEP, SAME_STEP, DISABLED = 0, 1, 2
WHITE_SEAT, BLACK_SEAT, RANDOM_SEAT = 0, 1, 2
REFEREE_STREAM = 2
NO_KERNEL = -1  # the opponent is no kernel player, or there is none

SETTINGS = np.dtype(
    [
        ("level", "u1"),  # of the masks
        ("autoreset", "u1"),
        ("seat", "u1"),  # which seat the learner gets
        ("opponent", "i1"),  # number of the kernel player, or NO_KERNEL
        ("pawn_value", "f4"),  # of the shaping potential; all 0 without shaping
        ("piece_value", "f4"),
        ("gamma", "f4"),
    ],
    align=True,
)

# What is kept of the game in a row, and of the last one that ended there
TALLY = np.dtype(
    [
        ("tries", "i4"),  # tries of the learner (of both seats in self-play) so far
        ("reward", "f4"),  # sum of the learner's rewards so far
        ("end_tries", "i4"),
        ("end_reward", "f4"),
        ("end_plies", "i4"),
        ("end_reason", "u1"),  # announcement.Reason
        ("end_winner", "i1"),  # seat, or -1
        ("end_seat", "u1"),  # the learner's seat
    ],
    align=True,
)


class Batch(NamedTuple):
    """The games and what they are played by."""

    games: Array  # GAME[N]
    history: Array  # u8[N, H]
    starts: Array  # GAME[K]
    rules: Array  # RULES[1]
    settings: Array  # SETTINGS[1]
    seats: Array  # u1[N]: the seat that is observed: the learner's, or in self-play the one to move
    ended: Array  # bool[N]: the game in the row ended in the last step and was not begun anew
    tally: Array  # TALLY[N]


class Buffers(NamedTuple):
    """What a step writes. Against an opponent S = 1, the learner's seat; in self-play S = 2, by seat."""

    observations: Array  # u1[N, C, 64]
    masks: Array  # i1[N, ACTIONS]
    rewards: Array  # f4[N, S]
    terminations: Array  # bool[N]
    truncations: Array  # bool[N]
    final: Array  # u1[N, S, C, 64]: the last observations of games that ended and were begun anew


@kernel
def begin_row(batch: Batch, i: int) -> None:
    """Put a start position, drawn by the referee's stream, into row i; the streams go on."""
    random = batch.games[i].truth.random
    drawn = 0
    if batch.starts.shape[0] > 1:
        drawn = random_below(random, REFEREE_STREAM, batch.starts.shape[0])
    first, second, third = random[0], random[1], random[2]
    batch.games[i] = batch.starts[drawn]
    truth = batch.games[i].truth
    truth.random[0] = first
    truth.random[1] = second
    truth.random[2] = third
    truth.past = np.int32(1)
    batch.history[i, 0] = truth.key
    batch.ended[i] = False
    batch.tally[i].tries = np.int32(0)
    batch.tally[i].reward = np.float32(0)
    seat = np.int64(batch.settings[0].seat)
    batch.seats[i] = random_below(truth.random, REFEREE_STREAM, 2) if seat == RANDOM_SEAT else seat


@kernel
def opponent_plays(batch: Batch, i: int, scratch: Array) -> None:
    """Let a kernel opponent try until the learner is to move or the game is over."""
    opponent = np.int64(batch.settings[0].opponent)
    if opponent < 0:
        return
    game = batch.games[i]
    truth = game.truth
    other = 1 - np.int64(batch.seats[i])
    while truth.reason == 0 and truth.side == other:
        action = choose(opponent, game.views[other], batch.rules[0], truth.random, other, scratch)
        judge(game, batch.history[i], batch.rules[0], action)


@kernel
def potential(view: np.void, settings: np.void) -> float:
    """Shaping potential: announced captures only, 0 once the game is over."""
    if view.over:
        return np.float32(0)
    unsaid = np.float32(view.men_taken) - np.float32(view.pawns_taken) - np.float32(view.pieces_taken)
    pawns = np.float32(view.pawns_taken) - np.float32(view.pawns_lost)
    pieces = np.float32(view.pieces_taken) - np.float32(view.pieces_lost)
    middle = np.float32(0.5) * (settings.pawn_value + settings.piece_value)
    return settings.pawn_value * pawns + settings.piece_value * pieces + middle * unsaid


@kernel
def observe_row(batch: Batch, i: int, seat: int, scratch: Array, planes: Array, mask: Array) -> None:
    """Planes `u1[C, 64]` and mask `i1[ACTIONS]` of one seat."""
    view = batch.games[i].views[seat]
    write_observation(view, planes)
    write_mask(view, batch.rules[0], np.int64(batch.settings[0].level), scratch, mask)


@kernel
def _close_row(batch: Batch, buffers: Buffers, i: int) -> None:
    """Say whether the game in the row is over, and keep its tally."""
    truth = batch.games[i].truth
    over = truth.reason != 0
    buffers.terminations[i] = over and truth.reason != PLIES
    buffers.truncations[i] = over and truth.reason == PLIES
    if over:
        tally = batch.tally[i]
        tally.end_tries = tally.tries
        tally.end_reward = tally.reward
        tally.end_plies = truth.plies
        tally.end_reason = truth.reason
        tally.end_winner = truth.winner
        tally.end_seat = batch.seats[i]
        batch.ended[i] = True


@kernel
def _rest_row(buffers: Buffers, i: int) -> None:
    for seat in range(buffers.rewards.shape[1]):
        buffers.rewards[i, seat] = np.float32(0)
    buffers.terminations[i] = False
    buffers.truncations[i] = False


@kernel
def learner_tries(batch: Batch, buffers: Buffers, actions: Array, first: int, last: int) -> None:
    """Judge the learner's tries. Rows whose game has ended are left alone.

    The reward becomes minus the potential before the try, for `settle_rows` to complete.
    """
    for i in range(first, last):
        if batch.ended[i]:
            continue
        view = batch.games[i].views[np.int64(batch.seats[i])]
        buffers.rewards[i, 0] = -potential(view, batch.settings[0])
        batch.tally[i].tries += np.int32(1)
        judge(batch.games[i], batch.history[i], batch.rules[0], np.int64(actions[i]))


@kernel
def kernel_opponents(batch: Batch, first: int, last: int) -> None:
    """Let kernel opponents play in every row where they are to move."""
    scratch = np.empty(MOST_TRIES, np.int16)
    for i in range(first, last):
        opponent_plays(batch, i, scratch)


@kernel
def settle_rows(batch: Batch, buffers: Buffers, first: int, last: int) -> None:
    """Rewards and ends of a step; begin anew what the autoreset mode begins now.

    A begun game may leave the opponent to move: let it play before observing.
    """
    settings = batch.settings[0]
    for i in range(first, last):
        if batch.ended[i]:
            _rest_row(buffers, i)
            if settings.autoreset == NEXT_STEP:
                begin_row(batch, i)
            continue
        seat = np.int64(batch.seats[i])
        view = batch.games[i].views[seat]
        buffers.rewards[i, 0] += settings.gamma * potential(view, settings) + np.float32(view.result)
        batch.tally[i].reward += buffers.rewards[i, 0]
        _close_row(batch, buffers, i)
        if batch.ended[i] and settings.autoreset == SAME_STEP:
            write_observation(view, buffers.final[i, 0])
            begin_row(batch, i)


@kernel
def observe_rows(batch: Batch, buffers: Buffers, first: int, last: int) -> None:
    """Observations and masks of the seats in `batch.seats`."""
    scratch = np.empty(MOST_TRIES, np.int16)
    for i in range(first, last):
        observe_row(batch, i, np.int64(batch.seats[i]), scratch, buffers.observations[i], buffers.masks[i])


@kernel
def begin_rows(batch: Batch, chosen: Array, first: int, last: int) -> None:
    """Begin new games in the rows of `chosen: bool[N]`."""
    for i in range(first, last):
        if chosen[i]:
            begin_row(batch, i)


@kernel
def step_against(batch: Batch, buffers: Buffers, actions: Array, first: int, last: int) -> None:
    """A whole step against a kernel opponent, row by row."""
    for i in range(first, last):
        learner_tries(batch, buffers, actions, i, i + 1)
        kernel_opponents(batch, i, i + 1)
        settle_rows(batch, buffers, i, i + 1)
        kernel_opponents(batch, i, i + 1)
        observe_rows(batch, buffers, i, i + 1)


@kernel
def observe_mover(batch: Batch, buffers: Buffers, first: int, last: int) -> None:
    """Self-play: observations and masks of whoever is to move (of the last mover once it is over)."""
    for i in range(first, last):
        batch.seats[i] = batch.games[i].truth.side
        observe_rows(batch, buffers, i, i + 1)


@kernel
def step_self_play(batch: Batch, buffers: Buffers, actions: Array, first: int, last: int) -> None:
    """A whole step of self-play: one try of whoever is to move."""
    settings = batch.settings[0]
    for i in range(first, last):
        game = batch.games[i]
        if batch.ended[i]:
            _rest_row(buffers, i)
            if settings.autoreset == NEXT_STEP:
                begin_row(batch, i)
        else:
            for seat in range(2):
                buffers.rewards[i, seat] = -potential(game.views[seat], settings)
            batch.tally[i].tries += np.int32(1)
            judge(game, batch.history[i], batch.rules[0], np.int64(actions[i]))
            for seat in range(2):
                view = game.views[seat]
                buffers.rewards[i, seat] += settings.gamma * potential(view, settings) + np.float32(view.result)
            _close_row(batch, buffers, i)
            if batch.ended[i] and settings.autoreset == SAME_STEP:
                write_observation(game.views[0], buffers.final[i, 0])
                write_observation(game.views[1], buffers.final[i, 1])
                begin_row(batch, i)
        observe_mover(batch, buffers, i, i + 1)


@kernel
def draw_seed(batch: Batch, i: int, stream: int) -> int:
    """A seed below 2**32 from one of the row's streams."""
    return random_below(batch.games[i].truth.random, stream, 0xFFFFFFFF)


@kernel
def judge_row(batch: Batch, i: int, action: int) -> int:
    """Judge one try in one row; the kind of answer."""
    return judge(batch.games[i], batch.history[i], batch.rules[0], action)
