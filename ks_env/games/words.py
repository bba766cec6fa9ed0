"""Announcements in words that a person reads and a program reads back: what all games have in common."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import chess

from ks_env.core.answers import REASON_TEXT, Kind, Reason
from ks_env.games.under_way import AnyAnnouncement

A = TypeVar("A", bound=AnyAnnouncement)
Fields = dict[str, Any]  # of an announcement

_REASON_OF = {text: reason for reason, text in REASON_TEXT.items()}
_END = re.compile(r"(White wins|Black wins|draw|stopped): (.+)")
_WINNERS = {"White wins": chess.WHITE, "Black wins": chess.BLACK, "draw": None, "stopped": None}
PIECES = {name: kind for kind, name in enumerate(chess.PIECE_NAMES) if name}  # kinds of men by their names


class RecordError(ValueError):
    """A record that is truncated, damaged, of another version, or does not replay."""


def colour_name(colour: bool) -> str:
    """White or Black."""
    return chess.COLOR_NAMES[colour].capitalize()


def end_words(winner: bool | None, reason: Reason) -> str:
    """How a game ended, such as `White wins: checkmate`, `draw: stalemate`, `stopped: limit on plies`."""
    if winner is None:
        outcome = "stopped" if reason is Reason.PLIES else "draw"
    else:
        outcome = f"{colour_name(winner)} wins"
    return f"{outcome}: {REASON_TEXT[reason]}"


def end_of(phrase: str) -> Fields:
    """The fields of an announcement that `end_words` told; empty if the phrase is of another kind."""
    if (found := _END.fullmatch(phrase)) and found[2] in _REASON_OF:
        return {"winner": _WINNERS[found[1]], "reason": _REASON_OF[found[2]]}
    return {}


@dataclass(frozen=True)
class Phrases(Generic[A]):
    """How a game's announcements are written: phrases joined by commas.

    First comes the kind, where it has a word; last how the game ended. Where nothing is said, it is
    `accepted`.

    Attributes:
        announcement: makes an announcement of its fields.
        kinds: the kinds that have a word.
        write: the phrases between kind and end.
        read: (phrase, fields so far): the fields that such a phrase tells; empty if there is no such phrase.
        examples: of phrases, for messages.
    """

    announcement: Callable[..., A]
    kinds: Mapping[Kind, str]
    write: Callable[[A], list[str]]
    read: Callable[[str, Fields], Fields]
    examples: str

    def to_words(self, heard: A) -> str:
        """The announcement in words, without who tried what.

        Raises:
            RecordError: it says what no referee says, such as a capture without a square.
        """
        parts = [self.kinds[heard.kind]] if heard.kind in self.kinds else []
        parts += self.write(heard)
        if heard.reason in REASON_TEXT:
            parts.append(end_words(heard.winner, heard.reason))
        words = ", ".join(parts) or "accepted"
        if self.from_words(words, heard.kind, heard.by, heard.action) != heard:
            raise RecordError(f"{heard} says what no referee says")
        return words

    def from_words(self, words: str, plain: Kind, by: bool, action: int | None) -> A:
        """The announcement of these words.

        Args:
            words: as `to_words` writes them.
            plain: the kind where the words name none: START or MOVED.
            by: colour whose try was answered.
            action: the try, if the listener made it.

        Raises:
            RecordError: there is no such phrase.
        """
        kinds = {word: kind for kind, word in self.kinds.items()}
        said: Fields = {"kind": plain, "by": by, "action": action}
        for phrase in words.split(", "):
            if phrase in kinds:
                said["kind"] = kinds[phrase]
            elif phrase != "accepted":
                told = self.read(phrase, said) or end_of(phrase)
                if not told:
                    raise RecordError(
                        f"{phrase!r} is not an announcement; expected phrases such as {self.examples}"
                    )
                said |= told
        return self.announcement(**said)
