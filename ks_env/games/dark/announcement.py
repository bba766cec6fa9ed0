"""What one listener hears in dark chess, as an object for people, records and players written in Python."""

from dataclasses import dataclass
from typing import Any

import chess

from ks_env.core.answers import Kind, Reason
from ks_env.games.under_way import AnyAnnouncement
from ks_env.games.words import colour_name, end_words


@dataclass(frozen=True, slots=True)
class Announcement(AnyAnnouncement):
    """One announcement of dark chess.

    What stands on the board is seen, not said: the capturer's square and kind are told to nobody. The kinds
    are START, ILLEGAL, NONSENSE and MOVED; there is no check.

    Attributes:
        captured: kind of the captured man, or None; `square` is where it stood.
    """

    captured: int | None = None

    @property
    def check(self) -> bool:
        """There is no check."""
        return False

    def text(self) -> str:
        """The announcement in words, without the try."""
        parts = []
        if self.kind in (Kind.ILLEGAL, Kind.NONSENSE):
            parts.append(self.kind.name.lower())
        elif self.reason is Reason.NONE:
            to_move = self.by if self.kind is Kind.START else not self.by
            parts.append(f"{colour_name(to_move)} to move")
        if self.captured is not None and self.square is not None:
            parts.append(f"{chess.piece_name(self.captured)} captured on {chess.square_name(self.square)}")
        if self.reason is not Reason.NONE:
            parts.append(end_words(self.winner, self.reason))
        return ", ".join(parts)


def announce(answer: Any, listener: bool) -> Announcement | None:
    """What the listener hears of one ANSWER record; None if nothing.

    Who tries is alone with his refused tries. The end of the game by the limit on tries is heard by both, by
    the other player under the word "illegal", whichever the answer was.
    """
    by = bool(answer["seat"] == 0)
    kind = Kind(int(answer["kind"]))
    reason = Reason(int(answer["reason"]))
    if kind in (Kind.ILLEGAL, Kind.NONSENSE) and listener != by:
        if reason is Reason.NONE:
            return None
        kind = Kind.ILLEGAL
    return Announcement(
        kind=kind,
        by=by,
        action=int(answer["action"]) if listener == by and kind is not Kind.START else None,
        captured=int(answer["captured"]) or None,
        square=int(answer["square"]) if answer["captured"] else None,
        winner=None if answer["winner"] < 0 else bool(answer["winner"] == 0),
        reason=reason,
    )
