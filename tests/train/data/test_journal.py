"""Journals that are damaged are refused in one line that names the file."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from ks_arena.sections import ConfigError
from ks_train.data.journal import Journal


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    path = tmp_path / "games.journal"
    Journal.create(path, {"name": "x"}).close()
    return path


def refused(path: Path) -> str:
    with pytest.raises(ConfigError) as refusal:
        Journal(path)
    message = str(refusal.value)
    assert message.startswith(f"{path}: ")
    assert "\n" not in message
    return message


def test_a_journal_says_what_it_is_of(journal: Path) -> None:
    with closing(Journal(journal)) as found:
        assert found.about["name"] == "x"


def test_a_table_whose_declaration_is_no_text(journal: Path) -> None:
    """SQLite's message quotes the declaration, which Python then cannot read."""
    kept = journal.read_bytes()
    journal.write_bytes(kept.replace(b"CREATE TABLE about", b"CREATE TABL\xff about"))
    assert "damaged" in refused(journal)


@pytest.mark.parametrize("text", ["", "{", "[1]", "7", "[" * 100_000, b"\xff", None])
def test_a_description_that_is_none(journal: Path, text: object) -> None:
    with closing(sqlite3.connect(journal)) as base, base:
        base.execute("DELETE FROM about")
        if text is not None:
            base.execute("INSERT INTO about VALUES (?)", (text,))
    assert "damaged" in refused(journal)


def test_a_description_without_a_schema(journal: Path) -> None:
    with closing(sqlite3.connect(journal)) as base, base:
        base.execute("UPDATE about SET text = '{}'")
    assert "has the schema None" in refused(journal)
