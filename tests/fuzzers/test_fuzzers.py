"""A short run of each fuzzer, always with the same inputs."""

import pytest

from tests.fuzzers import driver
from tests.fuzzers.driver import FoundError, Fuzzer, attempt, run
from tests.fuzzers.subjects import FUZZERS


@pytest.mark.timeout(1200)  # to compile, on a busy machine
@pytest.mark.parametrize("fuzzer", FUZZERS, ids=lambda fuzzer: fuzzer.name.replace(" ", "-"))
def test_odd_inputs_are_answered_or_refused(fuzzer: Fuzzer) -> None:
    fuzzer.ready()
    refused = sum(attempt(fuzzer, 1, number) for number in range(fuzzer.tests))
    assert refused > 0  # the inputs are odd


def test_what_computes_for_too_long_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(driver, "LONGEST", 0.05)

    def count_on(given: int) -> None:
        while True:
            given += 1

    with pytest.raises(FoundError, match=r"no answer in 0\.05 seconds"):
        attempt(Fuzzer("counting", lambda rng: 0, count_on), seed=1, number=0)


def test_what_is_neither_is_found() -> None:
    def divide(given: int) -> None:
        if given < 50:
            raise ValueError("is too small")
        1 // (given % 7)

    fuzzer = Fuzzer("division", lambda rng: rng.randrange(100), divide)
    message = r"division, seed 1, input \d+: ZeroDivisionError.*\nthe input: \d+"
    with pytest.raises(FoundError, match=message):
        run(fuzzer, seed=1, seconds=10, note=lambda number: None)
