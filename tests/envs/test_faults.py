"""Bad use of the environments: a clear error, and nothing half done."""

from __future__ import annotations

import re
from typing import Any, cast

import chess
import gymnasium
import numpy as np
import pytest

from ks_env.core.ruleset import AskAny, PawnTries, Ruleset
from ks_env.envs.aec import raw_env
from ks_env.envs.parallel import parallel_env
from ks_env.envs.sb3 import GameVecEnv
from ks_env.envs.solo import GameEnv
from ks_env.envs.vector import GameVectorEnv, SelfPlayVectorEnv
from ks_env.games.kriegspiel.game import Game
from ks_env.games.kriegspiel.options import Options
from ks_env.players.registry import make_player


def test_no_step_before_the_reset() -> None:
    for env in (GameVectorEnv(2), SelfPlayVectorEnv(2)):
        with pytest.raises(gymnasium.error.ResetNeeded, match="call reset"):
            env.step(np.zeros(2, np.int64))
    with pytest.raises(gymnasium.error.ResetNeeded, match="call reset"):
        GameEnv().step(np.int64(0))
    with pytest.raises(gymnasium.error.ResetNeeded, match="call reset"):
        raw_env().step(0)
    with pytest.raises(gymnasium.error.ResetNeeded, match="call reset"):
        parallel_env().step({"white": 0})


SOLO, VECTOR, TURNS = (
    cast(Any, GameEnv),
    cast(Any, GameVectorEnv),
    cast(Any, raw_env),
)  # for arguments of other types
BAD: dict[str, tuple[Any, str]] = {
    "games as text": (lambda: VECTOR("3"), "num_envs is '3'; expected an integer"),
    "half a thread": (lambda: VECTOR(2, threads=1.5), "threads is 1.5; expected"),
    "seed with a point": (
        lambda: VECTOR(1).reset(seed=1.5),
        "seed is 1.5; expected an integer, 1 of them",
    ),
    "seeds with a point": (lambda: VECTOR(1).reset(seed=[1.7]), "seed 1.7 is no integer"),
    "seed as text": (lambda: TURNS().reset(seed="a"), "seed is 'a'; expected"),
    "seed of one game with a point": (lambda: SOLO().reset(seed=1.5), "seed 1.5 is no integer"),
    "seeds of one game": (lambda: SOLO().reset(seed=[1]), r"seed \[1\] is no integer"),
    "more games than there is memory for": (lambda: VECTOR(10**12), "an integer from 1 to 1,000,000"),
    "a list for a state": (lambda: VECTOR(1).engine.set_state([1]), r"has the parts '?\[1\]"),
    "a row that is not there": (lambda: VECTOR(1).observe(7, 0), "row is 7; expected an integer from 0 to 0"),
    "copies in words": (lambda: VECTOR(1, copy="yes"), "copy is 'yes'; expected True or False"),
    "autoreset": (lambda: VECTOR(1, autoreset_mode="x"), "unknown autoreset_mode 'x'; expected one of"),
    "options of reset": (lambda: VECTOR(1).reset(options=[]), r"options of reset are \[\]; expected"),
    "options of a ruleset": (lambda: SOLO(ruleset_options="x"), "ruleset_options is 'x'; expected names"),
    "actions without names": (lambda: step_in_parallel(5), "actions are 5; expected those of the agents"),
    "a ruleset's name for a ruleset": (
        lambda: Game(cast(Any, "icc")),
        "ruleset is 'icc'; expected a Ruleset",
    ),
    "no FEN": (lambda: Game(fen=cast(Any, 3)), "bad FEN 3: expected text"),
    "no player's name": (lambda: make_player(cast(Any, None)), "player None: expected a name"),
    "boards without end": (
        lambda: make_player(f"advisors:boards={10**24}"),
        "expected an integer from 1 to 1,000,000",
    ),
    "nodes without end": (
        lambda: make_player(f"mcts-c:nodes={10**24}"),
        "expected an integer from 1 to 10,000,000",
    ),
    "metapositions without end": (
        lambda: make_player(f"darkboard:metapositions={10**20}"),
        "expected an integer from 1 to 1,000,000,000,000",
    ),
    "buffer as list": (
        lambda: VECTOR(1).bind(observations=[1]),
        r"buffer 'observations' is \[1\]; expected",
    ),
    "start in words": (lambda: SOLO(hidden_start="yes"), "hidden_start is 'yes'; expected True or False"),
    "reward past f4": (
        lambda: SOLO(shaping={"pawn": 1e39, "piece": 0}),
        r"shaping\['pawn'\] is 1e\+39; expected a finite number, at most 3.4e\+38",
    ),
    "discount past f4": (lambda: SOLO(shaping="material", shaping_gamma=1e39), "shaping_gamma is 1e"),
}


@pytest.mark.parametrize("what", BAD)
def test_bad_input_is_named(what: str) -> None:
    make, message = BAD[what]
    with pytest.raises(ValueError, match=message):
        make()


def test_a_saved_state_holds_arrays_that_are_as_they_were_saved() -> None:
    env = GameVectorEnv(2)
    env.reset(seed=1)
    state = env.engine.get_state()
    with pytest.raises(ValueError, match="'games' is a list; expected an array"):
        env.engine.set_state(state | {"games": cast(Any, [1])})
    state["games"]["truth"]["past"] = 10**9
    with pytest.raises(ValueError, match="its arrays are not as they were saved"):
        env.engine.set_state(state)
    env.step(np.zeros(2, np.int64))


def step_in_parallel(actions: Any) -> None:
    env = parallel_env()
    env.reset(seed=1)
    env.step(actions)


def test_an_opponent_may_choose_a_number_that_no_memory_has_room_for() -> None:
    env = GameEnv(lambda: Chooses(10**30), seat="black", ruleset_options={"max_tries": 2})
    env.reset(seed=1)  # nonsense to the referee, twice: it has lost
    assert int(env.engine.batch.games["truth"]["winner"][0]) == 1


class Chooses:
    """A player that always gives the same answer."""

    name = "stuck"

    def __init__(self, answer: Any) -> None:
        self.answer = answer

    def begin(self, opening: Any) -> None:
        """Nothing to get ready."""

    def choose(self, view: Any) -> Any:
        """The answer."""
        return self.answer


@pytest.mark.parametrize("answer", [None, "e4", 3.7, [1]])
def test_an_opponent_that_chooses_no_try_is_named(answer: Any) -> None:
    env = GameEnv(lambda: Chooses(answer), seat="black")
    with pytest.raises(ValueError, match=f"player 'stuck' chose {re.escape(repr(answer))}; expected"):
        env.reset(seed=1)


def test_actions_are_integers() -> None:
    solo, vector, learner = GameEnv(), GameVectorEnv(2), GameVecEnv(2)
    solo.reset(seed=1)
    vector.reset(seed=1)
    learner.reset()
    with pytest.raises(TypeError, match="float64; expected integers"):
        solo.step(0.7)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="float64; expected integers"):
        vector.step(np.array([0.7, 3.7]))
    with pytest.raises(TypeError, match="float32; expected integers"):
        learner.step(np.zeros(2, np.float32))
    with pytest.raises(ValueError, match=r"shape \(3,\); expected \(2,\)"):
        vector.step(np.zeros(3, np.int64))


def test_a_number_outside_the_action_space_is_nonsense() -> None:
    env = GameEnv("random", seat="white", ruleset="berkeley")
    before, _ = env.reset(seed=1)
    for action in (99_999, -1, 1859):
        after, reward, terminated, truncated, _ = env.step(np.int64(action))
        assert (reward, terminated, truncated) == (0.0, False, False)
        assert np.array_equal(after["action_mask"], before["action_mask"])


def test_a_failed_change_of_opponent_changes_nothing() -> None:
    env = GameVectorEnv(2, opponent="capture")
    before = int(env.engine.batch.settings["opponent"][0])
    with pytest.raises(ValueError, match="unknown player 'captur'"):
        env.set_opponent("captur")
    assert int(env.engine.batch.settings["opponent"][0]) == before


@pytest.mark.parametrize("make", [raw_env, SelfPlayVectorEnv])
def test_no_seat_where_both_are_the_callers(make: Any) -> None:
    with pytest.raises(TypeError, match="seat has no meaning"):
        make(seat="white")


@pytest.mark.parametrize(
    ("options", "error"),
    [
        (
            {"ruleset_options": {"pawn_tries": "counted"}},
            "pawn_tries is 'counted'; expected one of none, count",
        ),
        ({"ruleset_options": {"ask_any": 1}}, "ask_any is 1; expected one of none, until_legal"),
        ({"ruleset_options": {"fifty_moves": "no"}}, "fifty_moves is 'no'; expected True or False"),
        ({"ruleset_options": {"max_plies": True}}, "max_plies is True; expected an integer"),
        ({"shaping": {"pawn": "x", "piece": 1}}, r"shaping\['pawn'\] is 'x'; expected a finite number"),
        ({"shaping": {"pawn": 1}}, "unknown shaping"),
        ({"shaping_gamma": float("nan")}, "shaping_gamma is nan; expected a finite number"),
        ({"start": 5}, "start is 5; expected a FEN or a list"),
        ({"start": [5]}, r"start is \[5\]; expected a FEN or a list"),
        ({"seat": "green"}, "unknown seat 'green'"),
        ({"mask": "all"}, "unknown mask 'all'"),
    ],
)
def test_options_are_refused_by_name(options: dict[str, Any], error: str) -> None:
    with pytest.raises(ValueError, match=error):
        GameEnv(**options)


def test_enums_may_be_named() -> None:
    rules = Ruleset.named("berkeley", pawn_tries="count", ask_any="one_try")
    assert rules.pawn_tries is PawnTries.COUNT
    assert rules.ask_any is AskAny.ONE_TRY


def test_the_drawn_start_is_told_unless_hidden() -> None:
    fens = ["8/8/8/3k4/8/8/8/KR6 w - - 0 1", "8/8/8/8/5k2/8/8/KR6 w - - 0 1"]
    env = GameVectorEnv(16, start=fens, seat="white")
    _, infos = env.reset(seed=1)
    assert set(infos["start"].tolist()) == {0, 1}
    at_d5 = env.engine.batch.games["truth"]["men"][:, chess.D5] != 0
    assert at_d5.tolist() == (infos["start"] == 0).tolist()
    _, hidden = GameVectorEnv(16, start=fens, hidden_start=True).reset(seed=1)
    assert (hidden["start"] == -1).all()


def test_a_view_leads_to_nothing_else() -> None:
    """The record that a player is handed has no way back to the arrays of the game."""
    seen: list[Any] = []

    class Curious:
        name = "curious"
        compiled = False

        def begin(self, *_: Any) -> None:
            pass

        def hear(self, *_: Any) -> None:
            pass

        def choose(self, view: np.void) -> int:
            seen.append(view)
            return 0

    env = GameEnv(Curious, seat="black", ruleset_options={"max_tries": 2})
    env.reset(seed=1)
    assert seen
    for view in seen:
        below: Any = view
        while below is not None:
            assert "truth" not in (getattr(below, "dtype", view.dtype).names or ())
            below = getattr(below, "base", None)
    assert Options().rules().max_tries == 256
