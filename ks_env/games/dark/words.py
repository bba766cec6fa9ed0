"""Announcements of dark chess in words that a person reads and a program reads back.

============================  ================================================================
words                         field of the announcement
============================  ================================================================
accepted, illegal, nonsense   kind; `accepted` only where nothing else is said
knight captured on d5         captured, square
White wins: king captured     winner, reason; also `draw: ...` and `stopped: ...`
============================  ================================================================

Phrases are joined by commas, in this order.
"""

import re

import chess

from ks_env.core.answers import Kind
from ks_env.games.dark.announcement import Announcement
from ks_env.games.words import PIECES, Fields, Phrases

_KINDS = {Kind.ILLEGAL: "illegal", Kind.NONSENSE: "nonsense"}
_CAPTURE = re.compile(rf"({'|'.join(PIECES)}) captured on ([a-h][1-8])")


def _write(heard: Announcement) -> list[str]:
    if heard.captured is None or heard.square is None:
        return []
    return [f"{chess.piece_name(heard.captured)} captured on {chess.square_name(heard.square)}"]


def _read(phrase: str, said: Fields) -> Fields:
    if found := _CAPTURE.fullmatch(phrase):
        return {"captured": PIECES[found[1]], "square": chess.parse_square(found[2])}
    return {}


PHRASES = Phrases(
    Announcement, _KINDS, _write, _read, '"illegal", "knight captured on d5", "White wins: king captured"'
)
