"""The golden transcripts are what both referees say today."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.duel import replay
from tests.golden.regenerate import FOLDER, GAMES
from tests.golden.transcript import play, read
from tests.oracle import RULES

FILES = sorted(FOLDER.glob("*.txt"))


def test_every_ruleset_has_its_games() -> None:
    assert {file.stem for file in FILES} == {f"{name}-{n}" for name in RULES for n in range(1, GAMES + 1)}


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_transcript(file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    ruleset, fen, tries = read(text)
    assert tries
    assert play(ruleset, fen, tries) == text


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_the_oracle_hears_the_same(file: Path) -> None:
    ruleset, fen, tries = read(file.read_text(encoding="utf-8"))
    replay({"ruleset": ruleset, "fen": fen, "options": {}, "actions": tries})
