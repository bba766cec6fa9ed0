"""Distributions with too little room: always distributions, never more boards than room."""

from __future__ import annotations

import json
import random
from pathlib import Path

import chess
import numpy as np
import pytest

from ks_env.belief.joint import Joint
from research import joint_error
from research.joint_error import ROOMS, main, marginal_distance, row_of
from tests.belief.joint.games import ask_random, followed, joints_of, new_game

LARGE = ("2R v 2R", "2B 2N v Q 2R", "8P 2N 2B 2R Q v 8P 2N 2B 2R Q")


@pytest.mark.parametrize("hidden", LARGE)
@pytest.mark.parametrize("room", [1, 7, 64])
def test_it_stays_a_distribution(hidden: str, room: int) -> None:
    full = rebuilt = 0
    for number in range(4):
        for game, joints in followed(random.Random(f"{hidden} {number}"), hidden, room, 120):
            for colour, joint in joints.items():
                assert 1 <= joint.count <= room
                assert joint.weights.sum() == pytest.approx(1, abs=1e-9)
                assert (joint.weights > 0).all()
                full += not joint.exact
                rebuilt = max(rebuilt, joint.rebuilt)
                _check_places(joint, game.view(colour))
    assert full > 100
    assert rebuilt or room > 7


def _check_places(joint: Joint, view: np.void) -> None:
    """Every man that lives stands somewhere, off all men that the seat sees, and on a square of his own."""
    for board in joint.boards:
        placed = board[board < 64].tolist()
        assert len(set(placed)) == len(placed)
        assert [n for n in range(16) if board[n] < 64] == np.flatnonzero(view["unseen"]).tolist()
        assert not any(int(view["own"] | view["theirs"]) >> square & 1 for square in placed)


def test_once_boards_are_left_out_it_is_never_exact_again() -> None:
    left = {chess.WHITE: False, chess.BLACK: False}
    for _, joints in followed(random.Random(2), "2R v 2R", 32, 200):
        for colour, joint in joints.items():
            assert not (left[colour] and joint.exact)
            left[colour] = not joint.exact
    assert any(left.values())


def test_the_same_game_gives_the_same_bytes() -> None:
    rng = random.Random(3)
    game = new_game(rng, "2B 2N v Q 2R")
    one, other = joints_of(game, 50), joints_of(game, 50)
    for joint in other.values():  # what was played before leaves nothing behind
        for earlier, kept in followed(random.Random(9), "Q v Q", 50, 30):
            del earlier, kept
        joint.follow(game.view(bool(joint.record["known"]["seat"] == 0)))
    for _ in range(120):
        ask_random(rng, game)
        if game.to_play is None:
            break
        for colour in chess.COLORS:
            one[colour].follow(game.view(colour))
            other[colour].follow(game.view(colour))
            assert one[colour].record.tobytes() == other[colour].record.tobytes()
    assert not (one[chess.WHITE].exact and one[chess.BLACK].exact)


def test_a_distribution_used_again_is_as_new() -> None:
    used = Joint(40)
    for number in range(3):
        rng = random.Random(f"again {number}")
        game = new_game(rng, "2R v Q 2N")
        fresh = Joint(40)
        for joint in (used, fresh):
            joint.begin(game.view(chess.WHITE))
        for _ in range(100):
            ask_random(rng, game)
            if game.to_play is None:
                break
            for joint in (used, fresh):
                joint.follow(game.view(chess.WHITE))
            assert used.exact == fresh.exact
            assert used.boards.tobytes() == fresh.boards.tobytes()
            assert used.weights.tobytes() == fresh.weights.tobytes()


# -- how wrong it is: the command ------------------------------------------------------------------------


def test_distance_of_marginals() -> None:
    one, other = np.zeros((16, 64)), np.zeros((16, 64))
    assert marginal_distance(one, other) == 0.0
    one[1, 3] = one[2, 5] = other[1, 3] = other[2, 9] = 1.0
    assert marginal_distance(one, other) == pytest.approx(0.5)  # man 1 agrees, man 2 does not at all
    other[2, 9], other[2, 5] = 0.75, 0.25
    assert marginal_distance(one, other) == pytest.approx(0.375)


def test_rows_of_turns() -> None:
    row = row_of("R v R", 64, [None, (0.2, -1.0, 5.0, True), (0.4, 1.0, 7.0, False)])
    assert (row["turns"], row["not exact"], row["truth lost"]) == (3, 2, 0.5)
    assert row["distance of the marginals"]["mean"] == pytest.approx(0.3)
    assert row["entropy, bits more"]["mean"] == pytest.approx(0)
    assert "truth lost" not in row_of("R v R", 64, [None])


def test_the_command(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(joint_error, "TURNS", 15)
    file = tmp_path / "new" / "error.json"
    main(["--games", "1", "--seed", "5", "--hidden", "2R v 2R", "--json", str(file)])
    found = json.loads(file.read_text())
    assert [row["room"] for row in found["rows"]] == list(ROOMS)
    assert found["setting"]["seed"] == 5
    exact = [row["turns"] - row["not exact"] for row in found["rows"]]
    assert exact == sorted(exact)  # more room, exact for longer
    assert "2R v 2R" in capsys.readouterr().out
    with pytest.raises(SystemExit):
        main(["--games", "0"])
