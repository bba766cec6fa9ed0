"""Which code the players that a file names may run.

A study or a config is a text that others may have written. Players that an installed package announces may
stand in it. A place (`package.module:factory`), a program (`process:command=...`, `engine=...`), another
class to load a model with (`algorithm=...`) or a model whose file holds more than models need runs what the
text says, and is refused unless the user has allowed it.
"""

import re

from ks_env.players.contents import foreign
from ks_env.players.registry import parse_name

ENGINES = ("stockfish", "gnuchess --uci", "gnuchess")  # programs that a file may name
ALGORITHMS = re.compile(r"(sb3_contrib|stable_baselines3):\w+")  # classes that a file may name

_allowed: set[str] = set()
_all = False


def allow(*names: str, everything: bool = False) -> None:
    """Let files name these places and programs from now on, or all."""
    global _all
    _allowed.update(names)
    _all = _all or everything


def forget() -> None:
    """Allow nothing any more."""
    global _all
    _allowed.clear()
    _all = False


def runs(spec: str) -> dict[str, str]:
    """What a player of that name runs beside the code of installed players.

    Returns:
        for each place, command or model's file, by the name that allows it: what is run.
    """
    name, parameters = parse_name(spec)
    found = {name: name} if ":" in name else {}
    for key, value in parameters.items():
        text = str(value)
        if (
            (key == "command" and name == "process")
            or (key == "engine" and value is not None and text not in ENGINES)
            or (key == "algorithm" and not ALGORITHMS.fullmatch(text))
        ):
            found[text] = text
        if key == "player" and name == "isolated":
            found |= runs(text)
        if key == "file" and name == "model" and (code := foreign(text)):
            found[text] = ", ".join(code)
    return found


def check_named_in_file(spec: str) -> None:
    """Refuse the name of a player in a file that runs what has not been allowed.

    Raises:
        ValueError: it does; the message says what, and how to allow it.
    """
    for allowed_by, code in runs(spec).items():
        if not _all and allowed_by not in _allowed:
            raise ValueError(
                f"player {spec!r} runs {code!r}, which is not run because a file says so; expected a player"
                f" that an installed package announces, or ks --allow {allowed_by!r} before the command"
            )
