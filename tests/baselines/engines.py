"""UCI engines that tests need: a test is skipped, by name, where the program is not installed."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from ks_baselines.uci import UciError, find_engine

FAKE = Path(__file__).with_name("fake_engine.py")


def fake(*ways: str) -> list[str]:
    """The command of an engine that behaves in these ways."""
    # -P: or the folder of tests beside it would hide python-chess
    return [sys.executable, "-P", str(FAKE), *ways]


def need(command: str) -> None:
    """Skip the test where the engine's program is missing."""
    try:
        find_engine(command)
    except UciError:
        pytest.skip(f"{command.split()[0]} is not installed")
