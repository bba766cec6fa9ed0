"""Which opponents others than who started the server may name."""

import sys

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
