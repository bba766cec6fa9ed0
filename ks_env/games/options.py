"""What the environments of all games can be asked for."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any, Self, TypedDict

import chess

from ks_env.core.hints import hint
from ks_env.core.record import Array
from ks_env.core.ruleset import Ruleset

DRAWS_AND_LIMITS = ("fifty_moves", "threefold", "max_tries", "max_plies")  # of games with one ruleset


class GameKeywords(TypedDict, total=False):
    """The fields of `GameOptions` as keywords."""

    ruleset_options: Mapping[str, Any]
    start: str | Sequence[str] | None
    mask: str
    shaping: str | Mapping[str, float] | None
    shaping_gamma: float
    encoder: Any
    terms: Any
    seat: str


@dataclass(frozen=True, kw_only=True)
class GameOptions(ABC):
    """Arguments common to all environments of all games.

    Attributes:
        ruleset_options: fields of the ruleset to replace, such as `{"fifty_moves": False}`.
        start: a FEN, or a list from which the referee draws one for each game; None for the usual start.
        mask: "informed" or "own-board".
        shaping: None, "material", or `{"pawn": x, "piece": y}`: potential-based, from announced captures.
        shaping_gamma: the discount in the shaping term; use the learner's.
        encoder: name of an encoder, or an `Encoder`, whose planes follow the base planes.
        terms: name of terms of tries, or `Terms`, that describe each try (`ks_env.belief.terms`).
        seat: the learner's seat against an opponent: "white", "black" or "random".
    """

    ruleset_options: Mapping[str, Any] = field(default_factory=dict)
    start: str | Sequence[str] | None = None
    mask: str = "informed"
    shaping: str | Mapping[str, float] | None = None
    shaping_gamma: float = 1.0
    encoder: Any = None
    terms: Any = None
    seat: str = "random"

    @classmethod
    def made_of(cls, options: Mapping[str, Any]) -> Self:
        """Options of an environment from its keyword arguments.

        Raises:
            TypeError: one is not an option of this game; the message names the nearest.
        """
        known = [each.name for each in fields(cls)]
        for name in options:
            if name not in known:
                raise TypeError(  # Python's own words, which TorchRL looks for
                    f"unexpected keyword argument {name!r}{hint(name, known)}; expected one of "
                    + ", ".join(known)
                    + ", or an argument of the environment itself"
                )
        rules: Any = options.get("ruleset_options", {})
        if not isinstance(rules, Mapping):
            raise ValueError(f"ruleset_options is {rules!r}; expected names of a ruleset's fields and values")
        return cls(**options)

    @classmethod
    def under(cls, ruleset: str, options: Mapping[str, Any]) -> Self:
        """Those of a game under one of its rulesets, with fields of it replaced.

        Raises:
            ValueError: a field cannot be replaced.
        """
        return cls.made_of({"ruleset_options": options})

    @classmethod
    def of_both_seats(cls, options: Mapping[str, Any]) -> Self:
        """The same where the caller plays both seats.

        Raises:
            TypeError: `seat` was given, or an argument is unknown.
        """
        if "seat" in options:
            raise TypeError("seat has no meaning where both seats are the caller's; leave it out")
        return cls.made_of(options)

    @property
    def starts_hidden(self) -> bool:
        """Whether the seats are told their own men only."""
        return False

    @abstractmethod
    def rules(self) -> Ruleset:
        """The ruleset asked for.

        Raises:
            ValueError: there is no such ruleset, or an option is not one of its fields.
        """

    @abstractmethod
    def starts(self) -> tuple[Array, list[str]]:
        """The rows from which one is drawn for each game, GAME[K], and the FEN of each.

        Raises:
            ValueError: a FEN is bad, or does not fit the other options.
        """

    def fens(self) -> list[str]:
        """The start positions."""
        if self.start is None:
            return [chess.STARTING_FEN]
        fens: Any = [self.start] if isinstance(self.start, str) else self.start
        if not isinstance(fens, Sequence) or not all(isinstance(fen, str) for fen in fens):
            raise ValueError(f"start is {self.start!r}; expected a FEN or a list of FENs")
        return list(fens)


def only_draws_and_limits(rules: Ruleset, options: Mapping[str, Any], game: str) -> Ruleset:
    """The one ruleset of a game with its draws and limits replaced.

    Raises:
        ValueError: another option is given, or a bad value.
    """
    for option in options:
        if option not in DRAWS_AND_LIMITS:
            raise ValueError(
                f"unknown ruleset option {option!r} in {game}; expected one of {', '.join(DRAWS_AND_LIMITS)}"
            )
    return Ruleset.named(rules, **options)
