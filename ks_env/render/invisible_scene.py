"""What a picture shows of a game of invisible chess, and the scene of either game.

A player's scene is made from what that player sees and heard alone.
"""

from typing import get_args

import chess

from ks_env.core.game import Game
from ks_env.core.invisible.announcement import Announcement, Kind
from ks_env.core.invisible.game import InvisibleGame
from ks_env.record.words import end_words
from ks_env.render.scene import Scene, Viewpoint, make_scene
from ks_env.spaces.actions import action_to_move, action_to_text

AnyGame = Game | InvisibleGame


def scene_of(game: AnyGame, viewpoint: Viewpoint) -> Scene:
    """Gathers what to draw of a game of either kind.

    Raises:
        ValueError: the viewpoint is none of "referee", "white", "black".
    """
    return (
        invisible_scene(game, viewpoint) if isinstance(game, InvisibleGame) else make_scene(game, viewpoint)
    )


def invisible_scene(game: InvisibleGame, viewpoint: Viewpoint) -> Scene:
    """Gathers what to draw of a game of invisible chess.

    Raises:
        ValueError: the viewpoint is none of "referee", "white", "black".
    """
    if viewpoint not in get_args(Viewpoint):
        raise ValueError(f"viewpoint is {viewpoint!r}; expected one of {', '.join(get_args(Viewpoint))}")
    seat = None if viewpoint == "referee" else viewpoint == "white"
    heard = _heard(game, seat)
    turn, earlier = _split_turn(heard)
    board = game.board() if seat is None else game.seen_board(seat)
    return Scene(
        title="Referee" if seat is None else f"{_name(seat)}’s view",
        status=_status(game),
        seat=seat,
        to_play=game.to_play,
        board=board,
        last=_last_move(earlier),
        refused=tuple(_move(a) for a in turn if a.kind is Kind.ILLEGAL and a.action is not None),
        captures=tuple(a.square for a in _last_turns(earlier) if a.square is not None),
        king=_king_in_check(board, earlier[-1]),
        check=chess.SquareSet(),  # the men that give check are seen, or known by number only
        said_tries=(),
        ages=None,
        lines=tuple(_line(a, seat) for a in heard[-4:]),
    )


def _heard(game: InvisibleGame, seat: bool | None) -> list[Announcement]:
    """What the seat heard, or for the referee what each mover did; the start first."""
    if seat is not None:
        return game.heard(seat)
    full = [a for pair in game.log() for a in pair if a is not None and a.action is not None]
    return [game.heard(chess.WHITE)[0], *full]


def _name(colour: bool) -> str:
    return chess.COLOR_NAMES[colour].capitalize()


def _split_turn(heard: list[Announcement]) -> tuple[list[Announcement], list[Announcement]]:
    """(answers since the last turn, those up to its end); the start ends one."""
    cut = max(i for i, a in enumerate(heard) if a.kind in (Kind.START, Kind.MOVED, Kind.LOST)) + 1
    return heard[cut:], heard[:cut]


def _last_turns(heard: list[Announcement]) -> list[Announcement]:
    """The last turn of either side."""
    return [a for a in heard if a.kind in (Kind.MOVED, Kind.LOST)][-2:]


def _move(heard: Announcement) -> chess.Move:
    assert heard.action is not None, "only tries that the listener knows"
    return action_to_move(heard.action, heard.by)


def _last_move(heard: list[Announcement]) -> chess.Move | None:
    known = [a for a in _last_turns(heard) if a.start is not None and a.end is not None]
    return chess.Move(known[-1].start or 0, known[-1].end or 0) if known else None


def _king_in_check(board: chess.Board, latest: Announcement) -> int | None:
    checked = latest.by if latest.kind is Kind.START else not latest.by
    return board.king(checked) if latest.checkers or latest.hidden_checkers else None


def _line(heard: Announcement, seat: bool | None) -> str:
    """One announcement as a line: who tried what, as far as the listener knows, and the referee's words."""
    if heard.kind is Kind.START:
        return f"Start · {heard.text()}"
    if heard.action is None:
        return heard.text()
    tried = action_to_text(heard.action, heard.by)
    return f"{_name(heard.by)} {tried} · {heard.text()}" if seat is None else f"{tried} · {heard.text()}"


def _status(game: InvisibleGame) -> str:
    if game.to_play is None:
        return end_words(game.winner, game.reason)
    return f"Move {game.board().fullmove_number} · {_name(game.to_play)} to play"
