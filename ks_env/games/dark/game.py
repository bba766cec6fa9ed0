"""One game of dark chess, for people."""

import chess
import numpy as np

from ks_env.core.ruleset import Ruleset
from ks_env.games.dark.announcement import Announcement, announce
from ks_env.games.dark.start import start_row
from ks_env.games.under_way import GameUnderWay, Row

DARK = Ruleset("dark", says_nonsense=True)


class DarkGame(GameUnderWay[Announcement]):
    """One game of dark chess under a referee; see `GameUnderWay`.

    Args:
        ruleset: its draws and limits; what Kriegspiel's referee says has no part here.
        fen: start position.
    """

    def __init__(self, ruleset: Ruleset = DARK, fen: str = chess.STARTING_FEN) -> None:
        self._begin(start_row(fen), ruleset, fen)

    @staticmethod
    def hears(game: Row, ruleset: Ruleset, colour: bool) -> Announcement | None:
        """See `GameUnderWay.hears`."""
        return announce(game["truth"]["said"], colour)

    @staticmethod
    def has_spoken(game: Row, ruleset: Ruleset) -> bool:
        """See `GameUnderWay.has_spoken`."""
        return bool(game["truth"]["said"]["captured"])

    def legal(self) -> set[int]:
        """What the referee would not refuse now: all of the informed mask."""
        return set() if self.to_play is None else set(np.flatnonzero(self.mask(self.to_play)).tolist())

    def seen(self, colour: bool) -> chess.SquareSet:
        """The squares that the colour sees."""
        squares = chess.SquareSet(int(self.view(colour)["seen"]))
        return squares if colour else squares.mirror()

    def seen_board(self, colour: bool) -> chess.Board:
        """What the colour sees: its own men and the opponent's in sight; castling rights are its own."""
        board = self.board()
        for square in chess.SquareSet(board.occupied_co[not colour]) - self.seen(colour):
            board.remove_piece_at(square)
        board.castling_rights &= chess.BB_RANK_1 if colour else chess.BB_RANK_8
        passed = int(self.view(colour)["passed"])
        board.ep_square = None if passed < 0 else passed ^ (0 if colour else 56)
        board.halfmove_clock = int(self.view(colour)["fifty"])
        return board
