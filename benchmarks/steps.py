"""Where the time of a step goes, and what threads and the compact observation do for it."""

from collections.abc import Callable
from functools import partial
from time import perf_counter, thread_time
from typing import Any

import numpy as np

from benchmarks import ours
from benchmarks.draw import random_actions, random_tries
from benchmarks.measure import Plan, spread
from ks_env.core.answers import MOVED
from ks_env.core.jit import kernel
from ks_env.core.memory import uncounted
from ks_env.core.position import is_legal, refresh
from ks_env.core.record import i8
from ks_env.core.tables import TRIES, TRY_FROM, TRY_TO
from ks_env.core.tries import clear_mask
from ks_env.envs.vector import GameVectorEnv, SelfPlayVectorEnv
from ks_env.games.kriegspiel.observation import write_observation
from ks_env.games.kriegspiel.tries import is_nonsense, mark_tries

Array = np.ndarray[Any, Any]
THREADED_GAMES = (256, 1024, 4096)
PLAYED: dict[str, Callable[..., Any]] = {
    "self-play": SelfPlayVectorEnv,
    "self-play, compact": partial(SelfPlayVectorEnv, observation="compact"),
    "random": partial(GameVectorEnv, opponent="random"),
    "capture": partial(GameVectorEnv, opponent="capture"),
}
COUNTED_STEPS = 200
# Shares of steps that are quicker than the ones whose rates are told: the usual rate of a machine that others
# use, too, and the rate of steps in which no other program was in the way
QUICK, QUICKEST = 0.1, 0.001


@kernel
def _planes(batch: Any, buffers: Any) -> None:
    games, seats, out = uncounted(batch.games), uncounted(batch.seats), uncounted(buffers.observations)
    for i in range(games.shape[0]):
        write_observation(games[i].views[i8(seats[i])], out[i])


@kernel
def _masks(batch: Any, buffers: Any) -> None:
    games, seats, out = uncounted(batch.games), uncounted(batch.seats), uncounted(buffers.masks)
    rules, level = batch.rules[0], i8(batch.settings[0].level)
    for i in range(games.shape[0]):
        view = games[i].views[i8(seats[i])]
        clear_mask(out[i])
        if view.turn:
            mark_tries(view, rules, level, out[i])


@kernel
def _verdicts(batch: Any, actions: Array) -> int:
    """Judge a try without anything that follows from it; how many are legal."""
    games, actions = uncounted(batch.games), uncounted(actions)
    rules, legal = batch.rules[0], 0
    for i in range(games.shape[0]):
        action, truth = actions[i], games[i].truth
        if action >= TRIES - 1 or is_nonsense(games[i].views[i8(truth.side)], rules, action):
            continue
        mirror = 56 * i8(truth.side)
        legal += is_legal(truth, i8(TRY_FROM[action]) ^ mirror, i8(TRY_TO[action]) ^ mirror)
    return legal


@kernel
def _refreshed(batch: Any, which: Array) -> None:
    """Checkers, pinned men and pawn captures, anew and to the same result."""
    games, which = uncounted(batch.games), uncounted(which)
    for i in range(which.shape[0]):
        key = games[which[i]].truth.key
        refresh(games[which[i]].truth)
        games[which[i]].truth.key = key


class _Clock:
    """Seconds of this thread on a processor, by name."""

    def __init__(self) -> None:
        self.taken: dict[str, float] = {}

    def time(self, name: str, run: Callable[[], Any]) -> None:
        begin = thread_time()
        run()
        self.taken[name] = self.taken.get(name, 0.0) + thread_time() - begin


def _round(env: SelfPlayVectorEnv, seconds: float, stream: Array) -> dict[str, float]:
    """Nanoseconds a try of each part of the step."""
    engine, actions = env.engine, np.zeros(env.num_envs, np.int64)
    kernels, batch, buffers = engine.kernels.self_play, engine.batch, engine.buffers
    nothing, clock, steps = np.zeros(0, np.int64), _Clock(), 0
    end = perf_counter() + seconds
    while perf_counter() < end or steps < 2 or steps % 2:
        steps += 1
        clock.time("draw", lambda: random_actions(buffers.masks, stream, actions))
        if steps % 2:
            clock.time("step", lambda: env.step(actions))
            continue
        clock.time("verdict", lambda: _verdicts(batch, actions))
        clock.time("judge", lambda: kernels.mover_tries(batch, buffers, actions, 0, env.num_envs))
        moved = np.flatnonzero(batch.games["truth"]["said"]["kind"] == MOVED)
        clock.time("refresh", partial(_refreshed, batch, moved))
        clock.time("observe", lambda: kernels.observe_mover(batch, buffers, 0, env.num_envs))
        clock.time("planes", lambda: _planes(batch, buffers))
        clock.time("masks", lambda: _masks(batch, buffers))
        clock.time("call", lambda: kernels.step(batch, buffers, actions, 0, 0))
        clock.time("small call", lambda: _refreshed(batch, nothing))
    found = {name: 1e9 * taken / (steps // 2 * env.num_envs) for name, taken in clock.taken.items()}
    found["draw"] /= 2  # the one part of every step
    return found


def measure_parts(games: int, plan: Plan) -> list[dict[str, Any]]:
    """Nanoseconds of each part of a step of self-play a try, and its share of all."""
    env, stream = SelfPlayVectorEnv(games, copy=False), np.array([ours.SEED], np.uint64)
    env.reset(seed=ours.SEED)
    _round(env, plan.seconds, stream)
    rounds = []
    for _ in range(plan.rounds):
        ns = _round(env, plan.seconds, stream)
        small = ns["small call"]
        verdict, refreshing = ns["verdict"] - small, ns["refresh"] - small
        judge, observe = ns["judge"] - ns["call"], ns["observe"] - ns["call"]
        planes, masks = ns["planes"] - small, ns["masks"] - small
        rounds.append(
            {
                "the random draw (not the environment's)": ns["draw"],
                "the referee's verdict: nonsense, or legal": verdict,
                "checks, pins and pawn captures after a move": refreshing,
                "playing, hearing, ages, the end, a new game": judge - verdict - refreshing,
                "writing the planes": planes,
                "the tries, and writing the mask": masks,
                "Python, and the call of the kernel": ns["step"] - judge - observe,
                "all": ns["draw"] + ns["step"],
            }
        )
    return [
        {
            "part": name,
            "ns": spread([each[name] for each in rounds]),
            "share": spread([each[name] / each["all"] for each in rounds]),
        }
        for name in rounds[0]
    ]


def _stepping(env: Any) -> Callable[[float], dict[str, float]]:
    """A player of so many seconds; tries per second, each of the step that a share of all is quicker than.

    "with_draw" and "alone" are those of `QUICK`, with and without the random draw, "quickest" that of
    `QUICKEST`, without it.
    """
    env.reset(seed=ours.SEED)
    stream, actions = np.array([ours.SEED], np.uint64), np.zeros(env.num_envs, np.int64)
    buffers = env.engine.buffers
    draw, given = (random_tries, buffers.tries) if env.engine.compact else (random_actions, buffers.masks)

    def play(seconds: float) -> dict[str, float]:
        steps, both = [], []
        end = perf_counter() + seconds
        while (begin := perf_counter()) < end:
            draw(given, stream, actions)
            start = perf_counter()
            env.step(actions)
            done = perf_counter()
            steps.append(done - start)
            both.append(done - begin)
        cases = {"with_draw": (both, QUICK), "alone": (steps, QUICK), "quickest": (steps, QUICKEST)}
        return {name: env.num_envs / float(np.quantile(*case)) for name, case in cases.items()}

    return play


def measure_threads(plan: Plan) -> list[dict[str, Any]]:
    """One thread and two, in turns, for several batch sizes."""
    rows = []
    for games in THREADED_GAMES:
        for name, make in PLAYED.items():
            players = [_stepping(make(games, threads=threads, copy=False)) for threads in (1, 2)]
            for player in players:
                player(plan.seconds / 2)
            pairs = [[player(plan.seconds) for player in players] for _ in range(plan.rounds)]
            quickest = [max(each["quickest"] for each in rates) for rates in zip(*pairs, strict=True)]
            rows.append(
                {
                    "name": name,
                    "games": games,
                    "with_draw": spread([one["with_draw"] for one, _ in pairs]),
                    "one": spread([one["alone"] for one, _ in pairs]),
                    "ratio": spread([two["alone"] / one["alone"] for one, two in pairs]),
                    "quickest": quickest,
                    "quickest_ratio": quickest[1] / quickest[0],
                }
            )
    return rows


def tries_of_both(opponent: str) -> float:
    """How many tries both sides make for one of the learner's, the opponent a kernel."""
    env = GameVectorEnv(ours.GAMES // 4, opponent, copy=False, render_mode="ansi")
    told = 0

    def note(_row: int) -> None:
        nonlocal told
        told += 1

    observations, _ = env.reset(seed=ours.SEED)
    vars(env.engine)["note"] = note
    stream, actions, own = np.array([ours.SEED], np.uint64), np.zeros(env.num_envs, np.int64), 0
    for _ in range(COUNTED_STEPS):
        random_actions(observations["action_mask"], stream, actions)
        begun = int(env.engine.batch.ended.sum())
        own += env.num_envs - begun
        told -= begun  # what the start of a new game tells
        env.step(actions)
    return told / own
