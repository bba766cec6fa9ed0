"""Announcements of invisible chess in words that a person reads and a program reads back.

=====================================  =======================================================
words                                  field of the announcement
=====================================  =======================================================
illegal, nonsense, impossible          kind; `accepted` only where nothing else is said
the way is blocked                     why; the other causes too
knight 2 g8-f6, knight 2, pawn e2-e4   man, mover (none for a visible man), start and end
castles king side with rook 1          castled, rook
becomes queen                          promoted
captures bishop 2 on c4                captured, taken, square, landing
captures pawn on d5 landing on d6      the same, en passant
check from a5 h4                       checkers
check from hidden 1 2                  hidden_checkers
White wins: checkmate                  winner, reason; also `draw: ...` and `stopped: ...`
=====================================  =======================================================

Phrases are joined by commas, in this order. A man without a number is visible.
"""

import re

import chess

from ks_env.core.answers import Kind
from ks_env.games.invisible.announcement import WHY_TEXT, Announcement
from ks_env.games.words import PIECES, Fields, Phrases, RecordError

_KINDS = {Kind.ILLEGAL: "illegal", Kind.NONSENSE: "nonsense", Kind.LOST: "impossible"}
_WHY_OF = {text: why for why, text in WHY_TEXT.items() if text}
_MAN = f"({'|'.join(PIECES)})(?: (\\d+))?"
_SQUARE = "([a-h][1-8])"
_MOVE = re.compile(rf"{_MAN}(?: {_SQUARE}-{_SQUARE})?")
_CASTLES = re.compile(r"castles (king side|queen side)(?: with rook (\d+))?")
_BECOMES = re.compile(rf"becomes ({'|'.join(PIECES)})")
_CAPTURES = re.compile(rf"captures {_MAN} on {_SQUARE}(?: landing on {_SQUARE})?")
_CHECKS = re.compile(r"check from ([a-h][1-8](?: [a-h][1-8])*)")
_HIDDEN_CHECKS = re.compile(r"check from hidden (\d+(?: \d+)*)")
_EXAMPLES = '"knight 2", "pawn e2-e4", "captures pawn on d5", "check from hidden 1"'


def _write(heard: Announcement) -> list[str]:
    parts = [WHY_TEXT[heard.why]] if WHY_TEXT[heard.why] else []
    parts += _move_words(heard)
    if heard.checkers:
        parts.append("check from " + " ".join(chess.square_name(s) for s in heard.checkers))
    if heard.hidden_checkers:
        parts.append("check from hidden " + " ".join(map(str, heard.hidden_checkers)))
    return parts


def _man(kind: int, number: int) -> str:
    return chess.piece_name(kind) + (f" {number}" if number else "")


def _move_words(heard: Announcement) -> list[str]:
    parts = [] if heard.man is None else [_man(heard.man, heard.mover)]
    if parts and heard.start is not None and heard.end is not None:
        parts[0] += f" {chess.square_name(heard.start)}-{chess.square_name(heard.end)}"
    if heard.castled is not None:
        parts.append(f"castles {heard.castled}" + (f" with rook {heard.rook}" if heard.rook else ""))
    if heard.promoted is not None:
        parts.append(f"becomes {chess.piece_name(heard.promoted)}")
    if heard.captured is not None and heard.square is not None and heard.landing is not None:
        landing = "" if heard.landing == heard.square else f" landing on {chess.square_name(heard.landing)}"
        parts.append(
            f"captures {_man(heard.captured, heard.taken)} on {chess.square_name(heard.square)}{landing}"
        )
    return parts


def _read(phrase: str, said: Fields) -> Fields:
    if phrase in _WHY_OF:
        return {"why": _WHY_OF[phrase]}
    if found := _CHECKS.fullmatch(phrase):
        return {"checkers": tuple(chess.parse_square(s) for s in found[1].split())}
    if found := _HIDDEN_CHECKS.fullmatch(phrase):
        return {"hidden_checkers": tuple(int(n) for n in found[1].split())}
    return _move_phrase(phrase)


def _move_phrase(phrase: str) -> Fields:
    if found := _MOVE.fullmatch(phrase):
        squares = [None if s is None else chess.parse_square(s) for s in found.group(3, 4)]
        man = {"man": PIECES[found[1]], "mover": int(found[2] or 0)}
        return man | dict(zip(("start", "end"), squares, strict=True))
    if found := _CASTLES.fullmatch(phrase):
        return {"castled": found[1], "rook": int(found[2] or 0)}
    if found := _BECOMES.fullmatch(phrase):
        return {"promoted": PIECES[found[1]]}
    if found := _CAPTURES.fullmatch(phrase):
        square = chess.parse_square(found[3])
        landing = chess.parse_square(found[4]) if found[4] else square
        taken = {"captured": PIECES[found[1]], "taken": int(found[2] or 0)}
        return taken | {"square": square, "landing": landing}
    return {}


class _InvisiblePhrases(Phrases[Announcement]):
    def from_words(self, words: str, plain: Kind, by: bool, action: int | None) -> Announcement:
        """See `Phrases.from_words`.

        Raises:
            RecordError: also for a move that does not say what moved.
        """
        heard = super().from_words(words, plain, by, action)
        if heard.kind is Kind.MOVED and heard.man is None:
            raise RecordError(f"{words!r} does not say what moved; expected phrases such as {_EXAMPLES}")
        return heard


PHRASES = _InvisiblePhrases(Announcement, _KINDS, _write, _read, _EXAMPLES)
