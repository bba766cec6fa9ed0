"""What the parameters of a player may be; a ValueError names the player, the parameter and its value."""

from math import inf
from sys import float_info
from typing import Any


def check_whole(player: str, name: str, value: Any, least: int, most: int | None = None) -> None:
    """Refuse what is not an integer in its range."""
    if type(value) is not int or value < least or (most is not None and value > most):
        wanted = f"of at least {least}" if most is None else f"from {least} to {most:,}"
        raise _wrong(player, name, value, f"an integer {wanted}")


def check_number(player: str, name: str, value: Any, least: float = -inf) -> None:
    """Refuse what is not a finite number in its range."""
    if not _finite(value) or value < least:
        raise _wrong(player, name, value, "a number" + f" of at least {least:g}" * (least > -inf))


def check_seconds(player: str, value: Any) -> None:
    """Refuse what is not a time; None, for no limit, is one."""
    if value is not None and (not _finite(value) or value <= 0):
        raise _wrong(player, "seconds", value, "a positive number")


def check_switch(player: str, name: str, value: Any) -> None:
    """Refuse what is neither on nor off."""
    if not isinstance(value, bool):
        raise _wrong(player, name, value, "True or False")


def _finite(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= float_info.max


def _wrong(player: str, name: str, value: Any, wanted: str) -> ValueError:
    return ValueError(f"player {player!r}: {name} is {value!r}; expected {wanted}")
