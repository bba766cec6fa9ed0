"""How often a try leads to a sight that was there before."""

from __future__ import annotations

from dataclasses import replace

import chess
import numpy as np
import pytest
from ks_baselines.advisors.player import Loops, men_after

from ks_env.core.answers import Kind
from ks_env.games.invisible.game import INVISIBLE, InvisibleGame
from tests.core.perft_positions import POSITIONS
from tests.oracle import actions


def number(uci: str, colour: bool = chess.WHITE) -> int:
    return actions.number_of(chess.Move.from_uci(uci), colour)


def fens() -> list[str]:
    return [p.fen for p in POSITIONS if chess.Board(p.fen).is_valid()]


@pytest.mark.parametrize("fen", fens())
def test_own_men_after_every_move(fen: str) -> None:
    board, game = chess.Board(fen), InvisibleGame("none v none", fen=fen)
    view, mirror = game.view(board.turn), 0 if board.turn else 56
    for move in board.legal_moves:
        after = board.copy()
        after.push(move)
        men = [0] * 64
        for square, piece in after.piece_map().items():
            if piece.color == board.turn:
                men[square ^ mirror] = piece.piece_type
        assert men_after(view, actions.number_of(move, board.turn)) == bytes(men), move


def shuffle(loops: Loops, rounds: int) -> list[float]:
    """Knights go to and fro; what is held against White's next step, each time before it is made."""
    game, counts = InvisibleGame("none v none", replace(INVISIBLE, threefold=False)), []
    for n in range(rounds):
        white = ("g1f3", "f3g1")[n % 2]
        found = loops.count(game.view(chess.WHITE), np.array([number(white), number("a2a3")]))
        assert found[1] == 0
        counts.append(float(found[0]))
        loops.chose(game.view(chess.WHITE), number(white))
        game.ask(white)
        game.ask(("g8f6", "f6g8")[n % 2])
    return counts


def test_repeated_sights_are_counted() -> None:
    assert shuffle(Loops(), 7) == [0, 0, 1, 1, 2, 2, 3]


def test_a_new_game_forgets() -> None:
    loops = Loops()
    first = shuffle(loops, 6)
    loops.begin()
    assert shuffle(loops, 6) == first


def test_a_try_that_was_not_played_counts_for_nothing() -> None:
    game, loops = InvisibleGame("none v R", fen="4k3/8/8/7r/8/8/8/R3K3 b - - 0 1"), Loops()
    game.ask("h5a5")  # unseen, onto the file of White's rook
    tries = np.array([number("a1a8")])
    for step in ("e8f8", "f8e8", "e8f8"):
        assert loops.count(game.view(chess.WHITE), tries) == [0]
        loops.chose(game.view(chess.WHITE), number("a1a8"))
        assert game.ask("a1a8").kind is Kind.LOST
        game.ask(step)
    assert loops.count(game.view(chess.WHITE), tries) == [0]
