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

import chess

from ks_env.core.answers import CHECKS, Kind
from ks_env.games.kriegspiel.announcement import Announcement
from ks_env.games.words import Fields, Phrases

_KINDS = {Kind.ILLEGAL: "illegal", Kind.NONSENSE: "nonsense", Kind.ANY_YES: "yes", Kind.ANY_NO: "no"}
_SQUARE = "[a-h][1-8]"
_CAPTURE = re.compile(rf"(pawn|piece|man) captured on ({_SQUARE})")
_TRIES = re.compile(r"(\d+) pawn (?:try|tries)")
_TRY_SQUARES = re.compile(rf"pawn tries from ({_SQUARE}(?: {_SQUARE})*)")
_YES, _NO = "a pawn capture", "no pawn capture"


def _write(heard: Announcement) -> list[str]:
    parts = []
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
    return parts


def _read(phrase: str, said: Fields) -> Fields:
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
    return {}


PHRASES = Phrases(
    Announcement,
    _KINDS,
    _write,
    _read,
    '"pawn captured on d5", "file check", "2 pawn tries", "draw: stalemate"',
)
