"""Start positions: FEN to the referee's record, and back to a python-chess board (the edge for people)."""

from collections.abc import Sequence
from typing import Any

import chess
import numpy as np

from ks_env.core.record import Array
from ks_env.core.tables import BOTH_SIDES, CORNERS, MAN_KEYS, RIGHTS_KEYS, SIDE_KEY

MOST_COUNTED = 10_000  # with the limit on plies this keeps 16-bit counters from overflowing
Row = Any  # a record: np.void


def parse_fen(fen: str, rules: type[chess.Board] = chess.Board) -> chess.Board:
    """The position of a FEN.

    Args:
        fen: it.
        rules: the board that knows which positions and moves are legal in the game.

    Raises:
        ValueError: the text is not a FEN, the position cannot be played, or it is over already.
    """
    given: Any = fen
    if not isinstance(given, str):
        raise ValueError(f"bad FEN {fen!r}: expected text")
    try:
        board = rules(fen)
    except ValueError as error:
        raise ValueError(
            f"bad FEN {fen!r}: {error}; expected six fields as in {chess.STARTING_FEN!r}"
        ) from error
    status = board.status() & ~(chess.STATUS_TOO_MANY_CHECKERS | chess.STATUS_IMPOSSIBLE_CHECK)
    if status != chess.STATUS_VALID:
        faults = ", ".join(str(fault.name).lower().replace("_", " ") for fault in chess.Status(status))
        raise ValueError(f"bad FEN {fen!r}: the position is not playable: {faults}")
    if not any(board.legal_moves):
        raise ValueError(f"bad FEN {fen!r}: the side to move has no legal move")
    if board.is_insufficient_material():
        raise ValueError(f"bad FEN {fen!r}: the game is over for lack of material")
    if max(board.halfmove_clock, board.fullmove_number) > MOST_COUNTED:
        raise ValueError(f"bad FEN {fen!r}: expected clock and move number up to {MOST_COUNTED}")
    if len(board.checkers()) > 2:
        raise ValueError(f"bad FEN {fen!r}: {len(board.checkers())} men give check; expected two at most")
    return board


def castling_rights(board: chess.Board) -> int:
    """Rights to castle as bits: White king side 1, queen side 2, Black 4, 8."""
    rights = board.clean_castling_rights()
    return sum(1 << i for i, corner in enumerate(CORNERS) if rights & chess.BB_SQUARES[corner])


def rights_of(board: chess.Board, colour: bool) -> int:
    """Rights of a colour to castle as bits: king side 1, queen side 2."""
    return castling_rights(board) >> (0 if colour else 2) & BOTH_SIDES


def fill_truth(truth: Row, board: chess.Board) -> None:
    """Put a position into a zeroed TRUTH record."""
    key = np.uint64(0)
    for square, piece in board.piece_map().items():
        seat = 0 if piece.color else 1
        man = piece.piece_type | seat << 3
        truth["men"][square] = man
        truth["kinds"][piece.piece_type] |= np.uint64(1 << square)
        truth["seats"][seat] |= np.uint64(1 << square)
        key ^= MAN_KEYS[man, square]
    truth["rights"] = castling_rights(board)
    key ^= RIGHTS_KEYS[castling_rights(board)]
    truth["side"] = 0 if board.turn else 1
    if not board.turn:
        key ^= SIDE_KEY
    truth["ep"] = board.ep_square if board.has_legal_en_passant() and board.ep_square is not None else -1
    truth["key"] = key
    truth["clock"] = board.halfmove_clock
    truth["move_number"] = board.fullmove_number
    truth["winner"] = -1


def fill_own(view: Row, board: chess.Board, seat: int, nowhere: Sequence[str]) -> None:
    """Put into a zeroed VIEW record what a seat knows of itself at the start of any game.

    Args:
        view: the record.
        board: the position.
        seat: 0 White, 1 Black.
        nowhere: fields that hold -1 where there is nothing.
    """
    for field in nowhere:
        view[field] = -1
    view["seat"] = seat
    for square in chess.SquareSet(board.occupied_co[seat == 0]):
        kind, own = board.piece_type_at(square) or 0, square ^ (56 * seat)
        view["men"][own] = kind
        view["kinds"][kind] |= np.uint64(1 << own)
        view["own"] |= np.uint64(1 << own)
    view["rights"] = rights_of(board, seat == 0)
    view["moves"] = board.fullmove_number
    view["fifty"] = board.halfmove_clock


def numbered(rows: Sequence[Row], *, hidden: bool = False) -> Array:
    """Rows of start positions as GAME[K], each with its number; the seats are not told it if it is hidden.

    Raises:
        ValueError: no position is given.
    """
    if not rows:
        raise ValueError("no start position given; expected at least one FEN")
    out = np.zeros(len(rows), rows[0].dtype)
    for i, row in enumerate(rows):
        out[i] = row
    out["truth"]["start"] = np.arange(len(rows))
    out["views"]["start"] = -1 if hidden else np.arange(len(rows))[:, None]
    return out


def groups_of_starts(starts: Array, seat: int) -> list[list[int]]:
    """The start positions in groups that a seat cannot tell apart, numbers in growing order.

    A seat tells two apart by its view alone: its own men, and what is announced of the start. Where the start
    is public the view says which one it is, and every group has one member.

    Args:
        starts: GAME[K], see `start_rows`.
        seat: 0 White, 1 Black.
    """
    groups: dict[bytes, list[int]] = {}
    for i, view in enumerate(starts["views"][:, seat]):
        groups.setdefault(view.tobytes(), []).append(i)
    return list(groups.values())


def alike_fens(fens: Sequence[str], starts: Array, seat: int) -> dict[int, list[str]]:
    """By the number of each start position, those that a seat cannot tell from it, itself included.

    Args:
        fens: the start positions.
        starts: GAME[K], their rows.
        seat: 0 White, 1 Black.
    """
    groups = groups_of_starts(starts, seat)
    return {i: alike for group in groups for alike in [[fens[j] for j in group]] for i in group}


def to_board(truth: Row, rules: type[chess.Board] = chess.Board) -> chess.Board:
    """The referee's board; the en passant square is set only where a capture is legal."""
    board = rules(None)
    men = [int(kind) for kind in truth["kinds"]]
    board.pawns, board.knights, board.bishops, board.rooks, board.queens, board.kings = men[1:]
    white, black = (int(seat) for seat in truth["seats"])
    board.occupied_co[chess.WHITE], board.occupied_co[chess.BLACK] = white, black
    board.occupied = white | black
    for i, corner in enumerate(CORNERS):
        if int(truth["rights"]) >> i & 1:
            board.castling_rights |= chess.BB_SQUARES[corner]
    board.turn = bool(truth["side"] == 0)
    board.ep_square = int(truth["ep"]) if truth["ep"] >= 0 else None
    board.halfmove_clock = int(truth["clock"])
    board.fullmove_number = int(truth["move_number"])
    return board
