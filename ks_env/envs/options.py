"""The options of games: as keywords, and as settings for the kernels."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ks_env.core.tries import mask_level
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
from ks_env.games.options import GameOptions

SEATS = {"white": WHITE_SEAT, "black": BLACK_SEAT, "random": RANDOM_SEAT}
AUTORESETS = {"NextStep": NEXT_STEP, "SameStep": SAME_STEP, "Disabled": DISABLED}
# Potentials of announced captures. A side that takes every man gains 0.58, less than a win.
MATERIAL = {"pawn": 0.02, "piece": 0.06}
NUMBERS: tuple[type[Any], ...] = (int, float, np.integer, np.floating)
LARGEST = float(np.finfo(np.float32).max)


def a_number(what: str, value: Any) -> float:
    """The value as a float that has a place in an f4.

    Raises:
        ValueError: it is not one.
    """
    if isinstance(value, bool) or not isinstance(value, NUMBERS) or not abs(value) <= LARGEST:
        raise ValueError(f"{what} is {value!r}; expected a finite number, at most {LARGEST:.2g} in size")
    return float(value)


def check_whole(name: str, value: Any, least: int, most: int) -> None:
    """Refuse what is not a whole number in a range.

    Raises:
        ValueError: it is not one.
    """
    whole = isinstance(value, (int, np.integer)) and not isinstance(value, bool)
    if not whole or not least <= value <= most:
        raise ValueError(f"{name} is {value!r}; expected an integer from {least} to {most:,}")


def check_seed(value: Any) -> int:
    """A seed that was given.

    Raises:
        ValueError: it is no integer, or negative.
    """
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)):
        raise ValueError(f"seed {value!r} is no integer; expected 0 or more")
    if value < 0:
        raise ValueError(f"seed {value} is negative; expected 0 or more")
    return int(value)


def row_seeds(seed: Any, count: int) -> list[int | None]:
    """Seeds of so many rows by Gymnasium's rules, see `Engine.seed`.

    Raises:
        ValueError: a seed is negative, or there is not one for each row.
    """
    if seed is None or isinstance(seed, (int, np.integer)):
        return [None if seed is None else check_seed(seed) + i for i in range(count)]
    if isinstance(seed, str) or not isinstance(seed, (Sequence, np.ndarray)):
        raise ValueError(f"seed is {seed!r}; expected an integer, {count} of them, or None")
    if len(seed) != count:
        raise ValueError(f"{len(seed)} seeds for {count} games; expected one each")
    return [None if each is None else check_seed(each) for each in seed]


def check_reset(options: Mapping[str, Any] | None, *known: str) -> None:
    """Refuse options of `reset` that the environment does not know.

    Raises:
        ValueError: there is one.
    """
    given: Any = options
    if given is not None and not isinstance(given, Mapping):
        raise ValueError(f"options of reset are {options!r}; expected names and values, or None")
    for name in options or {}:
        if name not in known:
            expected = f"one of {', '.join(known)}" if known else "none"
            raise ValueError(f"unknown option {name!r} of reset; expected {expected}")


def _values(shaping: str | Mapping[str, float] | None) -> Mapping[str, float]:
    if shaping is None:
        return {"pawn": 0.0, "piece": 0.0}
    if shaping == "material":
        return MATERIAL
    if isinstance(shaping, Mapping) and set(shaping) == set(MATERIAL):
        return {name: a_number(f"shaping[{name!r}]", value) for name, value in shaping.items()}
    raise ValueError(f"unknown shaping {shaping!r}; expected None, 'material' or {{'pawn': x, 'piece': y}}")


def make_settings(options: GameOptions, autoreset: int) -> np.ndarray[Any, Any]:
    """SETTINGS[1] for the kernels.

    Raises:
        ValueError: an option has a value that is not allowed.
    """
    if options.seat not in SEATS:
        raise ValueError(f"unknown seat {options.seat!r}; expected one of {', '.join(SEATS)}")
    out = np.zeros(1, SETTINGS)
    out["level"] = mask_level(options.mask)
    out["autoreset"] = autoreset
    out["seat"] = SEATS[options.seat]
    out["opponent"] = NO_KERNEL
    values = _values(options.shaping)
    out["pawn_value"], out["piece_value"] = values["pawn"], values["piece"]
    out["gamma"] = a_number("shaping_gamma", options.shaping_gamma)
    return out
