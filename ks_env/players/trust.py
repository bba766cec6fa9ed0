"""Which code the players that a file names may run.

A study or a config is a text that others may have written. Players that an installed package announces may
stand in it. A place (`package.module:factory`), a program (`process:command=...`, `engine=...`) or another
class to load a model with (`algorithm=...`) runs what the text says, and is refused unless the user has
allowed it.
"""

from ks_env.players.registry import parse_name

ENGINES = ("stockfish", "gnuchess --uci", "gnuchess")  # programs that a file may name
LIBRARIES = ("sb3_contrib:", "stable_baselines3:")  # whose classes a file may name

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


def runs(spec: str) -> tuple[str, ...]:
    """What a player of that name runs beside the code of installed players: places, commands."""
    name, parameters = parse_name(spec)
    found = [name] if ":" in name else []
    for key, value in parameters.items():
        text = str(value)
        if (
            (key == "command" and name == "process")
            or (key == "engine" and value is not None and text not in ENGINES)
            or (key == "algorithm" and not text.startswith(LIBRARIES))
        ):
            found.append(text)
    return tuple(found)


def check_named_in_file(spec: str) -> None:
    """Refuse the name of a player in a file that runs what has not been allowed.

    Raises:
        ValueError: it does; the message says what, and how to allow it.
    """
    refused = [each for each in runs(spec) if not _all and each not in _allowed]
    if refused:
        raise ValueError(
            f"player {spec!r} runs {refused[0]!r}, which is not run because a file says so; expected a player"
            f" that an installed package announces, or ks --allow {refused[0]!r} before the command"
        )
