"""What can be asked of the environments of invisible chess alone: hidden men, and encoders that know it."""

from __future__ import annotations

from functools import partial
from typing import Any

import chess
import gymnasium
import numpy as np
import pytest

from ks_env.belief.encoders import NO_MEMORY
from ks_env.belief.inputs import SeatPlanes
from ks_env.core.actions import text_to_action
from ks_env.core.planes import Plane
from ks_env.envs.solo import GameEnv
from ks_env.envs.vector import GameVectorEnv, SelfPlayVectorEnv
from ks_env.games.invisible.hidden import parse_both
from ks_env.games.invisible.options import InvisibleOptions
from ks_env.games.invisible.planes import TABLE
from ks_env.games.opening import Opening
from tests.envs.play import draw, same


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"hidden": "2B"}, "expected White's and Black's, such as '2B v 1R'"),
        ({"hidden": "3B v none"}, "3 hidden bishops of white asked for; there are 2"),
        ({"hidden": "K v none"}, "'K' cannot be hidden"),
        ({"hidden": "e4 v none"}, "no man of white that can be hidden stands on e4"),
        ({"hidden": 3}, "hidden is 3; expected words such as '2B v 1R', or two HiddenMen"),
        ({"hidden": ("2B", "2B")}, "expected words such as '2B v 1R', or two HiddenMen"),
        ({"ruleset_options": {"pawn_tries": "count"}}, "unknown ruleset option 'pawn_tries' in invisible"),
        ({"ruleset_options": {"max_plies": 0}}, "Ruleset.max_plies is 0"),
        ({"start": "nowhere"}, "bad FEN 'nowhere'"),
        ({"start": []}, "no start position given"),
        ({"seat": "red"}, "unknown seat 'red'"),
        ({"mask": "none"}, "unknown mask 'none'"),
        (
            {"encoder": "metaposition"},
            "^MetapositionEncoder is for Kriegspiel; expected an encoder or terms for InvisibleChess",
        ),
        ({"opponent": "captur"}, r"unknown player 'captur' \(did you mean 'capture'\?\)"),
        ({"opponent": "darkboard"}, "the player 'darkboard' does not play InvisibleChess; expected one of"),
    ],
)
def test_bad_arguments(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        partial(GameEnv, game="InvisibleChess")(**arguments)


@pytest.mark.parametrize("argument", [{"ruleset": "icc"}, {"hidden_start": True}])
def test_what_belongs_to_kriegspiel_alone(argument: dict[str, Any]) -> None:
    with pytest.raises(TypeError, match="unexpected keyword argument"):
        partial(GameEnv, game="InvisibleChess")(**argument)
    with pytest.raises(TypeError, match="seat has no meaning"):
        partial(SelfPlayVectorEnv, game="InvisibleChess")(2, seat="white")


def test_one_side_may_be_named_alone() -> None:
    both = InvisibleOptions(hidden="2B v 1R").starts()
    for options in (InvisibleOptions(white="BB", black="R"), InvisibleOptions(hidden="2B v Q", black="R")):
        rows, fens = options.starts()
        assert fens == both[1]
        assert (rows["ids"] == both[0]["ids"]).all()
    with pytest.raises(ValueError, match="'K' cannot be hidden"):
        InvisibleOptions(white="K").starts()


def test_hidden_men_in_words_and_as_values() -> None:
    by_words = InvisibleOptions(hidden="1N v 2R").starts()
    by_value = InvisibleOptions(hidden=parse_both("1N v 2R")).starts()
    assert len(by_words[0]) == 2  # one of the knights
    assert by_words[0].tobytes() == by_value[0].tobytes()
    assert by_words[1] == [chess.STARTING_FEN] * 2


def test_which_men_are_hidden_is_drawn_for_each_game() -> None:
    env = gymnasium.make("ks_env/InvisibleChess-v0", hidden="N v R", seat="white", start=FENS_WITH_BOTH)
    drawn = []
    env.reset(seed=1)
    for _ in range(80):
        observation, info = env.reset()
        own = observation["observation"][TABLE.channel("own hidden men")]
        drawn.append((int(info["start"]), int(np.flatnonzero(own)[0])))
    assert {start for start, _ in drawn} == set(range(5))  # two knights by two rooks; one in the other start
    assert {square for _, square in drawn} == {chess.B1, chess.G1}


FENS_WITH_BOTH = ["r3k2r/p7/8/8/8/8/P7/1N2K1N1 w - - 0 1", "4k2r/p7/8/8/8/8/P7/1N2K3 w - - 0 1"]


def test_masks_of_both_levels() -> None:
    fen = "4k3/8/8/8/4r3/8/8/R3K3 w Q - 0 1"
    levels = [
        partial(GameEnv, game="InvisibleChess")(
            seat="white", mask=level, hidden="none v none", start=fen
        ).reset(seed=0)[1]
        for level in ("informed", "own-board")
    ]
    informed, own = (info["action_mask"] for info in levels)
    assert (informed <= own).all()
    assert own[text_to_action("a1a8", chess.WHITE)] > informed[text_to_action("a1a8", chess.WHITE)]


# -- encoders ------------------------------------------------------------------------------------------------


class Unseen:
    """One plane without a memory: how many hidden men of the opponent are left."""

    games = ("InvisibleChess",)
    planes: tuple[Plane, ...] = (Plane("unseen", 15, True, "hidden men of the opponent"),)

    memory = NO_MEMORY

    def begin(self, opening: Opening) -> Any:
        raise AssertionError("there is no memory to begin")

    def observe(self, views: Any, memory: Any, rules: Any, out: Any) -> None:
        out[:, 0] = (views["unseen"] != 0).sum(1)[:, None, None]


class Turns:
    """One plane with a memory: the hidden men at the start, and turns that the opponent has lost since."""

    games = ("InvisibleChess",)
    planes: tuple[Plane, ...] = (Plane("turns", 255, True, "a count"),)
    memory: np.dtype[Any] = np.dtype([("hidden", "u1"), ("moves", "u2"), ("lost", "u1")])

    def begin(self, opening: Opening) -> Any:
        record = np.zeros((), self.memory)
        record["hidden"] = (opening.view["unseen"] != 0).sum()
        return record

    def observe(self, views: Any, memory: Any, rules: Any, out: Any) -> None:
        for i, (view, record) in enumerate(zip(views, memory, strict=True)):
            if record["moves"] != view["moves"]:
                record["moves"] = view["moves"]
                record["lost"] += view["their_turn"] == 3
            out[i, 0] = 16 * record["hidden"] + record["lost"]


@pytest.mark.parametrize("mode", ["NextStep", "SameStep"])
def test_encoders(mode: str) -> None:
    env = partial(GameVectorEnv, game="InvisibleChess")(
        4, "random", hidden="2N v 2N", encoder=Turns(), autoreset_mode=mode, ruleset_options={"max_plies": 20}
    )
    rng, lost = np.random.default_rng(0), 0
    observations, infos = env.reset(seed=1)
    for _ in range(80):
        assert observations in env.observation_space
        extra = observations["observation"][:, TABLE.count]
        assert (extra >> 4 == 2).all()
        lost += int((extra & 15).max() > 0)
        observations, *_, infos = env.step(draw(infos["action_mask"], rng))
    assert lost > 0


def test_an_encoder_without_a_memory() -> None:
    env = partial(SelfPlayVectorEnv, game="InvisibleChess")(2, hidden="2N v Q", encoder=Unseen())
    observations, _ = env.reset(seed=1)
    assert (observations["observation"][:, TABLE.count] == 1).all()
    assert (env.observe(0, 1)["observation"][TABLE.count] == 2).all()


@pytest.mark.parametrize("encoder", [Unseen(), Turns()])
def test_an_encoder_of_invisible_chess_is_none_of_kriegspiel(encoder: Any) -> None:
    with pytest.raises(ValueError, match="expected an encoder or terms for Kriegspiel"):
        GameVectorEnv(2, encoder=encoder)


def test_planes_of_one_seat_outside_of_an_environment() -> None:
    env = partial(GameVectorEnv, game="InvisibleChess")(
        1, hidden="2N v 2N", encoder=Turns(), seat="white", start=FENS_OF_KNIGHTS
    )
    observations, _ = env.reset(seed=3)
    followed = SeatPlanes(Turns())
    start = env.engine.batch.starts[0]["views"][0].copy()
    followed.begin(Opening(env.engine.game_played, True, env.engine.rules, (FENS_OF_KNIGHTS,), start))
    view, rules = env.engine.batch.games[0]["views"][0], env.engine.batch.rules[0]
    assert same(followed.planes(view, rules), observations["observation"][0])


FENS_OF_KNIGHTS = "1n2k1n1/p7/8/8/8/8/P7/1N2K1N1 w - - 0 1"
