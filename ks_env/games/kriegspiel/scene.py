"""What a picture shows of Kriegspiel.

A player's scene is made from that player's own men, ages and announcements alone.
"""

import chess

from ks_env.core.answers import Kind
from ks_env.games.kriegspiel.announcement import Announcement
from ks_env.games.kriegspiel.game import Game
from ks_env.games.scene import Scene, announcement_line, heard_in_full, known_move, status_of, title_of


def scene_of(game: Game, seat: bool | None) -> Scene:
    """Gathers what to draw; `seat` is None for the referee."""
    board = game.board() if seat is None else game.own_board(seat)
    opening, heard = heard_in_full(game, seat)
    turn, earlier = _split_turn(heard)
    latest = earlier[-1] if earlier else opening
    moves = [m for a in _last_moves(earlier) if (m := known_move(a))]
    king = _king_in_check(board, latest, seat)
    return Scene(
        title=title_of(seat),
        status=status_of(game),
        seat=seat,
        to_play=game.to_play,
        board=board,
        last=moves[-1] if moves else None,
        refused=tuple(m for a in turn if a.kind is Kind.ILLEGAL and (m := known_move(a))),
        captures=tuple(a.square for a in _last_moves(earlier) if a.square is not None),
        king=king,
        check=_check_squares(board, king, latest.checks) if king is not None and seat is not None else _NONE,
        said_tries=latest.try_squares,
        ages=None if seat is None else game.ages(seat),
        lines=tuple(announcement_line(a, seat) for a in [opening, *heard][-4:]),
    )


_NONE = chess.SquareSet()


def _split_turn(heard: list[Announcement]) -> tuple[list[Announcement], list[Announcement]]:
    """(answers since the last move, those up to and with it)."""
    moves = [i for i, a in enumerate(heard) if a.kind is Kind.MOVED]
    cut = moves[-1] + 1 if moves else 0
    return heard[cut:], heard[:cut]


def _last_moves(heard: list[Announcement]) -> list[Announcement]:
    """The last move of either side."""
    return [a for a in heard if a.kind is Kind.MOVED][-2:]


def _king_in_check(board: chess.Board, latest: Announcement, seat: bool | None) -> int | None:
    checked = latest.by if latest.kind is Kind.START else not latest.by
    return board.king(checked) if latest.checks and seat in (None, checked) else None


def _check_squares(board: chess.Board, king: int, checks: tuple[str, ...]) -> chess.SquareSet:
    """Squares from which such checks can come, judging by the men on this board."""
    squares = chess.SquareSet()
    for check in checks:
        if check == "knight":
            squares |= chess.SquareSet(chess.BB_KNIGHT_ATTACKS[king])
        else:
            squares |= chess.SquareSet(s for s in _queen_wise(board, king) if _check_type(king, s) == check)
    return squares - chess.SquareSet(board.occupied)


def _queen_wise(board: chess.Board, square: int) -> chess.SquareSet:
    """Squares that a queen would attack from here."""
    with_queen = board.copy(stack=False)
    with_queen.set_piece_at(square, chess.Piece(chess.QUEEN, chess.WHITE))
    return with_queen.attacks(square)


def _check_type(king: int, square: int) -> str | None:
    """The name of the line through both squares, as seen from the king."""
    file, rank = chess.square_file(king), chess.square_rank(king)
    across, up = chess.square_file(square) - file, chess.square_rank(square) - rank
    if up == 0:
        return "rank"
    if across == 0:
        return "file"
    if abs(across) != abs(up):
        return None
    rising, falling = 8 - abs(file - rank), 8 - abs(file + rank - 7)
    return "long diagonal" if (across == up) == (rising > falling) else "short diagonal"
