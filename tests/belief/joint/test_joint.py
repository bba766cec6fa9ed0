"""What a `Joint` says in random games: the truth is among its boards, and its figures add up."""

from __future__ import annotations

import random

import chess
import numpy as np
import pytest
from scipy import stats

from ks_env.belief.joint import Joint
from ks_env.belief.joint.layout import joint_dtype
from ks_env.games.invisible.game import InvisibleGame
from tests.belief.joint.games import HIDDEN, ask_random, followed, joints_of, new_game, truth_of
from tests.starts import LISTED

GONE = 64


def entropy_by_scipy(joint: Joint) -> float:
    """Of the placements: two boards that differ in a pawn's last step alone are one."""
    _, which = np.unique(joint.boards, axis=0, return_inverse=True)
    return float(stats.entropy(np.bincount(which.ravel(), joint.weights), base=2))


def marginals_by_hand(joint: Joint) -> np.ndarray:
    out = np.zeros((16, 64))
    for board, weight in zip(joint.boards, joint.weights, strict=True):
        for number, square in enumerate(board):
            if square != GONE:
                out[number, square] += weight
    return out


@pytest.mark.parametrize("hidden", HIDDEN)
def test_the_truth_is_possible_as_long_as_it_is_exact(hidden: str) -> None:
    exact = 0
    for number in range(12):
        for game, joints in followed(random.Random(f"{hidden} {number}"), hidden, 2048, 80):
            for colour, joint in joints.items():
                assert 1 <= joint.count <= 2048
                assert joint.weights.sum() == pytest.approx(1, abs=1e-9)
                assert (joint.weights > 0).all()
                assert not joint.exact or joint.rebuilt == 0
                if joint.exact:
                    exact += 1
                    assert joint.chance(truth_of(game, colour)) > 0, (hidden, number)
    assert exact > 150


def test_the_truth_is_possible_from_any_start() -> None:
    for number, fen in enumerate(LISTED):
        board = chess.Board(fen)
        men = [chess.square_name(s) for s, p in board.piece_map().items() if p.piece_type != chess.KING]
        rng = random.Random(f"start {number}")
        sides = [[m for m in men if board.color_at(chess.parse_square(m)) == c] for c in chess.COLORS]
        hidden = " v ".join(" ".join(rng.sample(side, min(3, len(side)))) or "none" for side in sides)
        for game, joints in followed(rng, hidden, 1024, 40, fen):
            for colour, joint in joints.items():
                assert not joint.exact or joint.chance(truth_of(game, colour)) > 0, (hidden, fen)


def test_a_pawn_taken_in_passing_by_the_first_move() -> None:
    """The seat that waits at the start may itself have made the step, which its distribution must know."""
    game = InvisibleGame("none v d4", fen="4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1")
    joint = joints_of(game, 16)[chess.WHITE]
    assert game.ask("d4e3").square == chess.E4
    joint.follow(game.view(chess.WHITE))
    assert joint.exact
    assert joint.chance({1: chess.E3}) == pytest.approx(1)


@pytest.mark.parametrize("hidden", ["2N v B", "4P v 4P", "2R v 2R"])
def test_entropy_and_marginals(hidden: str) -> None:
    for game, joints in followed(random.Random(hidden), hidden, 4096, 40):
        for colour, joint in joints.items():
            assert joint.entropy() == pytest.approx(entropy_by_scipy(joint), abs=1e-9)
            marginals = joint.marginals()
            assert marginals == pytest.approx(marginals_by_hand(joint), abs=1e-12)
            alive = truth_of(game, colour)
            for number in range(16):
                assert marginals[number].sum() == pytest.approx(float(number in alive), abs=1e-9)


def test_nothing_hidden_is_nothing_to_know() -> None:
    game = InvisibleGame("Q v none")
    white = joints_of(game, 4)[chess.WHITE]
    assert (white.count, white.exact, white.rebuilt) == (1, True, 0)
    assert white.entropy() == 0.0
    assert not white.marginals().any()
    assert white.chance({}) == pytest.approx(1)


def test_the_same_view_again_changes_nothing() -> None:
    for game, joints in followed(random.Random(1), "2B v N", 1024, 60):
        for colour, joint in joints.items():
            before = joint.record.tobytes()
            joint.follow(game.view(colour))
            assert joint.record.tobytes() == before


def test_following_in_own_turns_alone_says_the_same() -> None:
    """As a player does, who is asked in his own turns only."""
    for number in range(6):
        rng = random.Random(f"lazy {number}")
        game = new_game(rng, "2N v B")
        often, seldom = joints_of(game, 4096), joints_of(game, 4096)
        for _ in range(60):
            ask_random(rng, game)
            mover = game.to_play
            if mover is None:
                break
            for colour in chess.COLORS:
                often[colour].follow(game.view(colour))
            seldom[mover].follow(game.view(mover))
            assert len(seldom[mover].boards) == len(often[mover].boards)
            assert (seldom[mover].boards == often[mover].boards).all()
            assert seldom[mover].weights == pytest.approx(often[mover].weights, abs=1e-12)


def test_a_game_that_is_over_is_left_alone() -> None:
    game = InvisibleGame("N v N")
    joint = joints_of(game, 64)[chess.WHITE]
    for uci in ("f2f3", "e7e5", "g2g4", "d8h4"):
        game.ask(uci)
    assert game.winner == chess.BLACK
    before = joint.record.tobytes()
    joint.follow(game.view(chess.WHITE))
    assert joint.record.tobytes() == before


def test_records_have_few_lengths() -> None:
    """Since kernels are compiled for each."""
    types = {joint_dtype(boards) for boards in (1, 2, 1000, 1024, 1025, 1 << 14, 1 << 15, 1 << 20)}
    assert len(types) == 3
    assert joint_dtype(1024)["weight"].shape == (1024,)


@pytest.mark.parametrize("boards", [0, -1, (1 << 20) + 1])
def test_bad_rooms(boards: int) -> None:
    with pytest.raises(ValueError, match=f"{boards} boards; expected 1 to 1048576"):
        Joint(boards)


def test_a_game_has_to_be_begun() -> None:
    with pytest.raises(ValueError, match="call begin first"):
        Joint(16).follow(InvisibleGame("B v B").view(chess.WHITE))


def test_a_game_has_to_be_begun_at_its_start() -> None:
    game = InvisibleGame("b1 v g8")
    for uci in ("e2e4", "g8f6"):
        game.ask(uci)
    with pytest.raises(
        ValueError, match="hidden man 1 has moved unseen; expected the view of a game's start"
    ):
        Joint(16).begin(game.view(chess.WHITE))


def _after(*moves: str, hidden: str = "B v B", choice: int = 0) -> InvisibleGame:
    game = InvisibleGame(hidden, choice=choice)
    for uci in moves:
        game.ask(uci)
    return game


OTHERS = {
    "the other seat": lambda: _after("e2e4").view(chess.BLACK),
    "two turns ahead": lambda: _after("e2e4", "e7e5", "d2d4", "d7d5").view(chess.WHITE),
    "one of other hidden men": lambda: _after("e2e4", choice=1).view(chess.WHITE),
    "another position of the same turn": lambda: InvisibleGame(
        "B v B", fen="rnbqkbnr/1ppppppp/8/8/8/8/1PPPPPPP/RNBQKBNR w KQkq - 0 1"
    ).view(chess.WHITE),
}


@pytest.mark.parametrize("other", OTHERS)
def test_views_that_cannot_follow(other: str) -> None:
    game = _after()
    joint = joints_of(game, 64)[chess.WHITE]
    with pytest.raises(ValueError, match="cannot follow this view: expected the same game"):
        joint.follow(OTHERS[other]())


def test_a_view_that_lies_behind() -> None:
    game = _after("e2e4", "e7e5")
    joint = Joint(64)
    joint.begin(game.view(chess.WHITE))
    with pytest.raises(ValueError, match="cannot follow this view"):
        joint.follow(_after("e2e4").view(chess.WHITE))


def test_a_view_that_comes_after_a_refused_try_of_the_next_turn_is_too_late() -> None:
    game = InvisibleGame("none v B", choice=0)
    joint = Joint()
    joint.begin(game.view(chess.WHITE))
    game.ask("d2d4")
    game.ask("h7h6")
    game.ask("a1a8")  # nonsense: what was said of d2-d4 is no longer in the view
    with pytest.raises(ValueError, match="cannot follow this view"):
        joint.follow(game.view(chess.WHITE))
