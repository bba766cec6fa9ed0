"""What a picture shows of dark chess.

A player's scene is made from its view and its announcements: squares out of sight lie in fog.
"""

import chess

from ks_env.core.actions import action_to_move
from ks_env.core.answers import Kind
from ks_env.games.dark.announcement import Announcement
from ks_env.games.dark.game import DarkGame
from ks_env.games.scene import Scene, announcement_line, status_of, title_of


def scene_of(game: DarkGame, seat: bool | None) -> Scene:
    """Gathers what to draw; `seat` is None for the referee."""
    heard = [_full(pair) for pair in game.log()] if seat is None else game.heard(seat)[1:]
    opening = game.heard(chess.WHITE if seat is None else seat)[0]
    ends = [i for i, a in enumerate(heard) if a.kind is Kind.MOVED]
    turn = heard[ends[-1] + 1 :] if ends else heard
    moves = [heard[i] for i in ends[-2:]]
    known = [_move(a) for a in moves if a.action is not None]
    return Scene(
        title=title_of(seat),
        status=status_of(game),
        seat=seat,
        to_play=game.to_play,
        board=game.board() if seat is None else game.seen_board(seat),
        last=known[-1] if known else None,
        refused=tuple(_move(a) for a in turn if a.action is not None and a.kind is Kind.ILLEGAL),
        captures=tuple(a.square for a in moves if a.square is not None),
        king=None,
        check=chess.SquareSet(),
        said_tries=(),
        ages=None,
        lines=tuple(announcement_line(a, seat) for a in [opening, *heard][-4:]),
        fog=None if seat is None else ~game.seen(seat),
    )


def _full(pair: tuple[Announcement | None, Announcement | None]) -> Announcement:
    """Of what the two heard of one try, what the mover heard."""
    return next(a for a in pair if a is not None and a.action is not None)


def _move(heard: Announcement) -> chess.Move:
    assert heard.action is not None, "only tries that the listener knows"
    return action_to_move(heard.action, heard.by)
