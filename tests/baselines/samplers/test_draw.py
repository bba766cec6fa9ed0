"""Boards of the last observation: legal, with the right men, and fitting what is said, by python-chess."""

from __future__ import annotations

import chess
import numpy as np
import pytest
from ks_baselines.samplers.pool import Pool

from ks_env.core.actions import action_to_move
from ks_env.core.ruleset import RULESETS
from ks_env.core.start import to_board
from ks_env.games.kriegspiel.game import Game
from ks_env.games.opening import Opening
from ks_env.players import make_player

WANTED = 30


def pawn_captures(board: chess.Board) -> set[tuple[int, int]]:
    return {
        (move.from_square, move.to_square)
        for move in board.legal_moves
        if board.piece_type_at(move.from_square) == chess.PAWN and board.is_capture(move)
    }


def check(drawn: chess.Board, game: Game, colour: bool) -> None:
    """The drawn board, on which the seat is White, against the game as the seat sees it."""
    view, rules = game.view(colour), game.ruleset
    truth = game.board() if colour else game.board().mirror()
    assert drawn.is_valid(), drawn.fen()
    assert drawn.occupied_co[True] == truth.occupied_co[True]
    assert drawn.occupied_co[False].bit_count() == truth.occupied_co[False].bit_count()
    assert len(drawn.checkers()) == len(truth.checkers())
    for action in np.flatnonzero(np.unpackbits(view["refused"].view(np.uint8), bitorder="little")).tolist():
        assert action_to_move(int(action), chess.WHITE) not in drawn.legal_moves
    if view["tries"] >= 0:
        count = len(pawn_captures(drawn))
        assert view["tries"] == (count if rules.name == "icc" else int(count > 0))
    named = {start for start, _ in pawn_captures(drawn)}
    assert rules.name != "rand" or set(chess.SquareSet(int(view["try_squares"]))) == named
    if view["enemy"] >= 0:
        assert drawn.color_at(int(view["enemy"])) == chess.BLACK


@pytest.mark.parametrize("name", RULESETS)
def test_what_is_drawn_fits(name: str) -> None:
    pool, views, found = Pool(WANTED), 0, 0
    for seed in range(5):
        game = Game(RULESETS[name])
        players = {colour: make_player("capture") for colour in (True, False)}
        for colour, player in players.items():
            player.begin(Opening.of(game, colour, seed))
        colour = seed % 2 == 0
        pool.begin(Opening.of(game, colour, seed), game.ruleset.record()[0])
        while game.to_play is not None and game.plies < 60:
            if game.to_play == colour:
                pool.clear()
                pool.refill(game.view(colour), WANTED, seed)
                views += 1
                found += pool.count > 0
                for truth in pool.boards[:5]:
                    check(to_board(truth), game, colour)
            game.ask(players[game.to_play].choose(game.view(game.to_play)))
    assert views > 100
    assert found > 0.9 * views
