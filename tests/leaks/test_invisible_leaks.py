"""Invisible chess: what a seat is shown in two games of which it hears the same, in every interface."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache, partial
from typing import Any

import chess
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode

from ks_env.core.ruleset import Ruleset
from ks_env.envs.aec import raw_env
from ks_env.envs.sb3 import GameVecEnv
from ks_env.envs.solo import GameEnv
from ks_env.envs.vector import GameVectorEnv, SelfPlayVectorEnv
from ks_env.games.opening import Opening
from ks_env.players.registry import make_player
from tests.leaks.invisible_twins import InvisibleTwins, drawn_start, invisible_twins
from tests.leaks.scripted import ScriptEndsError, as_bytes

PAIRS = 3
Episode = Callable[[InvisibleTwins, list[int], Any], Iterator[Any]]


@pytest.mark.slow
def test_a_seat_is_shown_nothing_but_what_it_heard() -> None:
    counts: Counter[str] = Counter()
    for pair in invisible_twins(20, seed=1):
        counts.update(pair.differences)
    assert counts["comparisons"] > 150
    assert counts["hidden men"] > 70
    assert counts["lost turns with other tries"] > 1
    assert counts["tries not heard"] > 25
    for name in (
        "view record",
        "observation",
        "informed mask",
        "board",
        "picture",
    ):  # the owner is shown them
        assert counts[f"owner's {name}"] > 50, name


# -- the environments ----------------------------------------------------------------------------------------


class Scripted:
    """Plays a list of tries in its first game, and at random in those that an autoreset begins."""

    name = "scripted"
    games = ("InvisibleChess",)

    def __init__(self, tries: list[int]) -> None:
        self._tries = iter(tries)
        self._later: Any = make_player("random")
        self._games = 0

    def begin(self, opening: Opening) -> None:
        self._games += 1
        self._later.begin(opening)

    def choose(self, view: np.void) -> int:
        action: int | None = self._later.choose(view) if self._games > 1 else next(self._tries, None)
        if action is None:
            raise ScriptEndsError
        return action

    def hear(self, announcement: Any) -> None: ...


@cache
def finished_pairs() -> tuple[InvisibleTwins, ...]:
    """Pairs with hidden men elsewhere whose games have ended alike, as the seat has heard."""
    found: list[InvisibleTwins] = []
    count = 0
    while len(found) < PAIRS:
        rng = random.Random(f"finished invisible {count}")
        count += 1
        rules = Ruleset("invisible", says_nonsense=True, max_plies=rng.randrange(4, 16))
        pair = InvisibleTwins(*drawn_start(rng, rules), rng.random() < 0.5)
        differed = False
        while pair.advance(rng) and pair.same_history():
            differed = differed or pair.differ()
        if pair.over and pair.same_history() and differed:
            found.append(pair)
    return tuple(found)


def arguments(pair: InvisibleTwins) -> dict[str, Any]:
    game = pair.games[0]
    squares = []  # name the men, so that no choice is drawn
    for seat in (0, 1):
        ids = np.flatnonzero(start_ids(game.start_fen, pair.hidden, seat))
        squares.append(" ".join(chess.square_name(int(s)) for s in ids) or "none")
    return {
        "hidden": " v ".join(squares),
        "start": game.start_fen,
        "ruleset_options": {"max_plies": game.ruleset.max_plies},
        "seat": chess.COLOR_NAMES[pair.seat],
    }


def start_ids(fen: str, hidden: str, seat: int) -> np.ndarray:
    """Numbers of the seat's hidden men by absolute square, in the first choice of men."""
    from ks_env.games.invisible.hidden import parse_both
    from ks_env.games.invisible.start import start_rows

    starts, _ = start_rows([fen], *parse_both(hidden))
    own = starts[0]["truth"]["men"] >> 3 == seat
    return np.where(own, starts[0]["ids"], 0)


def split(pair: InvisibleTwins, game: int) -> tuple[list[int], list[int]]:
    """The tries of the seat and those of its opponent in one game of the pair."""
    env = partial(raw_env, game="InvisibleChess")(**{k: v for k, v in arguments(pair).items() if k != "seat"})
    env.reset(seed=0)
    sides: dict[bool, list[int]] = {True: [], False: []}
    for action in pair.asked[game]:
        sides[env.agent_selection == chess.COLOR_NAMES[pair.seat]].append(action)
        env.step(action)
    assert all(env.terminations.values()) or all(env.truncations.values())
    return sides[True], sides[False]


def solo(pair: InvisibleTwins, own: list[int], opponent: Any) -> Iterator[Any]:
    env = partial(GameEnv, game="InvisibleChess")(
        opponent=lambda: opponent, shaping="material", **arguments(pair)
    )
    yield env.reset(seed=5)
    for action in own:
        yield env.step(np.int64(action))


def vector(pair: InvisibleTwins, own: list[int], opponent: Any) -> Iterator[Any]:
    mode = AutoresetMode.DISABLED
    env = partial(GameVectorEnv, game="InvisibleChess")(
        1, lambda: opponent, autoreset_mode=mode, **arguments(pair)
    )
    yield env.reset(seed=5)
    for action in own:
        yield env.step(np.array([action]))


def vector_same_step(pair: InvisibleTwins, own: list[int], opponent: Any) -> Iterator[Any]:
    mode = AutoresetMode.SAME_STEP
    env = partial(GameVectorEnv, game="InvisibleChess")(
        1, lambda: opponent, autoreset_mode=mode, **arguments(pair)
    )
    yield env.reset(seed=5)
    for action in own:
        yield env.step(np.array([action]))[1:]


def sb3(pair: InvisibleTwins, own: list[int], opponent: Any) -> Iterator[Any]:
    env = partial(GameVecEnv, game="InvisibleChess")(1, lambda: opponent, seed=5, **arguments(pair))
    yield env.reset(), env.action_masks()
    for action in own:
        _, rewards, dones, infos = env.step(np.array([action]))
        yield rewards, dones, infos, None if dones.any() else env.action_masks()


def seen_by_learner(pair: InvisibleTwins, game: int, episode: Episode) -> list[Any]:
    own, other = split(pair, game)
    seen = []
    try:
        for value in episode(pair, own, Scripted(other)):
            seen.append(as_bytes(value))
    except ScriptEndsError:
        seen.append("the script ends")
    return seen


@pytest.mark.slow
@pytest.mark.parametrize("episode", [solo, vector, vector_same_step, sb3], ids=lambda e: e.__name__)
def test_against_an_opponent(episode: Episode) -> None:
    steps = 0
    for pair in finished_pairs():
        first, second = (seen_by_learner(pair, game, episode) for game in range(2))
        for step, (shown, other) in enumerate(zip(first, second, strict=True)):
            assert shown == other, (step, pair.transcript())
        steps += len(first)
    assert steps > 2 * PAIRS


def aec(pair: InvisibleTwins, game: int, seat: bool) -> list[Any]:
    """What `raw_env` shows the agent whenever it is to act, and at the end."""
    options = {key: value for key, value in arguments(pair).items() if key != "seat"}
    env, agent = partial(raw_env, game="InvisibleChess")(**options), chess.COLOR_NAMES[seat]
    env.reset(seed=5)
    seen = []
    for action in pair.asked[game]:
        if env.agent_selection == agent:
            seen.append(as_bytes((env.last(), env.infos[agent])))
        env.step(action)
    shown = env.observe(agent), env.infos[agent], env.rewards[agent], env.terminations[agent]
    seen.append(as_bytes((*shown, env.truncations[agent])))
    return seen


def self_play(pair: InvisibleTwins, game: int, colour: bool) -> list[Any]:
    """What `InvisibleSelfPlayVectorEnv` shows the seat at its own decisions, and at the end."""
    options = {key: value for key, value in arguments(pair).items() if key != "seat"}
    env = partial(SelfPlayVectorEnv, game="InvisibleChess")(
        1, autoreset_mode=AutoresetMode.DISABLED, **options
    )
    seat = 0 if colour == chess.WHITE else 1
    observation, info = env.reset(seed=5)
    seen = []
    for action in pair.asked[game]:
        if info["to_play"][0] == seat:
            seen.append(as_bytes((observation, info)))
        observation, rewards, terminated, truncated, info = env.step(np.array([action]))
    seen.append(as_bytes((env.observe(0, seat), rewards[0, seat], terminated, truncated)))
    return seen


@pytest.mark.parametrize("play", [aec, self_play], ids=lambda e: e.__name__)
def test_with_both_seats(play: Callable[[InvisibleTwins, int, bool], list[Any]]) -> None:
    owners = 0
    for pair in finished_pairs():
        first, second = (play(pair, game, pair.seat) for game in range(2))
        for step, (shown, other) in enumerate(zip(first, second, strict=True)):
            assert shown == other, (step, pair.transcript())
        owners += play(pair, 0, not pair.seat) != play(pair, 1, not pair.seat)
    assert owners == PAIRS  # whose men stand elsewhere sees it
