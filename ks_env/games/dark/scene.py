"""What a picture shows of dark chess.

A player's scene is made from its view and its announcements: squares out of sight lie under a shade.
"""

import chess

from ks_env.core.answers import Kind
from ks_env.games.dark.game import DarkGame
from ks_env.games.scene import (
    LegendEntry,
    Scene,
    announcement_line,
    heard_in_full,
    known_move,
    status_of,
    title_of,
)

UNSEEN = "out of sight"


def scene_of(game: DarkGame, seat: bool | None) -> Scene:
    """Gathers what to draw; `seat` is None for the referee."""
    opening, heard = heard_in_full(game, seat)
    ends = [i for i, a in enumerate(heard) if a.kind is Kind.MOVED]
    turn = heard[ends[-1] + 1 :] if ends else heard
    moves = [heard[i] for i in ends[-2:]]
    known = [m for a in moves if (m := known_move(a))]
    return Scene(
        title=title_of(seat),
        status=status_of(game),
        seat=seat,
        to_play=game.to_play,
        board=game.board() if seat is None else game.seen_board(seat),
        last=known[-1] if known else None,
        refused=tuple(m for a in turn if a.kind is Kind.ILLEGAL and (m := known_move(a))),
        captures=tuple(a.square for a in moves if a.square is not None),
        lines=tuple(announcement_line(a, seat) for a in [opening, *heard][-4:]),
        shaded=chess.SquareSet() if seat is None else ~game.seen(seat),
        shade_words=UNSEEN,
        legend=() if seat is None else (LegendEntry("shade", UNSEEN, UNSEEN),),
    )
