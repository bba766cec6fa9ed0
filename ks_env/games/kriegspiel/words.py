"""Announcements in words that a person reads and a program reads back, for comments in PGN.

======================================  ====================================================
words                                   field of the announcement
======================================  ====================================================
accepted, illegal, nonsense, yes, no    kind; `accepted` only where nothing else is said
pawn captured on d5                     captured, square
en passant                              en_passant
file check, long diagonal check         checks, one phrase each
2 pawn tries                            tries
a pawn capture, no pawn capture         tries where yes or no is said, not counted
pawn tries from b4 e5                   try_squares
promotion                               promotion
White wins: checkmate                   winner, reason; also `draw: ...` and `stopped: ...`
======================================  ====================================================

Phrases are joined by commas, in this order.
"""

import re
from typing import Any

import chess

from ks_env.core.answers import CHECKS, REASON_TEXT, Kind
from ks_env.games.kriegspiel.announcement import Announcement
from ks_env.games.record import RecordError, end_of, end_words

_KINDS = {Kind.ILLEGAL: "illegal", Kind.NONSENSE: "nonsense", Kind.ANY_YES: "yes", Kind.ANY_NO: "no"}
_KIND_OF = {word: kind for kind, word in _KINDS.items()}
_SQUARE = "[a-h][1-8]"
_CAPTURE = re.compile(rf"(pawn|piece|man) captured on ({_SQUARE})")
_TRIES = re.compile(r"(\d+) pawn (?:try|tries)")
_TRY_SQUARES = re.compile(rf"pawn tries from ({_SQUARE}(?: {_SQUARE})*)")
_YES, _NO = "a pawn capture", "no pawn capture"
_EXPECTED = 'phrases such as "pawn captured on d5", "file check", "2 pawn tries", "draw: stalemate"'


def to_words(heard: Announcement) -> str:
    """The announcement in words, without who tried what.

    Raises:
        RecordError: it says what no referee says, such as a capture without a square.
    """
    parts = [_KINDS[heard.kind]] if heard.kind in _KINDS else []
    if heard.captured is not None and heard.square is not None:
        parts.append(f"{heard.captured} captured on {chess.square_name(heard.square)}")
    if heard.en_passant:
        parts.append("en passant")
    parts += [f"{check} check" for check in heard.checks]
    if heard.tries is not None and heard.counted:
        parts.append(f"{heard.tries} pawn {'try' if heard.tries == 1 else 'tries'}")
    elif heard.tries is not None:
        parts.append(_YES if heard.tries else _NO)
    if heard.try_squares:
        parts.append("pawn tries from " + " ".join(chess.square_name(s) for s in heard.try_squares))
    if heard.promotion:
        parts.append("promotion")
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
        RecordError: a phrase that is not in the table.
    """
    said: dict[str, Any] = {"kind": plain, "by": by, "action": action}
    for phrase in words.split(", "):
        said |= _phrase(phrase, said)
    return Announcement(**said)


def _phrase(phrase: str, said: dict[str, Any]) -> dict[str, Any]:
    if phrase == "accepted":
        return {}
    if phrase in _KIND_OF:
        return {"kind": _KIND_OF[phrase]}
    if phrase == "en passant":
        return {"en_passant": True}
    if phrase == "promotion":
        return {"promotion": True}
    if phrase.removesuffix(" check") in CHECKS:
        return {"checks": (*said.get("checks", ()), phrase.removesuffix(" check"))}
    if found := _CAPTURE.fullmatch(phrase):
        return {"captured": found[1], "square": chess.parse_square(found[2])}
    if phrase in (_YES, _NO):
        return {"tries": int(phrase == _YES), "counted": False}
    if found := _TRIES.fullmatch(phrase):
        return {"tries": int(found[1])}
    if found := _TRY_SQUARES.fullmatch(phrase):
        return {"try_squares": tuple(chess.parse_square(s) for s in found[1].split())}
    if ended := end_of(phrase):
        return ended
    raise RecordError(f"{phrase!r} is not an announcement; expected {_EXPECTED}")
