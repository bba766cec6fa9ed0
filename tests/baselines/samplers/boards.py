"""Boards in a seat's own frame, to be compared; and the true one, followed as if it were in a pool."""

from __future__ import annotations

from typing import Any

import numpy as np
from ks_baselines.samplers.evolve import (
    Memory,
    filter_own_move,
    filter_turn,
    list_capturing,
    new_memory,
)
from ks_baselines.samplers.pool import own_frame
from ks_baselines.samplers.refusals import refusals_fit

from ks_env.belief.particles.turns import their_move_fits
from ks_env.core.position import refresh
from ks_env.core.start import fill_truth, to_board
from ks_env.games.kriegspiel.game import Game

Array = np.ndarray[Any, Any]


def written(truth: Any, mirrored: bool) -> str:
    """What makes a position: men, rights, en passant and turn."""
    board = to_board(truth)
    board = board.mirror() if mirrored else board
    return " ".join(board.fen(en_passant="fen").split()[:4])


def written_all(truths: Array, mirrored: bool = False) -> set[str]:
    return {written(truth, mirrored) for truth in truths}


class TrueBoard:
    """The board of a game, as one board of a pool of a seat's: it must fit all that the seat hears."""

    def __init__(self, game: Game, colour: bool) -> None:
        self.colour, self.rules = colour, game.ruleset.record()[0]
        self.memory: Memory = new_memory(1)
        fill_truth(self.memory.boards[0], own_frame(game.start_fen, colour))
        refresh(self.memory.boards[0])

    def hear_refusal(self, game: Game) -> None:
        assert filter_turn(self.memory, 1, game.view(self.colour)) == 1

    def hear_turn(self, game: Game, own: bool) -> None:
        """The seat is to move after its own accepted try, if there was one, and the opponent's turn."""
        view, boards = game.view(self.colour), self.memory.boards
        if own:
            assert filter_own_move(self.memory, 1, view, self.rules) == 1, game.board().fen()
        assert refusals_fit(boards[0], view, self.rules)
        count = list_capturing(boards[0], view, self.rules, self.memory.moves)
        now = written(game.row()["truth"], not self.colour)
        for move in self.memory.moves[:count].tolist():
            self.memory.next[0] = boards[0]
            fits = their_move_fits(self.memory.next[0], move, view, self.rules)
            if fits and written(self.memory.next[0], False) == now:
                boards[0] = self.memory.next[0]
                return
        raise AssertionError(f"{game.ruleset.name}: {game.board().fen()} was filtered out")
