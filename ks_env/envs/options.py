"""What every environment can be asked for, checked in one place."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import chess
import numpy as np

from ks_env.core.game import mask_level
from ks_env.core.ruleset import Ruleset
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
from ks_env.spaces.encoders import AnyEncoder, make_encoder

SEATS = {"white": WHITE_SEAT, "black": BLACK_SEAT, "random": RANDOM_SEAT}
AUTORESETS = {"NextStep": NEXT_STEP, "SameStep": SAME_STEP, "Disabled": DISABLED}
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


@dataclass(frozen=True)
class Options:
    """Arguments common to all environments.

    Attributes:
        ruleset: a name, or a `Ruleset`.
        ruleset_options: fields of the ruleset to replace, such as `{"fifty_moves": False}`.
        start: a FEN, or a list from which the referee draws one for each game; None for the usual start.
        hidden_start: the seats know only their own men; the list is the declared set of placements.
        mask: "informed" or "own-board".
        shaping: None, "material", or `{"pawn": x, "piece": y}`: potential-based, from announced captures.
        shaping_gamma: the discount in the shaping term; use the learner's.
        encoder: name of an encoder, or an `Encoder` or `MemoryEncoder`, whose planes follow the base planes.
        seat: the learner's seat against an opponent: "white", "black" or "random".
    """

    ruleset: str | Ruleset = "icc"
    ruleset_options: Mapping[str, Any] = field(default_factory=dict)
    start: str | Sequence[str] | None = None
    hidden_start: bool = False
    mask: str = "informed"
    shaping: str | Mapping[str, float] | None = None
    shaping_gamma: float = 1.0
    encoder: str | AnyEncoder | None = None
    seat: str = "random"

    @classmethod
    def of_both_seats(cls, **options: Any) -> "Options":
        """Options of an environment in which the caller plays both seats.

        Raises:
            TypeError: `seat` was given.
        """
        if "seat" in options:
            raise TypeError("seat is of no use where both seats are the caller's; leave it out")
        return cls(**options)

    def rules(self) -> Ruleset:
        """The ruleset asked for."""
        return Ruleset.named(self.ruleset, **self.ruleset_options)

    def fens(self) -> list[str]:
        """The start positions."""
        if self.start is None:
            return [chess.STARTING_FEN]
        fens: Any = [self.start] if isinstance(self.start, str) else self.start
        if not isinstance(fens, Sequence) or not all(isinstance(fen, str) for fen in fens):
            raise ValueError(f"start is {self.start!r}; expected a FEN or a list of FENs")
        return list(fens)

    def make_encoder(self) -> AnyEncoder | None:
        """The encoder asked for, if any."""
        return make_encoder(self.encoder)

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
