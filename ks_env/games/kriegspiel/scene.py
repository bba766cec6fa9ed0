"""What a picture shows of Kriegspiel.

A player's scene is made from that player's own men, ages and announcements alone.
"""

import chess

from ks_env.core.answers import CHECKS, Kind
from ks_env.core.tables import CHECK_LINES
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
        empty_words="empty" if seat is None else "",
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
    with_queen = board.copy(stack=False)
    with_queen.set_piece_at(king, chess.Piece(chess.QUEEN, chess.WHITE))
    seen = with_queen.attacks(king) | chess.BB_KNIGHT_ATTACKS[king]
    lines = chess.SquareSet()
    for check in checks:
        lines |= int(CHECK_LINES[king, CHECKS.index(check)])
    return (seen & lines) - chess.SquareSet(board.occupied)
