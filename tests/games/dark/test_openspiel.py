"""OpenSpiel's dark_chess, where it is installed, allows the same moves and shows the same squares."""

from __future__ import annotations

import random
from typing import Any

import chess
import pytest

from ks_env.core.answers import Reason
from ks_env.games.dark.board import DarkBoard
from ks_env.games.dark.game import DarkGame
from tests.games.dark.duel import ODD_STARTS

pyspiel: Any = pytest.importorskip("pyspiel")


def dark_fen(game: DarkGame, colour: bool) -> str:
    """The squares of what a colour sees, as OpenSpiel writes them: `?` for those out of sight."""
    board, seen = game.board(), game.seen(colour)
    rows = []
    for rank in range(7, -1, -1):
        row, empty = "", 0
        for square in range(8 * rank, 8 * rank + 8):
            piece = board.piece_at(square)
            if square in seen and piece is None:
                empty += 1
                continue
            row += str(empty or "") + (piece.symbol() if piece is not None and square in seen else "?")
            empty = 0
        rows.append(row + str(empty or ""))
    return "/".join(rows)


@pytest.mark.parametrize("fen", [chess.STARTING_FEN] * 4 + list(ODD_STARTS))
def test_same_moves_and_sight(fen: str, request: pytest.FixtureRequest) -> None:
    rng = random.Random(request.node.name)
    state = pyspiel.load_game("dark_chess", {"fen": fen}).new_initial_state()
    game = DarkGame(fen=fen)
    board = DarkBoard(fen)
    for _ in range(120):
        assert state.is_terminal() == (game.to_play is None), (state.board().to_fen(), game.reason)
        if game.to_play is None:
            break
        theirs = {state.action_to_string(action): action for action in state.legal_actions()}
        ours = {board.san(move): move for move in board.legal_moves}
        assert set(theirs) == set(ours), board.fen()
        for colour in chess.COLORS:
            if colour == game.to_play or board.ep_square is None:
                seen = state.observation_string(1 if colour else 0).split()[0]
                assert seen == dark_fen(game, colour)
        san = rng.choice(sorted(ours))
        state.apply_action(theirs[san])
        game.ask(ours[san])
        board.push(ours[san])
    if game.reason is Reason.KING_CAPTURED:
        assert state.returns()[1 if game.winner else 0] == 1
