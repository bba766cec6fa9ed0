"""Kernels over ranges of rows: the engine under every interface.

All of them take a `Batch` of N games and `Buffers` that the caller owns, and work on the rows from
`first` to before `last`. Rows are independent, each with its own random streams, so a batch may be cut into
any ranges and stepped by any number of threads with the same result.

Those that judge tries or observe are made for one game by `kernels_of`, which hands them the game's kernels.
"""

from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

from ks_env.core.answers import PLIES, UNDER_WAY
from ks_env.core.bits import random_below
from ks_env.core.jit import kernel
from ks_env.core.layout import Rules, SeatView, Truth
from ks_env.core.memory import scratch_for_tries, uncounted
from ks_env.core.record import Array, Record, dtype_of, f4, field, i4, i8, u1
from ks_env.core.tries import clear_mask
from ks_env.envs.compact import Layout, compact_kernel
from ks_env.games.definition import GameKernels
from ks_env.players.kernel import choice_kernel

NEXT_STEP, SAME_STEP, DISABLED = 0, 1, 2
WHITE_SEAT, BLACK_SEAT, RANDOM_SEAT = 0, 1, 2
REFEREE_STREAM = 2
ROWS_AT_ONCE = 64
NO_KERNEL = -1  # the opponent is not a kernel player, or there is no opponent


class Settings(Record):
    """What all games of a batch have in common."""

    level: int = field("u1")  # of the masks
    autoreset: int = field("u1")
    seat: int = field("u1")  # which seat the learner gets
    opponent: int = field("i1")  # number of the kernel player, or NO_KERNEL
    pawn_value: float = field("f4")  # of the shaping potential; all 0 without shaping
    piece_value: float = field("f4")
    gamma: float = field("f4")


SETTINGS = dtype_of(Settings)


class Tally(Record):
    """What is kept of the game in a row, and of the last one that ended there."""

    tries: Array = field("i4", (2,))  # tries of each seat so far; against an opponent the learner's alone
    reward: float = field("f4")  # sum of the learner's rewards so far
    end_tries: Array = field("i4", (2,))
    end_reward: float = field("f4")
    end_plies: int = field("i4")
    end_reason: int = field("u1")  # answers.Reason
    end_winner: int = field("i1")  # seat, or -1
    end_seat: int = field("u1")  # the learner's seat


TALLY = dtype_of(Tally)


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
    last_views: Array  # VIEW[N, 2]: of the last game that ended in the row and was begun anew
    # Records of an encoder's memory, of B bytes each; B = 0 without memory
    openings: Array  # u1[K, 2, B]: at the start of a game, by start and seat
    memory: Array  # u1[N, 2, B]
    last_memory: Array  # u1[N, 2, B]: beside `last_views`


class Buffers(NamedTuple):
    """What a step writes. Against an opponent S = 1, the learner's seat; in self-play S = 2, by seat."""

    observations: Array  # u1[N, C, 64]
    masks: Array  # i1[N, ACTIONS]
    rewards: Array  # f4[N, S]
    terminations: Array  # bool[N]
    truncations: Array  # bool[N]
    final: Array  # u1[N, S, C, 64]: the last observations of games that ended and were begun anew


class CompactBuffers(NamedTuple):
    """What a step writes where observations are compact; see `ks_env.envs.compact`."""

    boards: Array  # u8[N, B]
    squares: Array  # u1[N, K, 64]
    values: Array  # u1[N, V]
    tries: Array  # i2[N, MOST_PADDED]
    rewards: Array  # f4[N, S]
    terminations: Array  # bool[N]
    truncations: Array  # bool[N]
    final: Array  # u1[N, S, C, 64]: planes, as in `Buffers`


# Row functions take records and the slices they need, never the whole batch, and the two whole steps drop the
# count of references to all arrays first: counting, for every row, costs as much as the game itself.


@kernel
def copy_memory(source: Array, row: int, out: Array, to: int) -> None:
    """`out[to] = source[row]` for both u1[*, 2, B]."""
    for seat in range(2):
        for j in range(source.shape[2]):
            out[to, seat, j] = source[row, seat, j]


@kernel
def begin_row(batch: Batch, i: int) -> None:
    """Put a start position, drawn by the referee's stream, into row i; the streams go on."""
    random = batch.games[i].truth.random
    drawn = 0
    if batch.starts.shape[0] > 1:
        drawn = random_below(random, REFEREE_STREAM, batch.starts.shape[0])
    first, second, third = random[0], random[1], random[2]
    batch.games[i] = batch.starts[drawn]
    copy_memory(batch.openings, drawn, batch.memory, i)
    truth = batch.games[i].truth
    truth.random[0] = first
    truth.random[1] = second
    truth.random[2] = third
    truth.past = i4(1)
    batch.history[i, 0] = truth.key
    batch.ended[i] = False
    batch.tally[i].tries[0] = batch.tally[i].tries[1] = i4(0)
    batch.tally[i].reward = f4(0)
    seat = i8(batch.settings[0].seat)
    batch.seats[i] = random_below(truth.random, REFEREE_STREAM, 2) if seat == RANDOM_SEAT else seat


@kernel
def begin_row_anew(batch: Batch, i: int) -> None:
    """Begin row i in the step that ended its game, whose views and memory are kept for encoders."""
    copy_memory(batch.memory, i, batch.last_memory, i)
    batch.last_views[i, 0] = batch.games[i].views[0]
    batch.last_views[i, 1] = batch.games[i].views[1]
    begin_row(batch, i)


@kernel
def potential(view: SeatView, settings: Settings) -> float:
    """Shaping potential, from announced captures only."""
    if settings.pawn_value == 0 and settings.piece_value == 0:
        return f4(0)
    unsaid = f4(view.men_taken) - f4(view.pawns_taken) - f4(view.pieces_taken)
    pawns = f4(view.pawns_taken) - f4(view.pawns_lost)
    pieces = f4(view.pieces_taken) - f4(view.pieces_lost)
    middle = f4(0.5) * (settings.pawn_value + settings.piece_value)
    return settings.pawn_value * pawns + settings.piece_value * pieces + middle * unsaid


@kernel
def reward_after(view: SeatView, settings: Settings, reason: int) -> float:
    """The result, once the game is over, and the discounted potential after a try.

    The potential of a terminal state is 0. A game that is cut short keeps its potential, since the value
    that a learner bootstraps from there is that of going on.
    """
    if reason != UNDER_WAY and reason != PLIES:
        return f4(view.result)
    return settings.gamma * potential(view, settings)


@kernel
def keep_tally(truth: Truth, seat: int, tally: Tally) -> None:
    """Keep what is reported of a game that has just ended."""
    for each in range(2):
        tally.end_tries[each] = tally.tries[each]
    tally.end_reward = tally.reward
    tally.end_plies = truth.plies
    tally.end_reason = truth.reason
    tally.end_winner = truth.winner
    tally.end_seat = u1(seat)


@kernel
def tell_end(truth: Truth, i: int, terminations: Array, truncations: Array) -> None:
    """The game in row i is over: by the rules, or cut short."""
    truncations[i] = truth.reason == PLIES
    terminations[i] = truth.reason != PLIES


@kernel
def pass_ended(batch: Batch, i: int, terminations: Array, truncations: Array) -> None:
    """A row whose game ended in an earlier step: begin it anew, or let it rest, going on being over."""
    if batch.settings[0].autoreset == NEXT_STEP:
        begin_row(batch, i)
    else:
        tell_end(batch.games[i].truth, i, terminations, truncations)


@kernel
def begin_rows(batch: Batch, chosen: Array, first: int, last: int) -> None:
    """Begin new games in the rows of `chosen: bool[N]`."""
    for i in range(first, last):
        if chosen[i]:
            begin_row(batch, i)


@kernel
def draw_seed(batch: Batch, i: int, stream: int) -> int:
    """A seed below 2**32 from one of the row's streams."""
    return random_below(batch.games[i].truth.random, stream, 0xFFFFFFFF)


class Observing(NamedTuple):
    """Kernels of one game that observe.

    Attributes:
        row: (view, rules, level, ...): what one seat sees: planes u1[C, 64] and mask i1[ACTIONS], or what
            `compact_kernel` writes.
        rows: (batch, buffers, first, last): those of the seats in `batch.seats`.
    """

    row: Callable[..., None]
    rows: Callable[..., None]


class Against(NamedTuple):
    """Kernels of one game against an opponent; see `kernels_of`.

    Attributes:
        learner_tries: (batch, buffers, actions, first, last): judge the learner's tries.
        kernel_opponents: (batch, first, last): a kernel opponent plays wherever it is to move.
        kernel_opponent_tries_once: (batch, i, scratch): just one try of it, in row i.
        settle_rows: (batch, buffers, first, last): rewards and ends of a step, and autoreset.
        step: (batch, buffers, actions, first, last): a whole step against a kernel opponent.
    """

    learner_tries: Callable[..., None]
    kernel_opponents: Callable[..., None]
    kernel_opponent_tries_once: Callable[..., None]
    settle_rows: Callable[..., None]
    step: Callable[..., None]


class SelfPlay(NamedTuple):
    """Kernels of one game of which the caller plays both seats.

    Attributes:
        mover_tries: (batch, buffers, actions, first, last): judge a try of whoever is to move, and settle.
        observe_mover: (batch, buffers, first, last): observe whoever is to move.
        step: (batch, buffers, actions, first, last): a whole step.
    """

    mover_tries: Callable[..., None]
    observe_mover: Callable[..., None]
    step: Callable[..., None]


class BatchKernels(NamedTuple):
    """All kernels over rows of one game."""

    judge_row: Callable[..., int]  # (batch, i, action): judge one try in row i; the kind of answer
    observing: Observing
    against: Against
    self_play: SelfPlay


@cache
def kernels_of(game: GameKernels, compact: Layout | None = None) -> BatchKernels:
    """The kernels over rows of a game; with a layout, those that observe into `CompactBuffers`."""
    judge = game.judge

    @kernel
    def judge_row(batch: Batch, i: int, action: int) -> int:
        """Judge one try in one row; the kind of answer."""
        return judge(batch.games[i], batch.history[i], batch.rules[0], action)

    observing = _observing(game) if compact is None else _observing_compactly(game, compact)
    return BatchKernels(judge_row, observing, _against(game, observing), _self_play(game, observing))


def _observing(game: GameKernels) -> Observing:
    mark_tries, write_planes = game.mark_tries, game.write_planes

    @kernel
    def observe_row(view: Any, rules: Rules, level: int, planes: Array, mask: Array) -> None:
        """Planes `u1[C, 64]` and mask `i1[ACTIONS]` of one seat."""
        write_planes(view, planes)
        clear_mask(mask)
        if view.turn:
            mark_tries(view, rules, level, mask)

    @kernel
    def observe_rows(batch: Batch, buffers: Buffers, first: int, last: int) -> None:
        """Observations and masks of the seats in `batch.seats`."""
        games, seats, observations, masks = batch.games, batch.seats, buffers.observations, buffers.masks
        rules, level = batch.rules[0], i8(batch.settings[0].level)
        for i in range(first, last):
            view = games[i].views[i8(seats[i])]
            observe_row(view, rules, level, observations[i], masks[i])

    return Observing(observe_row, observe_rows)


def _observing_compactly(game: GameKernels, layout: Layout) -> Observing:
    write_compact = compact_kernel(game, layout)

    @kernel
    def observe_rows(batch: Batch, buffers: CompactBuffers, first: int, last: int) -> None:
        """Compact observations of the seats in `batch.seats`."""
        games, seats, boards, squares = batch.games, batch.seats, buffers.boards, buffers.squares
        values, tries, rules, level = buffers.values, buffers.tries, batch.rules[0], batch.settings[0].level
        for i in range(first, last):
            view = games[i].views[i8(seats[i])]
            write_compact(view, rules, i8(level), boards[i], squares[i], values[i], tries[i])

    return Observing(write_compact, observe_rows)


def _kernel_opponents(game: GameKernels) -> tuple[Callable[..., None], Callable[..., None]]:
    """`Against.kernel_opponents` and `Against.kernel_opponent_tries_once`."""
    judge, choose = game.judge, choice_kernel(game)

    @kernel
    def opponent_plays(
        game: Any, history: Array, rules: Rules, opponent: int, seat: int, scratch: Array
    ) -> None:
        """Let a kernel opponent try until the learner's seat is to move or the game is over."""
        truth = game.truth
        other = 1 - seat
        while truth.reason == UNDER_WAY and truth.side == other:
            action = choose(opponent, game.views[other], rules, truth.random, other, scratch)
            judge(game, history, rules, action)

    @kernel
    def kernel_opponents(batch: Batch, first: int, last: int) -> None:
        """Let a kernel opponent play in every row where it is to move."""
        games, history, seats = batch.games, batch.history, batch.seats
        rules, opponent = batch.rules[0], i8(batch.settings[0].opponent)
        scratch = scratch_for_tries()
        for i in range(first, last):
            opponent_plays(games[i], history[i], rules, opponent, i8(seats[i]), scratch)

    @kernel
    def kernel_opponent_tries_once(batch: Batch, i: int, scratch: Array) -> None:
        """One try of the kernel opponent in row i, just as `opponent_plays` makes it."""
        game = batch.games[i]
        other = 1 - i8(batch.seats[i])
        opponent = i8(batch.settings[0].opponent)
        action = choose(opponent, game.views[other], batch.rules[0], game.truth.random, other, scratch)
        judge(game, batch.history[i], batch.rules[0], action)

    return kernel_opponents, kernel_opponent_tries_once


def _learner(game: GameKernels) -> tuple[Callable[..., None], Callable[..., None]]:
    """`Against.learner_tries` and `Against.settle_rows`."""
    judge, write_planes = game.judge, game.write_planes

    @kernel
    def learner_tries(batch: Batch, buffers: Buffers, actions: Array, first: int, last: int) -> None:
        """Judge the learner's tries. Rows whose game has ended are left alone.

        The reward becomes minus the potential before the try, for `settle_rows` to complete.
        """
        games, history, rewards, seats = batch.games, batch.history, buffers.rewards, batch.seats
        tally, ended, rules, settings = batch.tally, batch.ended, batch.rules[0], batch.settings[0]
        for i in range(first, last):
            if ended[i]:
                rewards[i, 0] = f4(0)
                continue
            game = games[i]
            seat = i8(seats[i])
            rewards[i, 0] = -potential(game.views[seat], settings)
            tally[i].tries[seat] += i4(1)
            judge(game, history[i], rules, i8(actions[i]))

    @kernel
    def settle_rows(batch: Batch, buffers: Buffers, first: int, last: int) -> None:
        """Rewards and ends of a step; begin anew what the autoreset mode begins now.

        A begun game may leave the opponent to move: let it play before observing.
        """
        games, seats, ended, tally = batch.games, batch.seats, batch.ended, batch.tally
        rewards, terminations, truncations = buffers.rewards, buffers.terminations, buffers.truncations
        settings = batch.settings[0]
        for i in range(first, last):
            terminations[i] = truncations[i] = False
            if ended[i]:
                pass_ended(batch, i, terminations, truncations)
                continue
            seat = i8(seats[i])
            game = games[i]
            rewards[i, 0] += reward_after(game.views[seat], settings, game.truth.reason)
            tally[i].reward += rewards[i, 0]
            if game.truth.reason != UNDER_WAY:
                ended[i] = True
                tell_end(game.truth, i, terminations, truncations)
                keep_tally(game.truth, seat, tally[i])
                if settings.autoreset == SAME_STEP:
                    write_planes(game.views[seat], buffers.final[i, 0])
                    begin_row_anew(batch, i)

    return learner_tries, settle_rows


def _against(game: GameKernels, observing: Observing) -> Against:
    kernel_opponents, kernel_opponent_tries_once = _kernel_opponents(game)
    learner_tries, settle_rows = _learner(game)
    observe_rows = observing.rows

    @kernel
    def step_against(batch: Batch, buffers: Buffers, actions: Array, first: int, last: int) -> None:
        """A whole step against a kernel opponent, in blocks of rows that stay in the cache."""
        batch, buffers, actions = uncounted(batch), uncounted(buffers), uncounted(actions)
        for start in range(first, last, ROWS_AT_ONCE):
            stop = min(start + ROWS_AT_ONCE, last)
            learner_tries(batch, buffers, actions, start, stop)
            kernel_opponents(batch, start, stop)
            settle_rows(batch, buffers, start, stop)
            kernel_opponents(batch, start, stop)
            observe_rows(batch, buffers, start, stop)

    return Against(learner_tries, kernel_opponents, kernel_opponent_tries_once, settle_rows, step_against)


def _mover(game: GameKernels) -> Callable[..., None]:
    """`SelfPlay.mover_tries`."""
    judge, write_planes = game.judge, game.write_planes

    @kernel
    def mover_tries(batch: Batch, buffers: Buffers, actions: Array, first: int, last: int) -> None:
        """Self-play: judge one try of whoever is to move; rewards `f4[N, 2]` by seat."""
        games, history, ended, tally = batch.games, batch.history, batch.ended, batch.tally
        rewards, terminations, truncations = buffers.rewards, buffers.terminations, buffers.truncations
        rules, settings = batch.rules[0], batch.settings[0]
        for i in range(first, last):
            terminations[i] = truncations[i] = False
            if ended[i]:
                rewards[i, 0] = rewards[i, 1] = f4(0)
                pass_ended(batch, i, terminations, truncations)
                continue
            game = games[i]
            before = (potential(game.views[0], settings), potential(game.views[1], settings))
            mover = i8(game.truth.side)
            tally[i].tries[mover] += i4(1)
            judge(game, history[i], rules, i8(actions[i]))
            rewards[i, 0] = reward_after(game.views[0], settings, game.truth.reason) - before[0]
            rewards[i, 1] = reward_after(game.views[1], settings, game.truth.reason) - before[1]
            if game.truth.reason != UNDER_WAY:
                ended[i] = True
                tell_end(game.truth, i, terminations, truncations)
                keep_tally(game.truth, mover, tally[i])
                if settings.autoreset == SAME_STEP:
                    write_planes(game.views[0], buffers.final[i, 0])
                    write_planes(game.views[1], buffers.final[i, 1])
                    begin_row_anew(batch, i)

    return mover_tries


def _self_play(game: GameKernels, observing: Observing) -> SelfPlay:
    mover_tries, observe_rows = _mover(game), observing.rows

    @kernel
    def observe_mover(batch: Batch, buffers: Buffers, first: int, last: int) -> None:
        """Self-play: observations and masks of whoever is to move (of the next one once it is over)."""
        games, seats = batch.games, batch.seats
        for i in range(first, last):
            seats[i] = games[i].truth.side
        observe_rows(batch, buffers, first, last)

    @kernel
    def step_self_play(batch: Batch, buffers: Buffers, actions: Array, first: int, last: int) -> None:
        """A whole step of self-play, in blocks of rows that stay in the cache."""
        batch, buffers, actions = uncounted(batch), uncounted(buffers), uncounted(actions)
        for start in range(first, last, ROWS_AT_ONCE):
            stop = min(start + ROWS_AT_ONCE, last)
            mover_tries(batch, buffers, actions, start, stop)
            observe_mover(batch, buffers, start, stop)

    return SelfPlay(mover_tries, observe_mover, step_self_play)
