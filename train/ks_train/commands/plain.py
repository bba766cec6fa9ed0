"""What goes wrong in a command is said in one line: what to fix, what to install, or how to go on."""

import os
import sys
from collections.abc import Callable
from functools import wraps
from typing import Any

import typer

from ks_env.render.replay_command import fail, os_message

EXTRAS = {
    "matplotlib": "arena",
    "minari": "data",
    "pyarrow": "arena",
    "scipy": "arena",
    "ray": "ray",
    "sb3_contrib": "train",
    "stable_baselines3": "train",
    "starlette": "play",
    "tensorboard": "train",
    "torch": "train",
    "uvicorn": "play",
    "websockets": "play",
}
INTERRUPTED = 130  # exit status, by the shell's convention


def plainly(command: Callable[..., Any], then: str = "nothing was written") -> Callable[..., None]:
    """The command with what the user can fix said in a line on stderr, not in a traceback.

    Args:
        command: raises `ValueError`, `OSError` or `ImportError` for what the user can fix.
        then: said after an interrupt at the keyboard.
    """

    @wraps(command)
    def run(*arguments: Any, **options: Any) -> None:
        if os.getcwd() not in sys.path:  # players may live there; nothing there hides what is installed
            sys.path.append(os.getcwd())
        try:
            command(*arguments, **options)
        except ImportError as error:
            fail(missing(error))
        except OSError as error:
            fail(os_message(error))
        except MemoryError as error:
            fail(f"not enough memory: {str(error)[:200]}; expected smaller numbers")
        except ValueError as error:
            fail(str(error))
        except KeyboardInterrupt:
            typer.echo(f"stopped; {then}", err=True)
            raise typer.Exit(INTERRUPTED) from None

    return run


def missing(error: ImportError) -> str:
    """What could not be imported, and which extra brings it."""
    package = (error.name or "").partition(".")[0]
    extra = EXTRAS.get(package)
    if extra is None:
        return str(error)
    return f'{package} is missing; this command needs the extra "{extra}": pip install "ks-env[{extra}]"'
