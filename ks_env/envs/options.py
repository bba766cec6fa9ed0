"""What every environment can be asked for, checked in one place."""

import math
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Self

import chess
import numpy as np

from ks_env.belief.encoders import AnyEncoder, check_encodes, make_encoder
from ks_env.core.ruleset import Ruleset
from ks_env.core.under_way import mask_level
from ks_env.envs.batch import (
    BLACK_SEAT,
    DISABLED,
    NEXT_STEP,
    NO_KERNEL,
    RANDOM_SEAT,
    SAME_STEP,
    SETTINGS,
    WHITE_SEAT,
)
from ks_env.envs.variant import INVISIBLE, KRIEGSPIEL, Variant
from ks_env.games.invisible.game import INVISIBLE as INVISIBLE_RULES
from ks_env.games.invisible.hidden import HiddenMen, parse_both
from ks_env.games.invisible.start import start_rows as invisible_start_rows
from ks_env.games.kriegspiel.start import start_rows

Array = np.ndarray[Any, Any]

SEATS = {"white": WHITE_SEAT, "black": BLACK_SEAT, "random": RANDOM_SEAT}
AUTORESETS = {"NextStep": NEXT_STEP, "SameStep": SAME_STEP, "Disabled": DISABLED}
DRAWS_AND_LIMITS = ("fifty_moves", "threefold", "max_tries", "max_plies")  # options of invisible chess
# Potentials of announced captures. A side that takes every man gains 0.58, less than a win.
MATERIAL = {"pawn": 0.02, "piece": 0.06}


def one_of(what: str, value: Any, choices: Mapping[str, int]) -> int:
    """The number behind a named choice.

    Raises:
        ValueError: it is not among them.
    """
    if value not in choices:
        raise ValueError(f"unknown {what} {value!r}; expected one of {', '.join(choices)}")
    return choices[value]


def a_number(what: str, value: Any) -> float:
    """The value as a finite float.

    Raises:
        ValueError: it is none.
    """
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value):
        raise ValueError(f"{what} is {value!r}; expected a finite number")
    return float(value)


@dataclass(frozen=True, kw_only=True)
class GameOptions(ABC):
    """Arguments common to all environments of all games.

    Attributes:
        ruleset_options: fields of the ruleset to replace, such as `{"fifty_moves": False}`.
        start: a FEN, or a list from which the referee draws one for each game; None for the usual start.
        mask: "informed" or "own-board".
        shaping: None, "material", or `{"pawn": x, "piece": y}`: potential-based, from announced captures.
        shaping_gamma: the discount in the shaping term; use the learner's.
        encoder: name of an encoder, or an `Encoder` or `MemoryEncoder`, whose planes follow the base planes.
        seat: the learner's seat against an opponent: "white", "black" or "random".
    """

    variant: ClassVar[Variant]

    ruleset_options: Mapping[str, Any] = field(default_factory=dict)
    start: str | Sequence[str] | None = None
    mask: str = "informed"
    shaping: str | Mapping[str, float] | None = None
    shaping_gamma: float = 1.0
    encoder: str | AnyEncoder | None = None
    seat: str = "random"

    @classmethod
    def of_both_seats(cls, **options: Any) -> Self:
        """Options of an environment in which the caller plays both seats.

        Raises:
            TypeError: `seat` was given.
        """
        if "seat" in options:
            raise TypeError("seat is of no use where both seats are the caller's; leave it out")
        return cls(**options)

    @property
    def starts_hidden(self) -> bool:
        """Whether the seats are told their own men only."""
        return False

    @abstractmethod
    def rules(self) -> Ruleset:
        """The ruleset asked for.

        Raises:
            ValueError: there is none of this name, or an option is none of its fields.
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

    def make_encoder(self) -> AnyEncoder | None:
        """The encoder asked for, if any.

        Raises:
            ValueError: there is no such encoder, or it is for another game.
        """
        encoder = make_encoder(self.encoder)
        if encoder is not None:
            check_encodes(encoder, self.variant.name)
        return encoder

    def _values(self) -> Mapping[str, float]:
        if self.shaping is None:
            return {"pawn": 0.0, "piece": 0.0}
        if self.shaping == "material":
            return MATERIAL
        if isinstance(self.shaping, Mapping) and set(self.shaping) == set(MATERIAL):
            return {name: a_number(f"shaping[{name!r}]", value) for name, value in self.shaping.items()}
        raise ValueError(
            f"unknown shaping {self.shaping!r}; expected None, 'material' or {{'pawn': x, 'piece': y}}"
        )

    def settings(self, autoreset: int) -> np.ndarray[Any, Any]:
        """SETTINGS[1] for the kernels.

        Raises:
            ValueError: an option is none of those allowed.
        """
        out = np.zeros(1, SETTINGS)
        out["level"] = mask_level(self.mask)
        out["autoreset"] = autoreset
        out["seat"] = one_of("seat", self.seat, SEATS)
        out["opponent"] = NO_KERNEL
        out["pawn_value"] = self._values()["pawn"]
        out["piece_value"] = self._values()["piece"]
        out["gamma"] = a_number("shaping_gamma", self.shaping_gamma)
        return out


@dataclass(frozen=True, kw_only=True)
class Options(GameOptions):
    """Arguments common to all environments of Kriegspiel; see also `GameOptions`.

    Attributes:
        ruleset: a name, or a `Ruleset`.
        hidden_start: the seats know only their own men; the list is the declared set of placements.
    """

    variant: ClassVar[Variant] = KRIEGSPIEL

    ruleset: str | Ruleset = "icc"
    hidden_start: bool = False

    @property
    def starts_hidden(self) -> bool:
        """See `GameOptions.starts_hidden`."""
        return self.hidden_start

    def rules(self) -> Ruleset:
        """See `GameOptions.rules`."""
        return Ruleset.named(self.ruleset, **self.ruleset_options)

    def starts(self) -> tuple[Array, list[str]]:
        """See `GameOptions.starts`."""
        fens = self.fens()
        return start_rows(fens, self.rules(), hidden=self.hidden_start), fens


@dataclass(frozen=True, kw_only=True)
class InvisibleOptions(GameOptions):
    """Arguments common to all environments of invisible chess; see also `GameOptions`.

    Where fewer men are hidden than there are of a kind, the referee draws a start position and a choice of
    men together, all of them alike probable. `ruleset_options` may change draws and limits.

    Attributes:
        hidden: White's and Black's hidden men, such as `"2B v 1R"`; see
            `ks_env.games.invisible.hidden.HiddenMen.parse`.
        white: White's alone, such as `"BB"`, in the place of what `hidden` says of them.
        black: likewise Black's.
    """

    variant: ClassVar[Variant] = INVISIBLE
    hidden: str | tuple[HiddenMen, HiddenMen] = "2B v 2B"
    white: str | None = None
    black: str | None = None

    def rules(self) -> Ruleset:
        """See `GameOptions.rules`."""
        for option in self.ruleset_options:
            if option not in DRAWS_AND_LIMITS:
                raise ValueError(
                    f"unknown ruleset option {option!r} in invisible chess; "
                    f"expected one of {', '.join(DRAWS_AND_LIMITS)}"
                )
        return Ruleset.named(INVISIBLE_RULES, **self.ruleset_options)

    def starts(self) -> tuple[Array, list[str]]:
        """See `GameOptions.starts`."""
        hidden: Any = parse_both(self.hidden) if isinstance(self.hidden, str) else self.hidden
        if not isinstance(hidden, tuple) or [type(men) for men in hidden] != [HiddenMen, HiddenMen]:
            raise ValueError(f"hidden is {self.hidden!r}; expected words such as '2B v 1R', or two HiddenMen")
        for side, text in (("white", self.white), ("black", self.black)):
            if text is not None and not isinstance(text, str):
                raise ValueError(f"{side} is {text!r}; expected words such as 'BB'")
        men = [
            own if text is None else HiddenMen.parse(text)
            for own, text in zip(hidden, (self.white, self.black), strict=True)
        ]
        return invisible_start_rows(self.fens(), *men)
