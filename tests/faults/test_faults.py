"""Faults at calls that change a file: nothing is lost, and nothing is counted twice."""

import os
from pathlib import Path

import pytest

from tests.faults.run import build, drive

MOST = int(os.environ.get("KS_TEST_FAULTS", "25"))  # of each kind, spread over all calls


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = build(tmp_path_factory.mktemp("faults"))
    if made is None:
        pytest.skip("needs a C compiler and Linux")
    return made


@pytest.mark.parametrize(
    ("kind", "most", "size"),
    [("study", MOST, 6), ("play", MOST, 6), ("files", MOST, 6), ("training", -(-MOST // 4), 2)],
)
def test_nothing_is_lost_or_counted_twice(
    kind: str, most: int, size: int, library: Path, tmp_path: Path
) -> None:
    found = drive(kind, library, tmp_path / "there", most, size)
    assert found["calls"] > 40
    assert sum(found["faults"].values()) > 2 * min(most, found["calls"])
