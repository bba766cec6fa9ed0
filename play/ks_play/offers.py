"""Offers of a draw. They are made in the open: both seats hear the same of them."""

import json
from typing import Any

import chess

from ks_env.games.words import colour_name
from ks_play.refusals import Refusal


class Offers:
    """The offers of one game: one stands at most, and a seat offers once between two of its moves."""

    def __init__(self) -> None:
        self.by: bool | None = None  # whose offer stands
        self._latest: dict[bool, int] = {}  # half-moves played when a seat last offered

    def to_json(self) -> str:
        """All of it, to be kept."""
        return json.dumps([self.by, [self._latest.get(seat) for seat in chess.COLORS]])

    @classmethod
    def from_json(cls, text: str | None, plies: int, mover: bool | None) -> "Offers":
        """The offers as they were kept; one that was not answered in time has lapsed.

        Args:
            text: what `to_json` gave; None for no offers.
            plies: half-moves played by now.
            mover: whose turn it is; None after the end.
        """
        offers = cls()
        if text is None:
            return offers
        offers.by, latest = json.loads(text)
        offers._latest = {seat: at for seat, at in zip(chess.COLORS, latest, strict=True) if at is not None}
        if offers.by is not None:
            moved = plies - offers._latest[offers.by]
            if mover is None or moved > 1 or (moved == 1 and mover == offers.by):
                offers.by = None
        return offers

    def make(self, seat: bool, plies: int) -> dict[str, Any]:
        """A seat offers a draw.

        Args:
            seat: colour.
            plies: half-moves played until now.

        Returns:
            What both seats are sent.

        Raises:
            Refusal: an offer stands, or the seat has not moved since its last one.
        """
        if self.by == seat:
            raise Refusal("your offer stands already")
        if self.by is not None:
            raise Refusal("your opponent has offered a draw; accept it or decline it")
        if plies < self._latest.get(seat, -2) + 2:
            raise Refusal("you have offered a draw; make a move before you offer again")
        self.by, self._latest[seat] = seat, plies
        return self.values(f"{colour_name(seat)} offers a draw")

    def answer(self, seat: bool) -> None:
        """A seat answers the offer of the other one, which stands no more.

        Raises:
            Refusal: nothing was offered.
        """
        if self.by != (not seat):
            raise Refusal("there is no offer of a draw to answer")
        self.by = None

    def lapse(self, mover: bool) -> dict[str, Any] | None:
        """A turn is over: the offer that the mover did not answer has lapsed; what both seats are sent."""
        if self.by != (not mover):
            return None
        self.by = None
        return self.values("The offer of a draw has lapsed")

    def values(self, words: str = "") -> dict[str, Any]:
        """What both seats are shown."""
        return {"type": "draw", "by": None if self.by is None else chess.COLOR_NAMES[self.by], "words": words}
