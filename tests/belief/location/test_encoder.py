"""The encoder `location`: its planes beside the record, in every interface."""

from __future__ import annotations

import random
from typing import Any

import chess
import numpy as np
import pytest

from ks_env.belief.encoders import Encoder, make_encoder
from ks_env.belief.inputs import SeatPlanes
from ks_env.belief.location import follow_map, open_map
from ks_env.belief.location.answers import control_map
from ks_env.belief.location.encoder import PLANES, LocationEncoder
from ks_env.belief.location.layout import RATES
from ks_env.belief.profile import shipped_drifts
from ks_env.core.ruleset import RULESETS
from ks_env.envs.vector import GameVectorEnv
from ks_env.games import kriegspiel
from ks_env.games.kriegspiel.game import Game
from ks_env.games.kriegspiel.planes import COUNT

Planes = np.ndarray[Any, Any]


@pytest.fixture(scope="module")
def encoder() -> LocationEncoder:
    return LocationEncoder()


def wanted(place: Any) -> Planes:
    """All planes, in numpy."""
    empty, control = np.zeros(64, np.float32), np.zeros((2, 64), np.float32)
    control_map(place["maps"], place["known"]["own"][0], empty, control)
    out = np.concatenate([place["maps"] * 255, np.minimum(control[:1] * 64, 255)])
    return np.asarray(np.minimum(np.floor(out + 0.5), 255), np.uint8).reshape(4, 8, 8)


@pytest.mark.parametrize("ruleset", RULESETS)
def test_planes_are_those_of_the_record(ruleset: str, encoder: LocationEncoder) -> None:
    game, rng, rules = Game(RULESETS[ruleset]), random.Random(3), RULESETS[ruleset].record()[0]
    seats = {colour: SeatPlanes(encoder) for colour in chess.COLORS}
    records: dict[bool, Any] = {c: np.array(open_map([chess.STARTING_FEN], c)) for c in chess.COLORS}
    scratch = np.zeros((4, 64), np.float32)
    for colour, seat in seats.items():
        seat.begin(kriegspiel.opening(colour, RULESETS[ruleset]))
    tries = 0
    while game.to_play is not None and tries < 150:
        mover = game.to_play
        view = game.view(mover)
        planes = seats[mover].planes(view, rules)[COUNT:]
        follow_map(records[mover][()], view, rules, RATES, shipped_drifts(), scratch)
        assert np.abs(planes.astype(int) - wanted(records[mover][()]).astype(int)).max() <= 1
        game.ask(rng.choice(np.flatnonzero(game.mask(mover)).tolist()))
        tries += 1
    assert tries > 30


def test_it_is_found_by_its_name() -> None:
    made = make_encoder("location")
    assert isinstance(made, LocationEncoder)
    assert isinstance(made, Encoder)
    assert made.memory.itemsize > 0
    assert [plane.name for plane in PLANES] == ["king's chance", "pawn's chance", "piece's chance", "control"]
    assert all(plane.high == 255 for plane in PLANES)


def test_hidden_starts_share_the_chance(encoder: LocationEncoder) -> None:
    krk = [f"8/8/8/{row}/8/8/8/KR6 w - - 0 1" for row in ("3k4", "4k3", "5k2")]
    env = GameVectorEnv(12, "random", seat="white", encoder=encoder, start=krk, hidden_start=True)
    planes = env.reset(seed=1)[0]["observation"][:, COUNT:]
    assert len(set(env.engine.batch.games["truth"]["start"].tolist())) == 3
    assert (planes == planes[0]).all()
    assert planes[0, 0].ravel()[[chess.D5, chess.E5, chess.F5]].tolist() == [85, 85, 85]


def test_a_memory_of_another_game_is_refused(encoder: LocationEncoder) -> None:
    game, seat = Game(), SeatPlanes(encoder)
    seat.begin(kriegspiel.opening(chess.WHITE, game.ruleset))
    for move in ("e2e4", "e7e5", "g1f3", "b8c6"):
        game.ask(move)
    with pytest.raises(ValueError, match="cannot follow its view"):
        seat.planes(game.view(chess.WHITE), game.ruleset.record()[0])
