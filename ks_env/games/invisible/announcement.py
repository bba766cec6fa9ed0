"""What one listener hears in invisible chess, as an object for people, records and players in Python."""

from dataclasses import dataclass
from typing import Any

import chess

from ks_env.core.answers import Kind, Reason
from ks_env.games.invisible.layout import NUMBERS, Why
from ks_env.games.under_way import AnyAnnouncement
from ks_env.games.words import colour_name, end_words

WHY_TEXT = {
    Why.NONE: "",
    Why.BLOCKED: "the way is blocked",
    Why.NOTHING: "there is nothing to capture",
    Why.CHECK: "the king would be in check",
}


@dataclass(frozen=True, slots=True)
class Announcement(AnyAnnouncement):
    """One announcement of invisible chess.

    The kinds are START, ILLEGAL, NONSENSE, MOVED and LOST.

    Attributes:
        start, end: squares of the move that was played; None when nothing moved, and to the opponent of a
            hidden man.
        man: kind of the man that moved, before a promotion; None when nothing moved.
        mover: its number among the hidden men of `by`, 0 for a visible one.
        promoted: kind that the pawn became, or None.
        castled: "king side", "queen side" or None; `rook` is the number of the rook, 0 for a visible one.
        captured: kind of the captured man, or None; `taken` is its number, 0 for a visible one; it stood on
            `square`.
        landing: where the man that captured it stands now.
        why: of an illegal try.
        checkers: squares of the men that give check to the side now to move, or, to an illegal try, would; of
            hidden men only to their owner.
        hidden_checkers: numbers of the hidden men among them.
    """

    start: int | None = None
    end: int | None = None
    man: int | None = None
    mover: int = 0
    promoted: int | None = None
    castled: str | None = None
    rook: int = 0
    captured: int | None = None
    taken: int = 0
    landing: int | None = None
    why: Why = Why.NONE
    checkers: tuple[int, ...] = ()
    hidden_checkers: tuple[int, ...] = ()

    @property
    def check(self) -> bool:
        """Whether the side now to move is told to be in check."""
        return self.kind is Kind.MOVED and bool(self.checkers or self.hidden_checkers)

    def text(self) -> str:
        """The announcement in words, without the try."""
        parts = [part for part in (self._turn_text(), self._capture_text(), self._check_text()) if part]
        if self.reason is not Reason.NONE:
            parts.append(end_words(self.winner, self.reason))
        return ", ".join(parts) or f"{colour_name(self.by)} to move"

    def _turn_text(self) -> str:
        if self.kind is Kind.ILLEGAL:
            return "illegal" + (f": {WHY_TEXT[self.why]}" if self.why is not Why.NONE else "")
        if self.kind is Kind.NONSENSE:
            return "nonsense"
        if self.kind is Kind.LOST:
            return f"{colour_name(self.by)}'s move is impossible: the turn is lost"
        if self.kind is Kind.START or self.man is None:
            return ""
        what = f"{colour_name(self.by)}'s {_man(self.man, self.mover)} moves"
        if self.start is not None and self.end is not None:
            what += f" {chess.square_name(self.start)}-{chess.square_name(self.end)}"
        if self.castled is not None:
            what += f", castling {self.castled}" + (f" with hidden rook {self.rook}" if self.rook else "")
        if self.promoted is not None:
            what += f" and becomes a {chess.piece_name(self.promoted)}"
        return what

    def _capture_text(self) -> str:
        if self.captured is None or self.square is None or self.landing is None:
            return ""
        how = "" if self.square == self.landing else f" en passant, on {chess.square_name(self.landing)}"
        return f"{_man(self.captured, self.taken)} on {chess.square_name(self.square)} is captured{how}"

    def _check_text(self) -> str:
        men = [chess.square_name(square) for square in self.checkers]
        if self.action is None or self.kind is Kind.ILLEGAL:  # to their owner they are among the squares
            men += [f"hidden man {number}" for number in self.hidden_checkers]
        if not men:
            return ""
        return ("by " if self.kind is Kind.ILLEGAL else "check by ") + " and ".join(men)


def _man(kind: int, number: int) -> str:
    name = chess.piece_name(kind)
    return f"hidden {name} {number}" if number else name


def _square(value: Any) -> int | None:
    return int(value) if value >= 0 else None


def _numbers(bits: Any) -> tuple[int, ...]:
    return tuple(n for n in range(1, NUMBERS) if int(bits) >> n & 1)


def announce(said: Any, listener: bool) -> Announcement | None:
    """What the listener hears of a SAID record; None if nothing.

    Args:
        said: for the mover the full record, for the other seat the censored one; at the start the censored.
        listener: who listens.
    """
    by = bool(said["seat"] == 0)
    kind = Kind(int(said["kind"]))
    refused = kind in (Kind.ILLEGAL, Kind.NONSENSE)
    reason = Reason(int(said["reason"]))
    if refused and listener != by and reason is Reason.NONE:
        return None
    winner = None if said["winner"] < 0 else bool(said["winner"] == 0)
    if refused and listener != by:
        return Announcement(Kind.ILLEGAL, by, winner=winner, reason=reason)
    return Announcement(
        kind=kind,
        by=by,
        action=int(said["action"]) if listener == by and kind is not Kind.START else None,
        start=_square(said["start"]),
        end=_square(said["end"]),
        man=int(said["man"]) or None,
        mover=int(said["mover"]),
        promoted=int(said["promoted"]) or None,
        castled=(None, "king side", "queen side")[int(said["castled"])],
        rook=int(said["rook"]),
        captured=int(said["captured"]) or None,
        taken=int(said["taken"]),
        square=_square(said["square"]),
        landing=_square(said["landing"]),
        why=Why(int(said["why"])),
        checkers=tuple(chess.SquareSet(int(said["checkers"]))),
        hidden_checkers=_numbers(said["hidden_checkers"]),
        winner=winner,
        reason=reason,
    )
