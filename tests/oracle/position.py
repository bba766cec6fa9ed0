"""What a position allows and says, by python-chess: legal moves, pawn captures, checks, its identity."""

from __future__ import annotations

import chess

from tests.oracle import actions
from tests.oracle.seat import CHECK_WORDS

PositionKey = tuple[tuple[int, ...], int, int, chess.Color, int, int | None]
PIECES = ("knights", "bishops", "rooks", "queens")


class OracleStartError(ValueError):
    """The start position is not one that a game can begin from."""


def position_key(board: chess.Board) -> PositionKey:
    """What makes two positions the same: men by kind, Black's, White's, turn, rights, en passant."""
    ep_square = board.ep_square if board.ep_square is not None and board.has_legal_en_passant() else None
    men = (board.pawns, board.knights, board.bishops, board.rooks, board.queens, board.kings)
    black, white = board.occupied_co
    return men, black, white, board.turn, board.clean_castling_rights(), ep_square


def check_word(king: int, checker: int, man: chess.PieceType) -> str:
    """The word for one check, as seen from the checked king."""
    if man == chess.KNIGHT:
        return "knight"
    if king // 8 == checker // 8:
        return "rank"
    if king % 8 == checker % 8:
        return "file"
    rising = king % 8 - king // 8 == checker % 8 - checker // 8
    rising_length = 8 - abs(king % 8 - king // 8)
    falling_length = 8 - abs(king % 8 + king // 8 - 7)
    assert rising_length != falling_length
    return "long diagonal" if rising == (rising_length > falling_length) else "short diagonal"


def is_pawn_capture(board: chess.Board, move: chess.Move) -> bool:
    return bool(
        board.pawns & chess.BB_SQUARES[move.from_square]
        and chess.square_file(move.from_square) != chess.square_file(move.to_square)
    )


class Survey:
    """What the side to move of a board may do, and what is said to it. The board is not to change after.

    Attributes:
        legal: its legal actions, as bits.
        captures: those that are pawn captures.
        capture_count: pawn captures, promotions of one capture as one.
        capture_squares: where the pawns with a capture stand.
        checks: words for the checks on it.
        key: what makes another position the same.
    """

    __slots__ = ("board", "capture_count", "capture_squares", "captures", "checks", "key", "legal")

    def __init__(self, board: chess.Board) -> None:
        self.board = board
        self.key = position_key(board)
        self.captures = self.capture_count = 0
        self.capture_squares: tuple[int, ...] = ()
        self.checks: tuple[str, ...] = ()
        king = board.king(board.turn)
        if king is None:
            raise OracleStartError(f"no king for the side to move: {board.fen()}")
        checkers = board.attackers_mask(not board.turn, king)
        if checkers:
            self._say_checks(king, checkers)
            self._take_moves(board)
        else:
            self.legal = self._quiet(board, king)

    def _say_checks(self, king: int, checkers: int) -> None:
        words = []
        for square in chess.SquareSet(checkers):
            man = self.board.piece_type_at(square)
            assert man is not None
            words.append(check_word(king, square, man))
        self.checks = tuple(sorted(words, key=CHECK_WORDS.index))

    def _take_moves(self, board: chess.Board) -> None:
        """In check: python-chess's own list of the legal moves, which is short."""
        moves = list(board.generate_legal_moves())
        self.legal = actions.bits_of(actions.number_of(move, board.turn) for move in moves)
        taking = [move for move in moves if is_pawn_capture(board, move)]
        self.captures = actions.bits_of(actions.number_of(move, board.turn) for move in taking)
        self.capture_count = len({(move.from_square, move.to_square) for move in taking})
        self.capture_squares = tuple(sorted({move.from_square for move in taking}))

    def _quiet(self, board: chess.Board, king: int) -> int:
        """Out of check: the reach of each man by python-chess's tables, that of pinned men on the pin's line.

        Castling and en passant are python-chess's own moves.
        """
        turn, occupied = board.turn, board.occupied
        own, theirs = board.occupied_co[turn], board.occupied_co[not turn]
        blockers = board._slider_blockers(king)
        leading = actions.leading
        found = 0
        for kind in PIECES:
            men = getattr(board, kind) & own
            while men:
                square = men.bit_length() - 1
                men ^= 1 << square
                reach = 0
                if kind == "knights":
                    reach = chess.BB_KNIGHT_ATTACKS[square]
                if kind in ("bishops", "queens"):
                    reach = chess.BB_DIAG_ATTACKS[square][chess.BB_DIAG_MASKS[square] & occupied]
                if kind in ("rooks", "queens"):
                    reach |= chess.BB_RANK_ATTACKS[square][chess.BB_RANK_MASKS[square] & occupied]
                    reach |= chess.BB_FILE_ATTACKS[square][chess.BB_FILE_MASKS[square] & occupied]
                reach &= ~own
                if blockers >> square & 1:
                    reach &= chess.BB_RAYS[square][king]
                if reach:
                    found |= leading(square, reach, False, turn)
        found |= self._pawns(board, king, blockers, theirs)
        safe = self._safe_steps(board, chess.BB_KING_ATTACKS[king] & ~own)
        if board.castling_rights:
            for move in board.generate_castling_moves():
                safe |= 1 << move.to_square
        return found | leading(king, safe, False, turn) if safe else found

    @staticmethod
    def _safe_steps(board: chess.Board, targets: int) -> int:
        """Those of the king's targets that nobody attacks; out of check no slider attacks through him."""
        turn, occupied = board.turn, board.occupied
        theirs = board.occupied_co[not turn]
        knights, pawns, kings = board.knights & theirs, board.pawns & theirs, board.kings & theirs
        oblique = (board.bishops | board.queens) & theirs
        straight = (board.rooks | board.queens) & theirs
        safe = 0
        while targets:
            square = targets.bit_length() - 1
            targets ^= 1 << square
            if (
                chess.BB_KNIGHT_ATTACKS[square] & knights
                or chess.BB_PAWN_ATTACKS[turn][square] & pawns
                or chess.BB_KING_ATTACKS[square] & kings
            ):
                continue
            if chess.BB_DIAG_ATTACKS[square][chess.BB_DIAG_MASKS[square] & occupied] & oblique:
                continue
            if chess.BB_RANK_ATTACKS[square][chess.BB_RANK_MASKS[square] & occupied] & straight:
                continue
            if chess.BB_FILE_ATTACKS[square][chess.BB_FILE_MASKS[square] & occupied] & straight:
                continue
            safe |= 1 << square
        return safe

    def _pawns(self, board: chess.Board, king: int, blockers: int, theirs: int) -> int:
        turn, empty = board.turn, ~board.occupied
        men = board.pawns & board.occupied_co[turn]
        attacks = chess.BB_PAWN_ATTACKS[turn]
        ahead, second = (8, 1) if turn else (-8, 6)
        passing: dict[int, int] = {}
        if board.ep_square is not None:
            for move in board.generate_pseudo_legal_ep():
                if board.is_legal(move):
                    passing[move.from_square] = 1 << move.to_square
        found = 0
        squares: list[int] = []
        while men:
            square = men.bit_length() - 1
            men ^= 1 << square
            reach = 1 << square + ahead & empty
            if reach and square >> 3 == second:
                reach |= 1 << square + 2 * ahead & empty
            takes = attacks[square] & theirs
            if blockers >> square & 1:
                reach &= chess.BB_RAYS[square][king]
                takes &= chess.BB_RAYS[square][king]
            if passing:
                takes |= passing.get(square, 0)
            if takes:
                self.captures |= actions.leading(square, takes, True, turn)
                self.capture_count += takes.bit_count()
                squares.append(square)
            if reach:
                found |= actions.leading(square, reach, True, turn)
        self.capture_squares = tuple(squares[::-1])
        return found | self.captures
