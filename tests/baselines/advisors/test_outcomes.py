"""What the advisors take the referee to say, beside the second referee; and what they take it to be worth."""

from __future__ import annotations

from collections import Counter

import chess
import numpy as np
import pytest
from ks_baselines.advisors.chess.board import pass_turn
from ks_baselines.advisors.chess.search import new_scoring, score_position
from ks_baselines.advisors.outcomes import answer_to, told_by
from ks_baselines.advisors.strategic import utilities_on

from ks_env.belief.joint import Joint
from ks_env.core.answers import Kind
from ks_env.games.invisible.game import InvisibleGame
from tests.baselines.advisors.chess.oracle import kernel_scores, read_board
from tests.baselines.advisors.positions import RICH, Position, positions
from tests.oracle import actions

NAMES = {Kind.MOVED: "moved", Kind.ILLEGAL: "illegal", Kind.LOST: "lost"}
BOARDS = 12  # of each distribution that are looked at


def some_boards(position: Position) -> list[int]:
    step = max(1, position.joint.count // BOARDS)
    return list(range(0, position.joint.count, step))[:BOARDS]


def check_words(position: Position) -> Counter[str]:
    """Equal numbers for what sounds the same, and for nothing else."""
    found: Counter[str] = Counter()
    boards = {at: position.truths(at) for at in some_boards(position)}
    for action in position.tries:
        numbers: dict[object, int] = {}
        for at, truths in boards.items():
            heard, row = position.heard(at, action), position.joint.boards[at]
            if heard.reason == "material":
                continue  # that the game is over for want of men, the kernel leaves out
            kind = answer_to(truths[1], position.passed(at), action)
            assert NAMES[Kind(kind)] == heard.kind, (action, position.board(at))
            word = int(told_by(truths, 1, row, position.passed(at), action))
            assert numbers.setdefault(heard, word) == word
            found[f"{heard.kind} {heard.why}"] += 1
            found["took a hidden man"] += bool(heard.taken)
        assert len(set(numbers.values())) == len(numbers), numbers
        found["ways to hear of a try"] = max(found["ways to hear of a try"], len(numbers))
    return found


@pytest.mark.parametrize(("hidden", "fen"), RICH)
def test_answers_and_words(hidden: str, fen: str) -> None:
    found: Counter[str] = Counter()
    for seed in range(3):
        for position in positions(seed, hidden, 40, 6, fen):
            found += check_words(position)
    assert found["moved "] > 50
    assert found["ways to hear of a try"] > 1


def two_boards(hidden: str, fen: str, first: dict[int, int], second: dict[int, int]) -> Position:
    """A seat that holds two placements possible, each with half of the chance."""
    game = InvisibleGame(hidden, fen=fen)
    colour = game.to_play
    assert colour is not None
    joint = Joint(8)
    joint.begin(game.view(colour))
    record = joint.record
    record["count"] = 2
    for at, placed in enumerate((first, second)):
        record["squares"][at] = 64
        for number, square in placed.items():
            record["squares"][at, number] = square
        record["weight"][at], record["passed"][at] = 0.5, -1
    return Position(game.view(colour), joint, colour)


def test_a_capture_does_not_sound_like_a_check() -> None:
    """Knight f3-d4 takes hidden man 1, or it takes nothing and the rook on f1 gives check."""
    position = two_boards(
        "none v b8 g8",
        "1n3kn1/8/8/8/8/5N2/8/K4R2 w - - 0 1",
        {1: chess.D4, 2: chess.F6},
        {1: chess.A6, 2: chess.H6},
    )
    action = actions.number_of(chess.Move.from_uci("f3d4"), chess.WHITE)
    assert position.heard(0, action) != position.heard(1, action)
    check_words(position)


# -- what it is worth ------------------------------------------------------------------------------------


def utilities(position: Position, at: int, depth: int) -> dict[int, float]:
    """By try, as the kernel says."""
    tries, out = np.array(position.tries, np.int16), np.zeros(len(position.tries))
    utilities_on(position.truths(at)[1], position.passed(at), tries, depth, new_scoring(), out)
    return dict(zip(position.tries, out.tolist(), strict=True))


def expected_utilities(position: Position, at: int, depth: int) -> dict[int, float]:
    """By try: of a legal move by searching it, of a lost turn by searching without one."""
    board, _ = position.board(at)
    # The search looks at the board as the seat plays up it: ties of pruning aside the values are the same
    legal = {actions.number_of(m, position.colour): v for m, v in kernel_scores(board, depth).items()}
    passing = read_board(board)
    pass_turn(passing[0])
    lost = -score_position(passing[0], depth - 1, new_scoring().search[0])
    worth = {"illegal": max(legal.values()), "lost": lost}
    return {a: legal[a] if a in legal else worth[position.heard(at, a).kind] for a in position.tries}


@pytest.mark.parametrize(("hidden", "fen"), RICH)
@pytest.mark.parametrize("depth", [1, 2])
def test_utilities_are_those_of_the_search(hidden: str, fen: str, depth: int) -> None:
    looked = lost = 0
    for position in positions(7, hidden, 30, 7, fen):
        for at in some_boards(position)[:4]:
            assert utilities(position, at, depth) == expected_utilities(position, at, depth)
            looked += 1
            lost += any(position.heard(at, a).kind == "lost" for a in position.tries)
    assert looked
    assert lost or hidden != "2N v 2N"
