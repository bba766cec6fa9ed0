"""What a fuzzer is, and a run of one."""

import random
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

LONGEST = 20.0  # seconds of the processor for one input, which a busy machine does not make more


@dataclass(frozen=True)
class Fuzzer:
    """Odd inputs for one thing that takes inputs.

    Attributes:
        name: of the subject.
        draw: an input, the same for the same random stream.
        call: takes it; checks for itself that a failure has changed nothing, by an AssertionError.
        errors: the documented errors.
        tests: how many inputs the tests try.
        ready: done once, before the time of any input is taken.
    """

    name: str
    draw: Callable[[random.Random], Any]
    call: Callable[[Any], object]
    errors: tuple[type[Exception], ...] = (ValueError,)
    tests: int = 200
    ready: Callable[[], object] = lambda: None


class FoundError(AssertionError):
    """An input that got something else than an answer or a documented error; the message shows it."""


@contextmanager
def limited(seconds: float) -> Iterator[None]:
    """Stop what computes for longer; it is not told apart from an error of its own."""

    def stop(*_: object) -> None:
        raise FoundError(f"no answer in {seconds:g} seconds")

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def input_of(fuzzer: Fuzzer, seed: int, number: int) -> Any:
    """The input with this number."""
    return fuzzer.draw(random.Random(f"{seed} {fuzzer.name} {number}"))


def attempt(fuzzer: Fuzzer, seed: int, number: int) -> bool:
    """Try one input; whether it was refused.

    Raises:
        FoundError: it was neither answered nor refused as documented.
    """
    given = input_of(fuzzer, seed, number)
    try:
        with limited(LONGEST):
            fuzzer.call(given)
    except fuzzer.errors as error:
        if str(error).strip():
            return True
        raise _found(fuzzer, seed, number, given, "an error without a message") from error
    except BaseException as error:
        if isinstance(error, KeyboardInterrupt):
            raise
        raise _found(fuzzer, seed, number, given, f"{type(error).__name__}: {error}") from error
    return False


def _found(fuzzer: Fuzzer, seed: int, number: int, given: Any, what: str) -> FoundError:
    return FoundError(
        f"{fuzzer.name}, seed {seed}, input {number}: {what[:500]}\nthe input: {repr(given)[:3000]}"
    )


def run(fuzzer: Fuzzer, seed: int, seconds: float, note: Callable[[int], object]) -> tuple[int, int]:
    """Try inputs for so long: how many, and how many of them were refused.

    Args:
        fuzzer: of them.
        seed: of the inputs.
        seconds: the run's length.
        note: called with the number of each input before it is tried.
    """
    fuzzer.ready()
    began, number, refused = time.monotonic(), 0, 0
    while time.monotonic() - began < seconds:
        note(number)
        refused += attempt(fuzzer, seed, number)
        number += 1
    return number, refused
