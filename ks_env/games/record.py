"""What the records of all games have in common: what was tried, what the referee said, how it ended."""

import json
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Generic, Self, TypeVar

import chess

from ks_env.core.actions import action_to_text
from ks_env.core.answers import Kind, Reason
from ks_env.core.ruleset import Ruleset
from ks_env.games.definition import GameDefinition
from ks_env.games.under_way import AnyAnnouncement, GameUnderWay
from ks_env.games.words import RecordError, colour_name

SCHEMA_VERSION = 1
RESULTS = {chess.WHITE: "1-0", chess.BLACK: "0-1", None: "1/2-1/2"}
NO_RESULT = (Reason.NONE, Reason.PLIES)  # broken off, and cut short

A = TypeVar("A", bound=AnyAnnouncement)
G = TypeVar("G", bound=GameUnderWay[Any])


def seat_index(colour: bool) -> int:
    """0 for White, 1 for Black."""
    return 0 if colour == chess.WHITE else 1


@dataclass(frozen=True)
class AnyTry(Generic[A]):
    """One answered try.

    Attributes:
        seat: colour that tried.
        action: 0..1858, in the frame of `seat`.
        heard: what White heard and what Black heard; None for who heard nothing. The mover always hears.
    """

    seat: bool
    action: int
    heard: tuple[A | None, A | None]

    @property
    def answer(self) -> A:
        """What the mover heard."""
        answer = self.heard[seat_index(self.seat)]
        assert answer is not None, "a record checks that the mover hears every answer"
        return answer

    @property
    def accepted(self) -> bool:
        """Whether the move was played."""
        return self.answer.kind is Kind.MOVED

    @property
    def ends_turn(self) -> bool:
        """Whether the other side was to move after it: the move was played, or the turn lost."""
        return self.answer.kind.ends_turn

    def text(self) -> str:
        """The try in UCI text, or `any?`."""
        return action_to_text(self.action, self.seat)


@dataclass(frozen=True)
class AnyRecord(ABC, Generic[A, G]):
    """One game as the referee saw it. Two records are equal when every field is.

    Attributes:
        ruleset: the rules, with their options.
        start_fen: the position at the start.
        start: what White and Black heard before the first try.
        tries: every answered try in order: moves, refusals, nonsense and questions.
        white, black: names of the players.
        event, date: as in a PGN header.
        seeds: seeds by what they were for, such as {"game": 1, "white": 2}.
        metadata: anything else, as JSON values; among them may be what `ended_otherwise` gives.
    """

    KINDS: ClassVar[frozenset[Kind]]  # what the referee of this game may answer to a try
    EXTRA: ClassVar[tuple[str, str] | None] = None  # a field of this game's records, and its header in PGN
    definition: ClassVar[GameDefinition]  # set by the game

    ruleset: Ruleset
    start_fen: str
    start: tuple[A | None, A | None]
    tries: tuple[AnyTry[A], ...]
    white: str = "White"
    black: str = "Black"
    event: str = "?"
    date: str = "????.??.??"
    seeds: Mapping[str, int] = field(default_factory=dict, hash=False)
    metadata: Mapping[str, Any] = field(default_factory=dict, hash=False)

    def __post_init__(self) -> None:
        """Refuse what no game could have produced.

        Raises:
            RecordError: naming the field, or the number of the try, and what was expected.
        """
        for name in ("white", "black", "event", "date"):
            if not getattr(self, name).isprintable():
                raise RecordError(f"{name} is {getattr(self, name)!r}; expected one line of printable text")
        if not all(type(seed) is int for seed in self.seeds.values()):
            raise RecordError(f"seeds is {self.seeds!r}; expected integers by name")
        _check_metadata(self.metadata)
        _check_tries(self)

    @classmethod
    def from_game(cls, game: G, white: str = "White", black: str = "Black", **values: Any) -> Self:
        """The record of a game so far.

        Args:
            white: name of the player.
            black: name of the player.
            **values: other fields of the record: `event`, `date`, `seeds`, `metadata`.
        """
        if cls.EXTRA is not None:
            values[cls.EXTRA[0]] = getattr(game, cls.EXTRA[0])
        opening = (game.heard(chess.WHITE)[0], game.heard(chess.BLACK)[0])
        tries = tuple(AnyTry(*who_tried(heard), heard) for heard in game.log())
        return cls(game.ruleset, game.start_fen, opening, tries, white, black, **values)

    @property
    def extra(self) -> Any:
        """The value of the field that this game's records have more than others."""
        return None if self.EXTRA is None else getattr(self, self.EXTRA[0])

    @property
    def start_was_hidden(self) -> bool:
        """Whether the players were not told the start position."""
        return False

    @abstractmethod
    def new_game(self) -> G:
        """The game at its start.

        Raises:
            ValueError: no game can begin so.
        """

    @property
    def winner(self) -> bool | None:
        """Colour that won; None for a draw, a truncated game and one that was broken off."""
        return self._last.winner

    @property
    def reason(self) -> Reason:
        """Why the game ended; `Reason.NONE` for one that was broken off."""
        return self._last.reason

    @property
    def ended(self) -> str | None:
        """How a game ended that its rules gave no result, as its metadata tells it; None for all others."""
        words = self.metadata.get("ended")
        otherwise = self.reason in NO_RESULT and self.metadata.get("result") in RESULTS.values()
        return words if otherwise and isinstance(words, str) else None

    @property
    def _last(self) -> A:
        last = self.tries[-1].answer if self.tries else self.start[0]
        assert last is not None, "both players hear the start"
        return last

    @property
    def result(self) -> str:
        """`1-0`, `0-1`, `1/2-1/2`, or `*` for a game that was broken off or truncated."""
        if self.ended is not None:
            return str(self.metadata["result"])
        return "*" if self.reason in NO_RESULT else RESULTS[self.winner]


def ended_otherwise(winner: bool | None, words: str) -> dict[str, str]:
    """The metadata of a game that ended otherwise than by its rules.

    Args:
        winner: colour that won; None for a draw.
        words: how it ended, such as `White wins: Black resigned`.
    """
    return {"result": RESULTS[winner], "ended": words}


def who_tried(heard: tuple[A | None, A | None]) -> tuple[bool, int]:
    """The mover and the action of an answered try, from what was heard of it."""
    for announcement in heard:
        if announcement is not None and announcement.action is not None:
            return announcement.by, announcement.action
    raise RecordError(f"an answered try that no mover heard: {heard}")


def _check_metadata(metadata: Mapping[str, Any]) -> None:
    try:
        same = json.loads(json.dumps(dict(metadata))) == metadata
    except (TypeError, ValueError) as error:
        raise RecordError(f"metadata: expected JSON values: {error}") from error
    if not same:
        raise RecordError(f"metadata is {metadata!r}; expected values that JSON gives back as they were")


def _check_tries(record: AnyRecord[A, G]) -> None:
    try:
        turn = chess.Board(record.start_fen).turn
    except ValueError as error:
        raise RecordError(f"start_fen is {record.start_fen!r}: {error}") from error
    for heard in record.start:
        if heard is None or heard.kind is not Kind.START or heard.by != turn or heard.action is not None:
            raise RecordError(f"start is {heard}; expected an announcement of the start for either player")
    for number, entry in enumerate(record.tries, 1):
        if entry.seat != turn:
            raise RecordError(
                f"try {number} is by {colour_name(entry.seat)}; expected {colour_name(turn)},"
                " whose turn it was"
            )
        _check_try(entry, number, record.KINDS)
        if number < len(record.tries) and entry.answer.reason is not Reason.NONE:
            raise RecordError(f"try {number} ended the game; expected no try {number + 1}")
        turn ^= entry.ends_turn


def _check_try(entry: AnyTry[A], number: int, kinds: frozenset[Kind]) -> None:
    try:
        entry.text()
    except ValueError as error:
        raise RecordError(f"try {number}: {error}") from error
    for listener, heard in zip(chess.COLORS, entry.heard, strict=True):
        if heard is None and listener == entry.seat:
            raise RecordError(f"try {number}: expected an answer for {colour_name(listener)}, who tried")
        if heard is None:
            continue
        action = entry.action if listener == entry.seat else None
        if heard.by != entry.seat or heard.action != action or heard.kind not in kinds:
            raise RecordError(
                f"try {number}: {heard} is not an answer to {entry.text()} by {colour_name(entry.seat)}"
            )
