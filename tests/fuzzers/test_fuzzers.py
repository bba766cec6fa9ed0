"""A short run of each fuzzer, always with the same inputs."""

import pytest

from tests.fuzzers import driver
from tests.fuzzers.driver import FoundError, Fuzzer, attempt, run
from tests.fuzzers.subjects import FUZZERS

PATIENCE = 300.0  # seconds for one input: these hang nowhere, and a busy machine is no fault


@pytest.mark.timeout(0)  # each input has its own limit, by the same signal
@pytest.mark.parametrize("fuzzer", FUZZERS, ids=lambda fuzzer: fuzzer.name.replace(" ", "-"))
def test_odd_inputs_are_answered_or_refused(fuzzer: Fuzzer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(driver, "LONGEST", PATIENCE)
    fuzzer.ready()
    refused = sum(attempt(fuzzer, 1, number) for number in range(fuzzer.tests))
    assert refused > 0  # the inputs are odd


def test_what_is_neither_is_found() -> None:
    def divide(given: int) -> None:
        if given < 50:
            raise ValueError("is too small")
        1 // (given % 7)

    fuzzer = Fuzzer("division", lambda rng: rng.randrange(100), divide)
    message = r"division, seed 1, input \d+: ZeroDivisionError.*\nthe input: \d+"
    with pytest.raises(FoundError, match=message):
        run(fuzzer, seed=1, seconds=10, note=lambda number: None)
