"""What a picture shows of a game from one viewpoint, gathered before anything is drawn.

A player's scene is made from that player's own men, ages and announcements alone.
"""

from dataclasses import dataclass
from typing import Literal, get_args

import chess
import numpy as np
from numpy.typing import NDArray

from ks_env.core.announcement import Announcement, Kind
from ks_env.core.game import Game
from ks_env.record.words import end_words
from ks_env.render.ghosts import Ghosts
from ks_env.spaces.actions import ANY, action_to_move, action_to_text

Viewpoint = Literal["referee", "white", "black"]


@dataclass(frozen=True)
class Scene:
    """One picture's content. Squares are python-chess squares.

    Attributes:
        title: whose view this is.
        status: move number and who is to play, or how the game ended.
        seat: whose view; None for the referee.
        to_play: who is to play; None when the game is over.
        board: the men to draw.
        last: the latest move that this viewpoint knows in full.
        refused: moves refused this turn that this viewpoint knows.
        captures: squares of captures announced in the last turn of either side.
        king: the king in check, if its square is known here.
        check: squares from which that check may come.
        said_tries: squares of pawns announced to have a capture.
        ages: u1[64], opponent turns since this player last had information; None for the referee.
        lines: announcements, the newest last.
        ghosts: what the seat holds possible of its opponent, to be drawn; `ages` are then those of its
            metaposition. See `following.believing_scene`.
    """

    title: str
    status: str
    seat: bool | None
    to_play: bool | None
    board: chess.Board
    last: chess.Move | None
    refused: tuple[chess.Move, ...]
    captures: tuple[int, ...]
    king: int | None
    check: chess.SquareSet
    said_tries: tuple[int, ...]
    ages: NDArray[np.uint8] | None
    lines: tuple[str, ...]
    ghosts: Ghosts | None = None

    @property
    def orientation(self) -> bool:
        """Colour at the bottom of the board."""
        return chess.BLACK if self.seat == chess.BLACK else chess.WHITE


def make_scene(game: Game, viewpoint: Viewpoint) -> Scene:
    """Gathers what to draw.

    Raises:
        ValueError: the viewpoint is none of "referee", "white", "black".
    """
    if viewpoint not in get_args(Viewpoint):
        raise ValueError(f"viewpoint is {viewpoint!r}; expected one of {', '.join(get_args(Viewpoint))}")
    seat = None if viewpoint == "referee" else viewpoint == "white"
    board = game.board() if seat is None else game.own_board(seat)
    heard = [_full(pair) for pair in game.log()] if seat is None else game.heard(seat)[1:]
    opening = game.heard(chess.WHITE if seat is None else seat)[0]
    turn, earlier = _split_turn(heard)
    latest = earlier[-1] if earlier else opening
    king = _king_in_check(board, latest, seat)
    return Scene(
        title="Referee" if seat is None else f"{_name(seat)}’s view",
        status=_status(game),
        seat=seat,
        to_play=game.to_play,
        board=board,
        last=_last_move(board, earlier),
        refused=tuple(_move(a) for a in turn if a.action not in (None, ANY) and a.kind is Kind.ILLEGAL),
        captures=tuple(a.square for a in _last_moves(earlier) if a.square is not None),
        king=king,
        check=_check_squares(board, king, latest.checks) if king is not None and seat is not None else _NONE,
        said_tries=latest.try_squares,
        ages=None if seat is None else game.ages(seat),
        lines=tuple(announcement_line(a, seat) for a in [opening, *heard][-4:]),
    )


_NONE = chess.SquareSet()


def _name(colour: bool) -> str:
    return chess.COLOR_NAMES[colour].capitalize()


def _full(pair: tuple[Announcement | None, Announcement | None]) -> Announcement:
    """Of what the two heard of one try, what the mover heard."""
    return next(a for a in pair if a is not None and a.action is not None)


def announcement_line(heard: Announcement, seat: bool | None) -> str:
    """One announcement as a line: who tried what, as far as the listener knows, and the referee's words.

    Args:
        heard: the announcement.
        seat: who listens; None for the referee.
    """
    if heard.kind is Kind.START:
        return f"Start · {heard.text()}"
    if heard.action is None:
        return _overheard(heard)
    tried = action_to_text(heard.action, heard.by)
    return f"{_name(heard.by)} {tried} · {heard.text()}" if seat is None else f"{tried} · {heard.text()}"


def _overheard(heard: Announcement) -> str:
    """What a listener hears of the opponent's try."""
    if heard.kind is Kind.MOVED:
        return heard.text()
    asked = heard.kind in (Kind.ANY_YES, Kind.ANY_NO)
    return f"{_name(heard.by)} {'asks any?' if asked else 'tries'} · {heard.text()}"


def _split_turn(heard: list[Announcement]) -> tuple[list[Announcement], list[Announcement]]:
    """(answers since the last move, those up to and with it)."""
    moves = [i for i, a in enumerate(heard) if a.kind is Kind.MOVED]
    cut = moves[-1] + 1 if moves else 0
    return heard[cut:], heard[:cut]


def _last_moves(heard: list[Announcement]) -> list[Announcement]:
    """The last move of either side."""
    return [a for a in heard if a.kind is Kind.MOVED][-2:]


def _move(heard: Announcement) -> chess.Move:
    assert heard.action is not None, "only tries that the listener knows"
    return action_to_move(heard.action, heard.by)


def _last_move(board: chess.Board, heard: list[Announcement]) -> chess.Move | None:
    known = [a for a in _last_moves(heard) if a.action is not None]
    return _move(known[-1]) if known else None


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


def _status(game: Game) -> str:
    if game.to_play is None:
        return end_words(game.winner, game.reason)
    return f"Move {game.board().fullmove_number} · {_name(game.to_play)} to play"
