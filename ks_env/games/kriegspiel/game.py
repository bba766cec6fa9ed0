"""One game of Kriegspiel, for people."""

import chess
import numpy as np
import numpy.typing as npt

from ks_env.core.ruleset import ICC, Ruleset
from ks_env.games.kriegspiel.announcement import Announcement, announce
from ks_env.games.kriegspiel.kernels import KERNELS
from ks_env.games.kriegspiel.start import start_row
from ks_env.games.under_way import GameUnderWay, Row

Heard = tuple[Announcement | None, Announcement | None]  # what (White, Black) heard


class Game(GameUnderWay[Announcement]):
    """One game of Kriegspiel under a referee; see `GameUnderWay`.

    Args:
        ruleset: the rules.
        fen: start position.
        hidden_start: the seats know only their own men at the start.
    """

    kernels = KERNELS

    def __init__(
        self, ruleset: Ruleset = ICC, fen: str = chess.STARTING_FEN, *, hidden_start: bool = False
    ) -> None:
        self.hidden_start = hidden_start
        self._begin(start_row(fen, ruleset, hidden=hidden_start), ruleset, fen)

    def _adopted(self, start: Row, hidden_start: bool) -> None:
        self.hidden_start = hidden_start

    @staticmethod
    def both_hear(game: Row, ruleset: Ruleset) -> Heard:
        """See `GameUnderWay.both_hear`."""
        answer = game["truth"]["said"]
        return announce(answer, ruleset, chess.WHITE), announce(answer, ruleset, chess.BLACK)

    @property
    def tries_this_turn(self) -> int:
        """Answers given this turn so far."""
        return int(self._truth["answered"])

    def own_board(self, colour: bool) -> chess.Board:
        """That colour's men and castling rights alone, with nothing that it may not know."""
        truth = self.board()
        board = chess.Board(None)
        for square in chess.SquareSet(truth.occupied_co[colour]):
            board.set_piece_at(square, truth.piece_at(square))
        board.castling_rights = truth.castling_rights & (chess.BB_RANK_1 if colour else chess.BB_RANK_8)
        board.turn = truth.turn
        board.fullmove_number = truth.fullmove_number
        return board

    def ages(self, colour: bool) -> npt.NDArray[np.uint8]:
        """The seat's age matrix by absolute square: u1[64], in opponent turns."""
        ages = np.array(self.view(colour)["age"], np.uint8)
        return ages if colour else ages[np.arange(64) ^ 56]

    def said(self) -> Row:
        """The latest ANSWER record, unabridged: the referee's own, not for players."""
        return self._truth["said"]
