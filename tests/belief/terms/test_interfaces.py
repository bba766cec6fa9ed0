"""Terms of tries in every interface: one description of one game, wherever it is played."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any, NamedTuple

import chess
import numpy as np
import pytest

from ks_env.belief.terms import MOST_PADDED, Terms, Tries, padded, room_for, taken, terms_names
from ks_env.core.actions import ACTIONS
from ks_env.core.ruleset import RULESETS, Ruleset
from ks_env.envs.aec import raw_env
from ks_env.envs.solo import GameEnv
from ks_env.envs.vector import GameVectorEnv, SelfPlayVectorEnv
from ks_env.games import kriegspiel
from ks_env.games.kriegspiel.game import Game
from tests.belief.terms.seat import PRESETS, SeatTries, bytes_of, preset
from tests.envs.play import SHORT, draw, same
from tests.leaks.scripted import Scripted

ANY = ACTIONS - 1
SEATS = {0: "white", 1: "black"}
PADDED = ("tries", "terms", "state")


def wide(observation: Any) -> dict[str, Any]:
    """The tries of one seat out of an observation."""
    return {key: np.asarray(observation[key]) for key in PADDED}


def alike(a: dict[str, Any], b: dict[str, Any]) -> bool:
    return all((np.asarray(a[key]) == np.asarray(b[key])).all() for key in PADDED)


def test_they_are_found_by_name() -> None:
    assert set(PRESETS) <= set(terms_names())
    for name in PRESETS:
        made = preset(name)
        assert isinstance(made, Terms)
        for terms in (made.tries, made.states):
            assert len({term.name for term in terms}) == len(terms)
            assert all(term.meaning for term in terms)


@pytest.mark.parametrize("game", ["InvisibleChess", "DarkChess"])
@pytest.mark.parametrize("name", PRESETS)
def test_they_are_for_kriegspiel(name: str, game: str) -> None:
    with pytest.raises(ValueError, match=f"is for Kriegspiel; expected an encoder or terms for {game}"):
        GameVectorEnv(1, game=game, terms=name)


def test_unknown_terms_are_refused() -> None:
    with pytest.raises(ValueError, match=r"unknown terms 'cooked'; expected Terms or one of: .*raw"):
        GameEnv(terms="cooked")
    with pytest.raises(ValueError, match="no terms of tries are worked out"):
        GameVectorEnv(1).tries()


# -- one game ------------------------------------------------------------------------------------------------


class Played(NamedTuple):
    """A game of self-play, and what was said of it."""

    asked: list[tuple[int, int]]  # seat and action
    seen: list[dict[str, Any]]  # before each of them, padded


@cache
def played(name: str, ruleset: str) -> Played:
    env = SelfPlayVectorEnv(1, terms=name, ruleset=ruleset, ruleset_options=SHORT, autoreset_mode="Disabled")
    rng, asked, seen = np.random.default_rng(4), [], []
    observation, info = env.reset(seed=1)
    over = False
    while not over:
        action = int(draw(info["action_mask"], rng, wild=0.1)[0])
        seen.append({key: array[0] for key, array in wide(observation).items()})
        asked.append((int(info["to_play"][0]), action))
        observation, _, ended, cut, info = env.step(np.array([action]))
        over = bool(ended[0] or cut[0])
    assert len(asked) > 20
    return Played(asked, seen)


def of_seat(game: Played, seat: int) -> tuple[list[int], list[dict[str, Any]]]:
    own = [i for i, (who, _) in enumerate(game.asked) if who == seat]
    return [game.asked[i][1] for i in own], [game.seen[i] for i in own]


@pytest.mark.parametrize("ruleset", ["icc", "berkeley-any"])
@pytest.mark.parametrize("name", PRESETS)
def test_every_interface_describes_one_game_alike(name: str, ruleset: str) -> None:
    game = played(name, ruleset)
    options: dict[str, Any] = {"terms": name, "ruleset": ruleset, "ruleset_options": SHORT}
    aec = raw_env(**options)
    aec.reset(seed=1)
    rules = Ruleset.named(ruleset, **SHORT)
    single = Game(rules)
    seats = [SeatTries(preset(name), kriegspiel.opening(colour, rules)) for colour in (True, False)]
    for (seat, action), seen in zip(game.asked, game.seen, strict=True):
        assert aec.agent_selection == SEATS[seat]
        assert alike(aec.observe(SEATS[seat]), seen)
        waiting = aec.observe(SEATS[1 - seat])
        assert (waiting["tries"] == -1).all()
        assert not waiting["terms"].any()
        tries = seats[seat].tries(single.view(seat == 0), rules)
        assert alike({key: array[0] for key, array in padded(tries).items()}, seen)
        aec.step(action)
        single.ask(action)
    for seat in (0, 1):
        own, seen_by_seat = of_seat(game, seat)
        theirs = of_seat(game, 1 - seat)[0]
        for found in against(own, theirs, SEATS[seat], options):
            assert len(found) >= len(own)
            assert all(alike(a, b) for a, b in zip(found, seen_by_seat, strict=False))


def against(own: list[int], theirs: list[int], seat: str, options: Any) -> Iterator[list[dict[str, Any]]]:
    """What one seat is told while an opponent plays its part: by the solo and by the vector environment."""
    solo = GameEnv(lambda: Scripted(theirs), seat=seat, **options)
    found = [wide(solo.reset(seed=1)[0])]
    for action in own:
        found.append(wide(solo.step(np.int64(action))[0]))
    yield found
    vector = GameVectorEnv(1, lambda: Scripted(theirs), seat=seat, autoreset_mode="Disabled", **options)
    found = [wide(vector.reset(seed=1)[0])]
    for action in own:
        found.append(wide(vector.step(np.array([action]))[0]))
    yield [{key: array[0] for key, array in each.items()} for each in found]


# -- many games ----------------------------------------------------------------------------------------------


def ragged(rows: int, name: str = "raw", **options: Any) -> SelfPlayVectorEnv:
    options = {"autoreset_mode": "SameStep", "ruleset_options": SHORT} | options
    return SelfPlayVectorEnv(rows, terms=name, ragged_tries=True, **options)


def kept(tries: Tries) -> Tries:
    return taken(tries, np.arange(len(tries.state)))


def run(env: Any, steps: int, seed: int = 3) -> list[Tries]:
    rng = np.random.default_rng(seed)
    info = env.reset(seed=seed)[-1]
    found = [kept(env.tries())]
    for _ in range(steps):
        info = env.step(draw(info["action_mask"], rng))[-1]
        found.append(kept(env.tries()))
    return found


@pytest.mark.parametrize("mask", ["informed", "own-board"])
@pytest.mark.parametrize("ruleset", RULESETS)
@pytest.mark.parametrize("name", PRESETS)
def test_actions_are_those_of_the_mask(name: str, ruleset: str, mask: str) -> None:
    env, rng = ragged(4, name, ruleset=ruleset, mask=mask), np.random.default_rng(2)
    info = env.reset(seed=2)[-1]
    terms = preset(name)
    flag = [term.name for term in terms.tries].index("any")
    asked = 0
    for _ in range(60):
        tries, masks = env.tries(), info["action_mask"]
        row, action = masks.nonzero()
        assert (action == tries.actions).all()
        assert (np.bincount(row, minlength=4) == np.diff(tries.offsets)).all()
        assert tries.terms.shape == (len(action), len(terms.tries))
        assert tries.state.shape == (4, len(terms.states))
        assert np.isfinite(tries.terms).all()
        assert np.isfinite(tries.state).all()
        assert np.abs(tries.terms).max() <= 10
        assert ((tries.actions == ANY) == (tries.terms[:, flag] == 1)).all()
        assert (tries.terms[tries.actions == ANY].sum(1) == 1).all()
        asked += int((tries.actions == ANY).sum())
        info = env.step(draw(masks, rng, wild=0.05))[-1]
    assert bool(asked) == (RULESETS[ruleset].record()[0]["ask_any"] != 0)


@pytest.mark.parametrize("name", PRESETS)
def test_a_second_description_of_one_view_changes_nothing(name: str) -> None:
    rules, rng, terms = RULESETS["icc"], np.random.default_rng(5), preset(name)
    game, seats = Game(rules), {c: SeatTries(terms, kriegspiel.opening(c, rules)) for c in chess.COLORS}
    for _ in range(40):
        mover = game.to_play
        if mover is None:
            break
        for colour, seat in seats.items():
            first = bytes_of(seat.tries(game.view(colour), rules))
            memory = seat.memory.tobytes()
            assert bytes_of(seat.tries(game.view(colour), rules)) == first
            assert seat.memory.tobytes() == memory
        game.ask(int(draw(game.mask(mover)[None], rng)[0]))


@pytest.mark.parametrize("name", PRESETS)
def test_a_memory_that_was_not_followed_is_refused(name: str) -> None:
    game = Game()
    seat = SeatTries(preset(name), kriegspiel.opening(chess.WHITE, game.ruleset))
    for move in ("e2e4", "e7e5", "g1f3", "b8c6"):
        game.ask(move)
    with pytest.raises(ValueError, match="the memory of row 0 cannot follow its view"):
        seat.tries(game.view(chess.WHITE), game.ruleset)


@pytest.mark.parametrize("name", PRESETS)
@pytest.mark.parametrize("self_play", [False, True])
def test_rows_and_threads_are_alike(name: str, self_play: bool) -> None:
    def make(rows: int, threads: int = 1) -> Any:
        if self_play:
            return ragged(rows, name, threads=threads)
        options: dict[str, Any] = {"ruleset_options": SHORT, "autoreset_mode": "SameStep"}
        return GameVectorEnv(rows, terms=name, ragged_tries=True, threads=threads, **options)

    one, two = run(make(5), 50), run(make(5, threads=2), 50)
    assert [bytes_of(tries) for tries in one] == [bytes_of(tries) for tries in two]


def test_padded_is_ragged_with_nothing_behind() -> None:
    tries = run(ragged(6), 30)[-1]
    out = padded(tries)
    assert out["tries"].shape == (6, MOST_PADDED)
    for row in range(6):
        own = slice(tries.offsets[row], tries.offsets[row + 1])
        n = own.stop - own.start
        assert (out["tries"][row, :n] == tries.actions[own]).all()
        assert (out["terms"][row, :n] == tries.terms[own]).all()
        assert (out["tries"][row, n:] == -1).all()
        assert not out["terms"][row, n:].any()
    assert (out["state"] == tries.state).all()
    with pytest.raises(ValueError, match=r"a seat has .* tries; expected at most 3"):
        padded(tries, 3)
    some = np.array([4, 1])
    both = taken(tries, some)
    assert same(padded(both), {key: array[some] for key, array in out.items()})


@pytest.mark.parametrize("name", PRESETS)
def test_the_last_observation_of_a_game_has_the_one_ignored_try(name: str) -> None:
    """Begun anew in the same step, and left as it is: one last state."""
    options: dict[str, Any] = {"terms": name, "ruleset_options": {"max_plies": 8}, "seat": "white"}
    anew = GameVectorEnv(3, "random", autoreset_mode="SameStep", **options)
    left = GameVectorEnv(3, "random", autoreset_mode="Disabled", **options)
    rng, ended = np.random.default_rng(1), np.zeros(3, bool)
    info = anew.reset(seed=1)[-1]
    left.reset(seed=1)
    while not ended.all():
        actions = draw(info["action_mask"], rng)
        *_, info = anew.step(actions)
        last, _, over, cut, _ = left.step(actions)
        for row in np.flatnonzero((over | cut) & ~ended):
            final = info["final_obs"][row]
            assert final["tries"][0] == 0  # the action that is ignored
            assert (final["tries"][1:] == -1).all()
            assert not final["terms"].any()
            assert final["state"].any()
            assert alike(final, {key: array[row] for key, array in wide(last).items()})
            assert final.keys() == last.keys()
        ended |= over | cut


@pytest.mark.parametrize("name", PRESETS)
def test_a_saved_state_goes_on_with_its_terms(name: str) -> None:
    env, rng = ragged(3, name), np.random.default_rng(6)
    info = env.reset(seed=6)[-1]
    for _ in range(15):
        info = env.step(draw(info["action_mask"], rng))[-1]
    saved, other = env.engine.get_state(), ragged(3, name)
    other.engine.set_state(saved)
    assert bytes_of(other.tries()) == bytes_of(env.tries())
    for _ in range(10):
        actions = draw(info["action_mask"], rng)
        info = env.step(actions)[-1]
        other.step(actions)
        assert bytes_of(other.tries()) == bytes_of(env.tries())


def test_spaces_hold_what_is_observed() -> None:
    env = GameVectorEnv(2, "random", terms="raw")
    assert env.observation_space.contains(env.reset(seed=1)[0])
    agents = raw_env(terms="raw")
    agents.reset(seed=1)
    for agent in agents.agents:
        assert agents.observation_space(agent).contains(agents.observe(agent))
    solo = GameEnv(terms="raw")
    assert solo.observation_space.contains(solo.reset(seed=1)[0])


def test_the_room_is_overwritten() -> None:
    """What lay in the arrays before shows nowhere."""
    game = Game()
    for name in PRESETS:
        terms, found = preset(name), []
        for filler in (0, 7):
            room, views = room_for(terms, 1), np.zeros(1, game.view(True).dtype)
            views[0] = game.view(chess.WHITE)
            for array in room[1:]:
                array[...] = filler
            memory = np.zeros(1, terms.memory)
            memory[0] = terms.begin(kriegspiel.opening(chess.WHITE))
            terms.describe(views, memory, game.ruleset.record()[0], 1, room)
            total = room.offsets[-1]
            found.append((room.actions[:total].tobytes(), room.terms[:total].tobytes(), room.state.tobytes()))
        assert found[0] == found[1]
