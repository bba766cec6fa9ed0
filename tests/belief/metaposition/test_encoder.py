"""The encoder `metaposition`: its planes beside the record and the true position, in every interface."""

from __future__ import annotations

import math
import random
from typing import Any

import chess
import numpy as np
import pytest

from ks_env.belief.encoders import Encoder, make_encoder
from ks_env.belief.inputs import SeatPlanes
from ks_env.belief.metaposition.encoder import AGE, ENTROPY, PLANES, MetapositionEncoder
from ks_env.belief.metaposition.follow import follow, opening
from ks_env.belief.metaposition.layout import square_entropy
from ks_env.core.ruleset import RULESETS, Ruleset
from ks_env.envs.sb3 import GameVecEnv
from ks_env.envs.vector import GameVectorEnv, SelfPlayVectorEnv
from ks_env.games import kriegspiel
from ks_env.games.kriegspiel.game import Game
from ks_env.games.kriegspiel.planes import COUNT
from tests.envs.play import draw
from tests.starts import draw_start

Planes = np.ndarray[Any, Any]
KRK = ["8/8/8/3k4/8/8/8/KR6 w - - 0 1", "8/8/8/8/5k2/8/8/KR6 w - - 0 1", "8/8/4k3/8/8/8/8/KR6 w - - 0 1"]


@pytest.fixture(scope="module")
def encoder() -> MetapositionEncoder:
    return MetapositionEncoder()


def wanted(metaposition: Any) -> Planes:
    """All planes, square by square in Python."""
    out = np.zeros((9, 64), np.uint8)
    for square in range(64):
        for kind in range(7):
            out[kind, square] = int(metaposition["ghosts"][kind]) >> square & 1
        out[AGE, square] = metaposition["age"][square]
        share = square_entropy(metaposition, square)
        out[ENTROPY, square] = min(255, math.floor(64 * math.sqrt(share) + 1e-4))
    return out.reshape(9, 8, 8)


def contains(planes: Planes, board: chess.Board, colour: bool) -> None:
    """The true position is among those that the planes leave open."""
    for square in chess.SQUARES:
        own = square if colour else square ^ 56
        here = planes[:, own >> 3, own & 7]
        piece = board.piece_at(square)
        if piece is None:
            assert here[0], (board.fen(), chess.square_name(square))
        elif piece.color != colour:
            assert here[piece.piece_type], (board.fen(), chess.square_name(square))
        else:
            assert not here[:7].any()


def play(ruleset: Ruleset, start: str, seed: int, most: int = 160) -> int:
    """A game of random tries; both seats' planes are compared at every try."""
    game, rng = Game(ruleset, start), random.Random(seed)
    seats = {colour: SeatPlanes(MetapositionEncoder()) for colour in chess.COLORS}
    records: dict[bool, Any] = {colour: np.array(opening([start], colour)) for colour in chess.COLORS}
    for colour, seat in seats.items():
        seat.begin(kriegspiel.opening(colour, ruleset, start))
    for number in range(most):
        mover = game.to_play
        if mover is None:
            return number
        view, rules = game.view(mover), ruleset.record()[0]
        planes = seats[mover].planes(view, rules)[COUNT:]
        follow(records[mover][()], view, rules)
        assert (planes == wanted(records[mover][()])).all()
        contains(planes, game.board(), mover)
        game.ask(rng.choice(np.flatnonzero(game.mask(mover, rng.choice(("informed", "own-board")))).tolist()))
    return most


@pytest.mark.parametrize("ruleset", RULESETS)
def test_planes_are_those_of_the_record_and_hold_the_truth(ruleset: str) -> None:
    starts = [chess.STARTING_FEN, *(draw_start(random.Random(i)) for i in range(3))]
    assert sum(play(RULESETS[ruleset], start, i) for i, start in enumerate(starts)) > 60


def test_it_is_found_by_its_name() -> None:
    made = make_encoder("metaposition")
    assert isinstance(made, MetapositionEncoder)
    assert isinstance(made, Encoder)
    assert made.memory.itemsize > 0
    assert [plane.name for plane in made.planes][:2] == ["may be empty", "pawn possible"]
    assert [plane.high for plane in PLANES] == [1] * 7 + [255] * 2
    assert not any(plane.constant for plane in PLANES)


def test_both_seats_of_self_play_hold_the_truth(encoder: MetapositionEncoder) -> None:
    env = SelfPlayVectorEnv(3, encoder=encoder, render_mode="ansi", ruleset_options={"max_plies": 80})
    infos = env.reset(seed=4)[1]
    rng = np.random.default_rng(0)
    seen = {0: 0, 1: 0}
    for _ in range(150):
        for row in range(3):
            game = env.engine.game(row)
            for seat in (0, 1):
                if game.view(seat == 0)["turn"]:
                    seen[seat] += 1
                    contains(env.observe(row, seat)["observation"][COUNT:], game.board(), seat == 0)
        infos = env.step(draw(infos["action_mask"], rng))[-1]
    assert min(seen.values()) > 60


def test_hidden_starts(encoder: MetapositionEncoder) -> None:
    """All declared placements are possible at first; which one it is shows nowhere but on the board."""
    env = GameVectorEnv(12, "random", seat="white", encoder=encoder, start=KRK, hidden_start=True)
    planes = env.reset(seed=1)[0]["observation"][:, COUNT:]
    assert len(set(env.engine.batch.games["truth"]["start"].tolist())) == 3
    assert (planes == planes[0]).all()
    kings = np.flatnonzero(planes[0, chess.KING])
    assert kings.tolist() == sorted([chess.D5, chess.F4, chess.E6])
    assert not planes[0, 1:6].any()


def test_a_vector_environment_by_name_and_its_space() -> None:
    env = GameVecEnv(4, "capture", encoder="metaposition", seed=1)
    planes: Any = env.reset()
    space = env.observation_space
    assert space.shape == (COUNT + 9, 8, 8)
    rng = np.random.default_rng(0)
    for _ in range(150):
        assert (planes <= space.high).all()  # type: ignore[attr-defined]
        planes = env.step(draw(env.action_masks(), rng))[0]
