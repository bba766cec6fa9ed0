"""Which opponents others than who started the server may name."""

import sys

import chess
import pytest
from ks_play.setup import Wish, settle

RISKY = {
    "code": "antigravity:factory",
    "a program": "sampler-los:engine='no-such-engine --uci'",
    "a file": "mcts-c:profile='/etc/hostname'",
    "a model": "model:file='somewhere.zip'",
}


@pytest.mark.parametrize("what", RISKY)
def test_strangers_name_no_code_program_or_file(what: str) -> None:
    with pytest.raises(ValueError, match=r"is not announced here|expected a number on a server for others"):
        settle(Wish(game="Kriegspiel", opponent=RISKY[what]), strangers=True)
    assert "antigravity" not in sys.modules


def test_strangers_choose_how_hard_an_engine_thinks() -> None:
    setup, colour = settle(Wish(game="Kriegspiel", opponent="mcts-c:nodes=50,endings"), strangers=True)
    assert setup.engines[1 if colour else 0] == "mcts-c:nodes=50,endings"
    with pytest.raises(ValueError, match="nobody"):
        settle(Wish(game="Kriegspiel", opponent="nobody"), strangers=True)


APART = "1n2k3/8/8/8/8/8/8/1B2K3 w - - 0 1"  # White has the only bishop, Black the only knight


@pytest.mark.parametrize(
    ("men", "start"), [("B v N", APART), ("b1 v b8", APART), ("c1 f1 v a8", chess.STARTING_FEN)]
)
def test_each_side_hides_men_that_it_has_itself(men: str, start: str) -> None:
    setup, _ = settle(Wish(game="InvisibleChess", men=men, start=start))
    assert setup.begin().to_play is chess.WHITE


@pytest.mark.parametrize(
    ("men", "fault"),
    [
        ("N v B", "1 hidden knights of white asked for; there are 0"),
        ("B v 2N", "2 hidden knights of black asked for; there are 1"),
        ("b8 v b8", "no man of white that can be hidden stands on b8"),
        ("B", "1 hidden bishops of black asked for; there are 0"),
    ],
)
def test_a_side_cannot_hide_men_that_it_has_not(men: str, fault: str) -> None:
    with pytest.raises(ValueError, match=fault):
        settle(Wish(game="InvisibleChess", men=men, start=APART))


def test_too_many_choices_of_hidden_men_are_refused() -> None:
    with pytest.raises(ValueError, match="9800 choices of hidden men fit"):
        settle(Wish(game="InvisibleChess", men="4P 1N v 4P"))
