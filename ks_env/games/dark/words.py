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
from typing import Any

import chess

from ks_env.core.answers import REASON_TEXT, Kind
from ks_env.games.dark.announcement import Announcement
from ks_env.games.record import RecordError, end_of, end_words

_KINDS = {Kind.ILLEGAL: "illegal", Kind.NONSENSE: "nonsense"}
_KIND_OF = {word: kind for kind, word in _KINDS.items()}
_PIECES = {name: kind for kind, name in enumerate(chess.PIECE_NAMES) if name}
_CAPTURE = re.compile(rf"({'|'.join(_PIECES)}) captured on ([a-h][1-8])")
_EXPECTED = 'phrases such as "illegal", "knight captured on d5", "White wins: king captured"'


def to_words(heard: Announcement) -> str:
    """The announcement in words, without who tried what.

    Raises:
        RecordError: it says what no referee says, such as a capture without a square.
    """
    parts = [_KINDS[heard.kind]] if heard.kind in _KINDS else []
    if heard.captured is not None and heard.square is not None:
        parts.append(f"{chess.piece_name(heard.captured)} captured on {chess.square_name(heard.square)}")
    if heard.reason in REASON_TEXT:
        parts.append(end_words(heard.winner, heard.reason))
    words = ", ".join(parts) or "accepted"
    if from_words(words, heard.kind, heard.by, heard.action) != heard:
        raise RecordError(f"{heard} says what no referee says")
    return words


def from_words(words: str, plain: Kind, by: bool, action: int | None) -> Announcement:
    """The announcement of these words.

    Args:
        words: as `to_words` writes them.
        plain: the kind where the words name none: START or MOVED.
        by: colour whose try was answered.
        action: the try, if the listener made it.

    Raises:
        RecordError: a phrase that is none of the table.
    """
    said: dict[str, Any] = {"kind": plain, "by": by, "action": action}
    for phrase in words.split(", "):
        said |= _phrase(phrase)
    return Announcement(**said)


def _phrase(phrase: str) -> dict[str, Any]:
    if phrase == "accepted":
        return {}
    if phrase in _KIND_OF:
        return {"kind": _KIND_OF[phrase]}
    if found := _CAPTURE.fullmatch(phrase):
        return {"captured": _PIECES[found[1]], "square": chess.parse_square(found[2])}
    if ended := end_of(phrase):
        return ended
    raise RecordError(f"{phrase!r} is no announcement; expected {_EXPECTED}")
