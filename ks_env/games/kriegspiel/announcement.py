"""What one listener hears, as an object for people, records and players written in Python."""

from dataclasses import dataclass
from typing import Any

import chess

from ks_env.core.answers import CHECKS, Kind, Reason
from ks_env.core.ruleset import PawnTries, Ruleset
from ks_env.games.under_way import AnyAnnouncement
from ks_env.games.words import colour_name, end_words


@dataclass(frozen=True, slots=True)
class Announcement(AnyAnnouncement):
    """One announcement of Kriegspiel.

    Attributes:
        captured: "pawn", "piece", "man" (kind not said), or None.
        en_passant: whether the capture was named as en passant.
        checks: the check types, entries of `CHECKS`; two for a double check.
        tries: pawn tries of the side now to move: their number, or 0 and 1 for no and yes; None if unsaid.
        counted: `tries` is a number, not no or yes.
        try_squares: squares of the pawns that have a capture, where squares are said.
        promotion: whether a promotion was announced.
    """

    captured: str | None = None
    en_passant: bool = False
    checks: tuple[str, ...] = ()
    tries: int | None = None
    counted: bool = True
    try_squares: tuple[int, ...] = ()
    promotion: bool = False

    @property
    def check(self) -> bool:
        """Whether the side now to move is told to be in check."""
        return bool(self.checks)

    def text(self) -> str:
        """The announcement in words, without the try."""
        plain = {Kind.ILLEGAL: "illegal", Kind.NONSENSE: "nonsense", Kind.ANY_YES: "yes", Kind.ANY_NO: "no"}
        if self.kind in plain:
            parts = [plain[self.kind]]
        else:
            parts = [*self._capture_text(), *(f"{check} check" for check in self.checks)]
            if self.promotion:
                parts.append("promotion")
            parts += self._tries_text()
        if self.reason is not Reason.NONE:
            parts.append(end_words(self.winner, self.reason))
            return ", ".join(parts)
        if self.kind in plain:
            return parts[0]
        to_move = self.by if self.kind is Kind.START else not self.by
        head = f"{colour_name(to_move)} to move"
        return ": ".join(part for part in (head, ", ".join(parts)) if part)

    def _capture_text(self) -> list[str]:
        if self.captured is None or self.square is None:
            return []
        how = " en passant" if self.en_passant else ""
        return [f"{self.captured} captured{how} on {chess.square_name(self.square)}"]

    def _tries_text(self) -> list[str]:
        if self.try_squares:
            return ["pawn tries from " + " ".join(chess.square_name(s) for s in self.try_squares)]
        if not self.tries:
            return []
        if not self.counted:
            return ["a pawn capture"]
        return [f"{self.tries} pawn {'try' if self.tries == 1 else 'tries'}"]


def _captured_word(answer: Any, rules: Ruleset) -> str | None:
    if answer["captured"] == 0:
        return None
    if not rules.kind_said:
        return "man"
    return "pawn" if answer["captured"] == chess.PAWN else "piece"


def _capture_square(answer: Any, rules: Ruleset) -> int | None:
    if answer["captured"] == 0:
        return None
    named = rules.en_passant_named and answer["en_passant"]
    return int(answer["landing"] if named else answer["square"])


def may_hear(answer: Any, rules: Ruleset, listener: bool) -> bool:
    """Whether this listener hears the answer at all; both hear the end of the game."""
    by = answer["seat"] == 0
    kind = Kind(int(answer["kind"]))
    if listener == by or answer["reason"] != Reason.NONE:
        return True
    if kind is Kind.ILLEGAL:
        return rules.refusal_heard
    if kind is Kind.NONSENSE:
        return rules.nonsense_heard
    return True


def announce(answer: Any, rules: Ruleset, listener: bool) -> Announcement | None:
    """What the listener hears of one ANSWER record; None if nothing.

    An answer that ends the game by the limit on tries is heard by both. Who may not hear that answer is told
    the end under the word "illegal", whichever the answer was, and not the number of tries.
    """
    if not may_hear(answer, rules, listener):
        return None
    by = bool(answer["seat"] == 0)
    kind = Kind(int(answer["kind"]))
    unheard = kind is Kind.NONSENSE and listener != by and not rules.nonsense_heard
    if kind is Kind.NONSENSE and (unheard or not rules.says_nonsense):
        kind = Kind.ILLEGAL
    winner = int(answer["winner"])
    types = [name for i, name in enumerate(CHECKS) if answer["checks"] >> i & 1]
    if answer["checkers"] == 2 and len(types) == 1:
        types *= 2
    spoken = kind in (Kind.START, Kind.MOVED)
    listed = spoken and rules.pawn_tries is PawnTries.SQUARES
    return Announcement(
        kind=kind,
        by=by,
        action=int(answer["action"]) if listener == by and kind is not Kind.START else None,
        captured=_captured_word(answer, rules),
        square=_capture_square(answer, rules),
        en_passant=bool(rules.en_passant_named and answer["en_passant"]),
        checks=tuple(types),
        tries=_said_tries(answer, rules, kind),
        counted=not (spoken and rules.pawn_tries is PawnTries.YES_NO),
        try_squares=tuple(chess.SquareSet(int(answer["try_squares"]))) if listed else (),
        promotion=bool(rules.promotion_said and answer["promoted"]),
        winner=None if winner < 0 else winner == 0,
        reason=Reason(int(answer["reason"])),
    )


def _said_tries(answer: Any, rules: Ruleset, kind: Kind) -> int | None:
    if kind not in (Kind.START, Kind.MOVED):
        return None
    if rules.pawn_tries is PawnTries.COUNT:
        return int(answer["tries"])
    if rules.pawn_tries is PawnTries.YES_NO:
        return int(answer["tries"] > 0)
    return None
