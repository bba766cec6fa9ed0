"""What an opponent's turn brought, counted in games by hand."""

import io
import json
from pathlib import Path

import chess.pgn
import pytest
from ks_baselines.mcts.constants import APPROACH_B, APPROACH_C

from research.turn_chances import EVENTS, count, turns

GAME = "1. e4 d5 2. exd5 Qxd5 3. Nc3 Qe5+ 4. Be2 a6 5. d4 Qxd4 6. Qxd4 b6 7. Qxg7 Bxg7 8. a3 Bxc3+ 9. bxc3 *"


def game(moves: str) -> chess.pgn.Game:
    read = chess.pgn.read_game(io.StringIO(f'[White "x"]\n[Black "y"]\n\n{moves}'))
    assert read is not None
    assert not read.errors
    return read


def test_each_turn_stands_under_the_first_event_that_holds() -> None:
    assert list(turns(game(GAME))) == [
        ("y", "suffering", False),  # d5
        ("x", "pawn try", True),  # exd5
        ("y", "retaliation", True),  # Qxd5
        ("x", "retaliation", False),  # Nc3
        ("y", "suffering", False),  # Qe5+
        ("x", "checker taken", False),  # Be2
        ("y", "suffering", False),  # a6
        ("x", "suffering", False),  # d4
        ("y", "suffering", True),  # Qxd4
        ("x", "retaliation", True),  # Qxd4
        ("y", "retaliation", False),  # b6
        ("x", "suffering", True),  # Qxg7
        ("y", "retaliation", True),  # Bxg7
        ("x", "retaliation", False),  # a3
        ("y", "suffering", True),  # Bxc3+
        ("x", "retaliation", True),  # bxc3
    ]


@pytest.mark.parametrize(
    ("moves", "event", "about"),
    [
        ("1. e4 d5 2. a3 dxe4 *", "pawn try", True),
        ("1. e4 d5 2. a3 h6 *", "pawn try", False),
        ("1. e4 f5 2. Qh5+ g6 3. a3 gxh5 *", "pawn try", True),
        ("1. e4 e5 2. Qh5 a6 3. Qxf7+ Kxf7 *", "retaliation", True),
        ("1. e4 d6 2. Bb5+ Bd7 *", "checker taken", False),
        ("1. d4 e6 2. a3 Bb4+ 3. axb4 *", "pawn try", True),  # a pawn try goes before the check
        ("1. e3 e6 2. Qg4 e5 3. Qe6+ Be7 4. a3 *", "suffering", False),
        ("1. e4 f5 2. Qh5+ g6 *", "checker taken", False),
    ],
)
def test_the_last_turn_of_a_game(moves: str, event: str, about: bool) -> None:
    assert list(turns(game(moves)))[-1][1:] == (event, about)


def test_shares_are_of_each_player_and_of_all() -> None:
    counted = count([game(GAME), game("1. e4 d5 2. a3 h6 *")])
    assert counted["x"]["pawn try"] == {"turns": 2, "share": 0.5}
    assert counted["y"]["pawn try"] == {"turns": 1, "share": 0.0}
    assert counted["all"]["pawn try"] == {"turns": 3, "share": 0.3333}
    assert counted["all"]["retaliation"]["turns"] == 7
    assert sum(counted["all"][event]["turns"] for event in EVENTS) == 16 + 3


def test_the_programs_go_by_what_was_counted() -> None:
    counted = json.loads(Path("docs/results/mcts/turn-chances.json").read_text())["opponents"]["all"]
    for constants in (APPROACH_B, APPROACH_C):
        assert constants.retaliation == pytest.approx(counted["retaliation"]["share"], rel=0.05)
        assert constants.checker_taken == pytest.approx(counted["checker taken"]["share"], rel=0.05)
        assert constants.suffering == pytest.approx(counted["suffering"]["share"], rel=0.05)
