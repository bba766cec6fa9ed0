"""What a seat notes, and what the players say they weighed."""

import chess
import numpy as np
import pytest
from ks_train.data.config import DataPlayer
from ks_train.data.seat import UNASKED, Notes, NotingPlayer, noting_name

from ks_env.core.ruleset import ICC
from ks_env.games import kriegspiel
from ks_env.games.kriegspiel.game import Game
from ks_env.players.protocol import WeighsTries
from ks_env.players.registry import make_player

NAMES = ("darkboard:metapositions=50", "mcts-a:nodes=50", "advantage-search:nodes=50")


@pytest.mark.parametrize("name", NAMES)
def test_engines_say_what_they_weighed(name: str) -> None:
    player, game = make_player(name), Game(ICC)
    assert isinstance(player, WeighsTries)
    assert not len(player.weighed()[0])
    player.begin(kriegspiel.opening(chess.WHITE, ICC, seed=1))
    chosen = player.choose(game.view(chess.WHITE))
    tries, values = player.weighed()
    assert tries.dtype == np.int16
    assert values.dtype == np.float32
    assert len(tries) == len(values) == len(set(tries.tolist())) <= 20
    assert np.isfinite(values).all()
    assert chosen in tries.tolist()
    if name.startswith("darkboard"):
        assert values[tries == chosen] == values.max()


@pytest.mark.parametrize("name", NAMES)
def test_nothing_was_weighed_where_a_rule_decides(name: str) -> None:
    fen = "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1"  # a pawn try comes first
    player, game = make_player(name), Game(ICC, fen)
    assert isinstance(player, WeighsTries)
    player.begin(kriegspiel.opening(chess.WHITE, ICC, chess.STARTING_FEN, seed=1))
    player.choose(Game(ICC).view(chess.WHITE))
    assert len(player.weighed()[0])
    player.begin(kriegspiel.opening(chess.WHITE, ICC, fen, seed=1))
    player.choose(game.view(chess.WHITE))
    assert not len(player.weighed()[0])


def test_notes_go_through_bytes() -> None:
    notes = Notes(
        np.array([3, UNASKED]),
        np.array([True, False]),
        np.array([0, 2]),
        np.array([1, 2], np.int16),
        np.array([0.5, -0.5], np.float32),
    )
    unpacked, nothing = Notes.unpack(notes.pack()), Notes.unpack(b"")
    for name in Notes._fields:
        a, b = getattr(unpacked, name), getattr(notes, name)
        assert a.dtype == b.dtype == getattr(nothing, name).dtype
        assert (a == b).all()
        assert not len(getattr(nothing, name))
    assert NotingPlayer("random").notes == b""


def test_a_name_makes_the_player() -> None:
    entry = DataPlayer(player="x", noise=0.25)
    made = make_player(noting_name("darkboard:metapositions=1,depth=2", "capture", entry))
    assert isinstance(made, NotingPlayer)
    assert made.games == ("Kriegspiel",)  # capture plays others, too
    assert NotingPlayer("random", "capture").games == ("Kriegspiel", "DarkChess", "InvisibleChess")


def test_noise_and_a_teacher_do_not_change_what_the_player_tries() -> None:
    game = Game(ICC)
    chosen = []
    for teacher, noise in (("", 0.0), ("capture", 0.0), ("itself", 0.5)):
        player = NotingPlayer("random", teacher, noise)
        player.begin(kriegspiel.opening(chess.WHITE, ICC, seed=3))
        tries = [player.choose(game.view(chess.WHITE)) for _ in range(20)]
        notes = Notes.unpack(player.notes)
        chosen.append(notes.labels.tolist() if teacher == "itself" else tries)
        assert notes.noise.any() == (noise > 0)
        assert (notes.labels == UNASKED).all() == (teacher == "")
    assert chosen[0] == chosen[1] == chosen[2]


def test_a_teacher_that_chooses_no_try() -> None:
    player = NotingPlayer("random", "tests.arena.players:Chooses:action=5000")
    player.begin(kriegspiel.opening(chess.WHITE, ICC, seed=3))
    view = Game(ICC).view(chess.WHITE)
    player.choose(view)
    player.choose(view)
    with pytest.raises(ValueError, match="chose 5000; expected a try from 0 to 1858"):
        player.choose(view)
