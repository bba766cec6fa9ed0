"""What a seat is sent: made from what it was told, and from its own men, alone."""

import base64
from typing import Any

import chess
import numpy as np

from ks_env.core.actions import ANY
from ks_env.core.answers import Kind
from ks_env.core.tables import TRY_FROM, TRY_TO
from ks_env.games.scene import announcement_line, make_scene
from ks_env.games.under_way import AnyAnnouncement, GameUnderWay
from ks_env.render.belief_data import by_square
from ks_env.render.ghosts import Ghosts
from ks_env.render.replay import scene_values


def told(game: GameUnderWay[Any], seat: bool, since: int, end: str | None) -> dict[str, Any]:
    """The game as it stands for a seat.

    Args:
        game: the game.
        seat: colour.
        since: how many announcements it was sent before.
        end: how the game ended, if otherwise than by its rules.
    """
    heard = game.heard(seat)
    scene = scene_values(make_scene(game, "white" if seat else "black"))
    if end is not None:
        scene |= {"to_play": None, "status": end}
    turn = game.to_play == seat and end is None
    tries = np.flatnonzero(game.mask(seat)) if turn else np.zeros(0, np.int64)
    return {
        "type": "told",
        "since": since,
        "lines": _lines(game, seat)[since:],
        "scene": scene,
        "turn": turn,
        "tries": _squares(tries[tries != ANY], seat),
        "any": bool((tries == ANY).any()),
        "asked": sum(a.action is not None for a in heard),
        "over": scene["to_play"] is None,
    }


def _squares(tries: Any, seat: bool) -> list[list[int]]:
    """From and to of each, as absolute squares; under-promotions are not told apart."""
    mirror = 0 if seat else 56
    pairs = {(int(TRY_FROM[action]) ^ mirror, int(TRY_TO[action]) ^ mirror) for action in tries}
    return [list(pair) for pair in sorted(pairs)]


def _lines(game: GameUnderWay[Any], seat: bool) -> list[dict[str, Any]]:
    """All that the seat heard, with the number of the move."""
    number = chess.Board(game.start_fen).fullmove_number
    lines = []
    for announcement in game.heard(seat):
        lines.append(_line(announcement, seat) | {"number": number})
        number += announcement.kind.ends_turn and announcement.by == chess.BLACK
    return lines


def _line(heard: AnyAnnouncement, seat: bool) -> dict[str, Any]:
    return {
        "text": announcement_line(heard, seat),
        "kind": heard.kind.name.lower(),
        "own": heard.by == seat and heard.kind is not Kind.START,
        "check": heard.check,
        "captured": heard.square is not None,
    }


def belief(ghosts: Ghosts) -> dict[str, Any]:
    """What a seat holds possible: by square the kinds and the age, u1[64, 2], and what there is at most."""
    return {
        "squares": base64.b64encode(by_square(ghosts).tobytes()).decode(),
        "most": [int(n) for n in ghosts.most],
        "entropy": round(ghosts.entropy, 1),
    }
