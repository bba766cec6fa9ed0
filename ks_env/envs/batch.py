"""Kernels over ranges of rows: the engine under every interface.

All of them take the same arrays, N games a batch:

    games: GAME[N]      history: u8[N, H]     starts: GAME[K]      rules: RULES[1]
    settings: SETTINGS[1]                     seats: u1[N], the learner's seat (against an opponent)

and write to buffers that the caller owns. Rows are independent, each with its own random streams, so a
batch may be cut into any ranges and stepped by any number of threads with the same result.
"""

import numpy as np

from ks_env.core.bits import random_below
from ks_env.core.jit import kernel
from ks_env.core.referee import PLIES, judge
from ks_env.core.tries import MOST_TRIES
from ks_env.players.kernel import choose
from ks_env.spaces.observation import write_mask, write_observation

NEXT_STEP, SAME_STEP, DISABLED = 0, 1, 2
WHITE_SEAT, BLACK_SEAT, RANDOM_SEAT = 0, 1, 2
REFEREE_STREAM = 2
NO_PLAYER = -1  # the opponent is no kernel

SETTINGS = np.dtype(
    [
        ("level", "u1"),  # of the masks
        ("autoreset", "u1"),
        ("seat", "u1"),  # which seat the learner gets
        ("opponent", "i1"),  # number of the kernel player, or NO_PLAYER
        ("pawn_value", "f4"),  # of the shaping potential; all 0 without shaping
        ("piece_value", "f4"),
        ("gamma", "f4"),
    ],
    align=True,
)


@kernel
def begin_game(games: np.ndarray, history: np.ndarray, starts: np.ndarray, i: int) -> None:
    """Put a start position, drawn by the referee's stream, into row i; the streams go on."""
    random = games[i].truth.random
    drawn = 0
    if starts.shape[0] > 1:
        drawn = random_below(random, REFEREE_STREAM, starts.shape[0])
    first, second, third = random[0], random[1], random[2]
    games[i] = starts[drawn]
    truth = games[i].truth
    truth.random[0] = first
    truth.random[1] = second
    truth.random[2] = third
    truth.past = np.int32(1)
    history[i, 0] = truth.key


@kernel
def draw_seat(game: np.void, settings: np.void) -> int:
    """The learner's seat for a new game."""
    if settings.seat == RANDOM_SEAT:
        return random_below(game.truth.random, REFEREE_STREAM, 2)
    return np.int64(settings.seat)


@kernel
def opponent_plays(
    game: np.void, history: np.ndarray, rules: np.void, seat: int, opponent: int, scratch: np.ndarray
) -> None:
    """Let the kernel player of the other seat try until the learner is to move or the game is over."""
    truth = game.truth
    other = 1 - seat
    while truth.reason == 0 and truth.side == other:
        judge(game, history, rules, choose(opponent, game.views[other], rules, truth.random, other, scratch))


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
def reset_rows(
    games: np.ndarray,
    history: np.ndarray,
    starts: np.ndarray,
    rules: np.ndarray,
    settings: np.ndarray,
    seats: np.ndarray,
    chosen: np.ndarray,
    first: int,
    last: int,
) -> None:
    """Begin new games in the rows of `chosen: bool[N]`; a kernel opponent that has White moves."""
    scratch = np.empty(MOST_TRIES, np.int16)
    for i in range(first, last):
        if chosen[i]:
            begin_game(games, history, starts, i)
            seats[i] = draw_seat(games[i], settings[0])
            if settings[0].opponent >= 0:
                opponent_plays(
                    games[i], history[i], rules[0], np.int64(seats[i]), np.int64(settings[0].opponent), scratch
                )


@kernel
def try_rows(
    games: np.ndarray,
    history: np.ndarray,
    rules: np.ndarray,
    settings: np.ndarray,
    seats: np.ndarray,
    actions: np.ndarray,
    shaped: np.ndarray,
    first: int,
    last: int,
) -> None:
    """Judge the learner's tries; a kernel opponent answers. Rows that are over are left alone.

    `shaped: f4[N]` gets minus the potential before the try, for `settle_rows` to complete.
    """
    scratch = np.empty(MOST_TRIES, np.int16)
    for i in range(first, last):
        game = games[i]
        if game.truth.reason != 0:
            shaped[i] = np.float32(0)
            continue
        seat = np.int64(seats[i])
        shaped[i] = -potential(game.views[seat], settings[0])
        judge(game, history[i], rules[0], np.int64(actions[i]))
        if settings[0].opponent >= 0:
            opponent_plays(game, history[i], rules[0], seat, np.int64(settings[0].opponent), scratch)


@kernel
def settle_rows(
    games: np.ndarray,
    settings: np.ndarray,
    seats: np.ndarray,
    resting: np.ndarray,
    rewards: np.ndarray,
    terminations: np.ndarray,
    truncations: np.ndarray,
    first: int,
    last: int,
) -> None:
    """Rewards and ends after a step. `rewards` holds what `try_rows` left; `resting` rows get 0."""
    for i in range(first, last):
        game = games[i]
        if resting[i]:
            rewards[i] = np.float32(0)
            terminations[i] = False
            truncations[i] = False
            continue
        view = game.views[np.int64(seats[i])]
        over = game.truth.reason != 0
        rewards[i] += settings[0].gamma * potential(view, settings[0])
        if over:
            rewards[i] += np.float32(view.result)
        terminations[i] = over and game.truth.reason != PLIES
        truncations[i] = over and game.truth.reason == PLIES


@kernel
def observe_rows(
    games: np.ndarray,
    rules: np.ndarray,
    settings: np.ndarray,
    seats: np.ndarray,
    chosen: np.ndarray,
    observations: np.ndarray,
    masks: np.ndarray,
    first: int,
    last: int,
) -> None:
    """Write planes `u1[N, SIZE]` and masks `i1[N, ACTIONS]` of the given seats, rows of `chosen` only."""
    scratch = np.empty(MOST_TRIES, np.int16)
    for i in range(first, last):
        if chosen[i]:
            view = games[i].views[np.int64(seats[i])]
            write_observation(view, observations[i])
            write_mask(view, rules[0], np.int64(settings[0].level), scratch, masks[i])


@kernel
def seats_to_play(games: np.ndarray, seats: np.ndarray, first: int, last: int) -> None:
    """Write to `seats: u1[N]` whose turn it is."""
    for i in range(first, last):
        seats[i] = games[i].truth.side


@kernel
def self_play_rows(
    games: np.ndarray,
    history: np.ndarray,
    rules: np.ndarray,
    actions: np.ndarray,
    resting: np.ndarray,
    rewards: np.ndarray,
    terminations: np.ndarray,
    truncations: np.ndarray,
    first: int,
    last: int,
) -> None:
    """Judge one try of whoever is to move; `rewards: f4[N, 2]` by seat."""
    for i in range(first, last):
        rewards[i, 0] = np.float32(0)
        rewards[i, 1] = np.float32(0)
        terminations[i] = False
        truncations[i] = False
        truth = games[i].truth
        if resting[i] or truth.reason != 0:
            continue
        judge(games[i], history[i], rules[0], np.int64(actions[i]))
        if truth.reason != 0:
            rewards[i, 0] = np.float32(games[i].views[0].result)
            rewards[i, 1] = np.float32(games[i].views[1].result)
            terminations[i] = truth.reason != PLIES
            truncations[i] = truth.reason == PLIES


@kernel
def random_actions(masks: np.ndarray, random: np.ndarray, actions: np.ndarray) -> None:
    """Draw one allowed action a row, uniformly: `masks: i1[N, ACTIONS]`, `random: u8[1]`.

    A row without any allowed action gets 0.
    """
    for i in range(masks.shape[0]):
        mask = masks[i]
        allowed = 0
        for a in range(mask.shape[0]):
            allowed += mask[a]
        actions[i] = 0
        if allowed == 0:
            continue
        left = random_below(random, 0, allowed)
        for a in range(mask.shape[0]):
            left -= mask[a]
            if left < 0:
                actions[i] = a
                break
