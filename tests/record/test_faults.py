"""Damaged, foreign and impossible records: an error each, which names the file and what was expected."""

import json
import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import chess
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ks_env.core.answers import Kind, Reason
from ks_env.core.ruleset import ICC, RULESETS
from ks_env.games.kriegspiel.announcement import Announcement
from ks_env.games.kriegspiel.record import GameRecord
from ks_env.games.kriegspiel.words import PHRASES
from ks_env.games.record import AnyTry
from ks_env.record import (
    RecordError,
    from_json,
    from_pgn,
    load,
    load_all,
    replay,
    save,
    save_all,
    to_json,
    to_pgn,
)
from tests.record.random_records import random_game

RECORD = GameRecord.from_game(random_game(RULESETS["berkeley"], 11, 80), "a", "b")


@pytest.mark.parametrize("suffix", [".json", ".pgn"])
def test_save_and_load(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / "deep" / f"game{suffix}"
    save(RECORD, path)
    save(RECORD, path)
    assert load(path) == RECORD
    assert os.listdir(path.parent) == [path.name]


def test_a_failed_save_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "game.json"
    save(RECORD, path)

    def full(_: int) -> None:
        raise OSError("no space left")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="no space left"):
        save(replace(RECORD, white="other"), path)
    assert load(path) == RECORD
    assert os.listdir(tmp_path) == ["game.json"]


def test_other_file_names_are_refused(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match=r"game\.txt: expected a file name that ends in \.json or \.pgn"):
        save(RECORD, tmp_path / "game.txt")
    with pytest.raises(RecordError, match=r"game\.yaml: expected a file name"):
        load(tmp_path / "game.yaml")


def test_one_game_or_several(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match=r"one game, not 2"):
        save_all([RECORD, RECORD], tmp_path / "games.json")
    save_all([RECORD, RECORD], tmp_path / "games.pgn")
    assert load_all(tmp_path / "games.pgn") == [RECORD, RECORD]
    with pytest.raises(RecordError, match=r"games\.pgn: expected one game, found 2"):
        load(tmp_path / "games.pgn")


@pytest.mark.parametrize(
    ("suffix", "content", "expected"),
    [
        (".json", b"", "expected JSON"),
        (".json", b"[1, 2]", "schema_version: expected 1, found None"),
        (".json", b'{"schema_version": 2}', "schema_version: expected 1, found 2"),
        (".json", b'{"schema_version": 1}', "event: Field required"),
        (".json", b"\xff\xfe\x00", "expected text in UTF-8"),
        (".json", b"[" * 100_000, "truncated or damaged: expected JSON: maximum recursion depth"),
        (
            ".json",
            b'{"seeds": ' + b"9" * 5000 + b"}",
            "truncated or damaged: expected JSON: Exceeds the limit",
        ),
        (".pgn", b"g6){", "damaged moves: expected PGN: IndexError"),
        (".pgn", b"", "no PGN game"),
        (".pgn", b'[Event "x"]\n\n1. e4 *\n', "header KriegspielSchema: expected '1', found none"),
        (".pgn", b'[KriegspielSchema "9"]\n\n1. e4 *\n', "header KriegspielSchema: expected '1', found '9'"),
        (".pgn", b"\xff\xfe\x00", "expected text in UTF-8"),
    ],
)
def test_the_error_names_the_file(tmp_path: Path, suffix: str, content: bytes, expected: str) -> None:
    path = tmp_path / f"broken{suffix}"
    path.write_bytes(content)
    with pytest.raises(RecordError) as error:
        load(path)
    assert str(path) in str(error.value)
    assert expected in str(error.value)


@settings(max_examples=50, deadline=None)
@given(st.data())
def test_a_truncated_file_is_never_read_as_another_game(data: st.DataObject) -> None:
    write, read = data.draw(st.sampled_from([(to_pgn, from_pgn), (to_json, from_json)]))
    text = write(RECORD).rstrip()
    # the bracket behind the last announcement of a PGN is the last that is needed
    cut = data.draw(st.integers(0, text.rindex("]" if write is to_pgn else "}")))
    with pytest.raises(RecordError):
        read(text[:cut])


def set_to(*path: Any) -> Callable[[dict[str, Any]], None]:
    def change(values: dict[str, Any]) -> None:
        *keys, last, value = path
        place: Any = values
        for key in keys:
            place = place[key]
        place[last] = value

    return change


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (set_to("tries", 0, "move", "e2e9"), "tries.0.move: 'e2e9' is not a try"),
        (set_to("tries", 0, "seat", "black"), "try 1 is by Black; expected White"),
        (
            set_to("tries", 0, "seat", "green"),
            "tries.0.seat: Input should be 'white' or 'black', found 'green'",
        ),
        (set_to("tries", 0, "heard", "white", None), "try 1: expected an answer for White, who tried"),
        (set_to("tries", 0, "heard", "white", "kind", "start"), "is not an answer to"),
        (set_to("ruleset", "name", "chess"), "ruleset 'chess' is not one of icc"),
        (
            set_to("ruleset", "options", {"max_tires": 3}),
            "ruleset option 'max_tires' is unknown; expected one of",
        ),
        (set_to("ruleset", "options", {"max_tries": True}), "ruleset option max_tries is True; expected int"),
        (
            set_to("ruleset", "options", {"pawn_tries": "all"}),
            "pawn_tries is 'all'; expected one of none, count",
        ),
        (set_to("ruleset", "options", {"max_tries": 0}), "max_tries is 0; expected an integer from 1"),
        (set_to("start", "fen", "8/8"), "start.fen is '8/8'"),
        (set_to("start", "heard", "white", None), "expected an announcement of the start"),
        (set_to("result", "1-0"), "result: expected '*' by the announcements, found '1-0'"),
        (set_to("players", "white", "two\nlines"), "expected one line of printable text"),
        (set_to("seeds", {"game": 1.5}), "seeds.game: Input should be a valid integer"),
    ],
)
def test_damaged_json(change: Callable[[dict[str, Any]], None], expected: str) -> None:
    values = json.loads(to_json(RECORD))
    change(values)
    with pytest.raises(RecordError) as error:
        from_json(json.dumps(values))
    assert expected in str(error.value)


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ('[Tries "80"]', '[Tries "81"]', "truncated: expected 81 tries, found 80"),
        ('[Tries "80"]', "", "header Tries: expected a number, found None"),
        ('[Result "*"]', '[Result "1-0"]', "header Result: expected '*' by the announcements, found '1-0'"),
        (
            '[Termination "unterminated"]',
            '[Termination "checkmate"]',
            "header Termination: expected 'unterminated'",
        ),
        ('[Ruleset "berkeley"]', '[Ruleset "berkeley"]\n[Metadata "{"]', "header Metadata: expected JSON"),
        (
            '[Ruleset "berkeley"]',
            '[Ruleset "berkeley"]\n[Metadata "[]"]',
            "header Metadata: expected a JSON object",
        ),
        ("1. ", "1. Qh6 ", "damaged moves: "),
        ("[Black ", "[Blac ", "header Black: expected text, found none"),
        (" illegal]", " forbidden]", "'forbidden' is not an announcement; expected phrases such as"),
        ("[%overheard ", "[%overheard x", "is not a try"),
        ("[%overheard ", "[%start ", "is out of place"),
    ],
)
def test_damaged_pgn(old: str, new: str, expected: str) -> None:
    text = to_pgn(RECORD)
    assert old in text
    with pytest.raises(RecordError) as error:
        from_pgn(text.replace(old, new, 1))
    assert expected in str(error.value)


def test_replay_names_the_first_difference() -> None:
    number = next(i for i, entry in enumerate(RECORD.tries) if entry.answer.kind is Kind.ILLEGAL)
    entry = RECORD.tries[number]
    heard = tuple(a and replace(a, kind=Kind.NONSENSE) for a in entry.heard)
    tries = [*RECORD.tries]
    tries[number] = AnyTry(entry.seat, entry.action, heard)  # type: ignore[arg-type]
    with pytest.raises(RecordError) as error:
        replay(replace(RECORD, tries=tuple(tries)))
    assert str(error.value).startswith(f"try {number + 1} ({entry.text()} by ")
    assert "hear 'nonsense', on replay it is 'illegal'" in str(error.value)


def test_replay_notices_what_the_opponent_heard() -> None:
    record = GameRecord.from_game(random_game(ICC, 5, 40))
    number = next(i for i, entry in enumerate(record.tries) if entry.answer.kind is Kind.ILLEGAL)
    entry = record.tries[number]
    both = tuple(a or Announcement(Kind.ILLEGAL, entry.seat) for a in entry.heard)
    tries = [*record.tries]
    tries[number] = AnyTry(entry.seat, entry.action, both)  # type: ignore[arg-type]
    with pytest.raises(RecordError, match=r"hear 'illegal', on replay it is nothing"):
        replay(replace(record, tries=tuple(tries)))


def test_replay_of_a_position_that_cannot_be_played() -> None:
    with pytest.raises(RecordError, match=r"^start: bad FEN .* not playable"):
        replay(replace(RECORD, start_fen="8/8/8/8/8/8/8/8 w - - 0 1", tries=()))


def test_replay_under_other_rules_fails_at_the_start() -> None:
    with pytest.raises(RecordError, match=r"^start: the record has White hear"):
        replay(replace(RECORD, ruleset=ICC))


def test_nothing_follows_the_end_of_a_game() -> None:
    last = RECORD.tries[-1]
    ended: Any = tuple(a and replace(a, reason=Reason.TRIES, winner=not last.seat) for a in last.heard)
    tries: Any = (AnyTry(last.seat, last.action, ended), last)
    with pytest.raises(RecordError, match=r"try 81 ended the game; expected no try 82|try 80 ended the game"):
        replace(RECORD, tries=RECORD.tries[:-1] + tries)


@pytest.mark.parametrize(
    ("field", "value", "expected"),
    [
        ("start_fen", "nonsense", "start_fen is 'nonsense'"),
        ("event", "a\tb", "event is 'a\\\\tb'"),
        ("seeds", {"game": True}, "expected integers by name"),
        ("metadata", {"x": {1, 2}}, "metadata: expected JSON values"),
        ("metadata", {"x": (1, 2)}, "expected values that JSON gives back"),
        (
            "tries",
            (AnyTry(chess.WHITE, 1859, (Announcement(Kind.ILLEGAL, True, 1859), None)),),
            "try 1: action 1859",
        ),
    ],
)
def test_impossible_records(field: str, value: Any, expected: str) -> None:
    with pytest.raises(RecordError, match=expected):
        replace(RECORD, **{field: value})


def test_words_refuse_half_a_capture() -> None:
    with pytest.raises(RecordError, match="says what no referee says"):
        PHRASES.to_words(Announcement(Kind.MOVED, True, captured="pawn"))


def test_an_accepted_illegal_move_has_no_pgn() -> None:
    entry = AnyTry(chess.WHITE, 3, (Announcement(Kind.MOVED, True, 3), Announcement(Kind.MOVED, True)))
    with pytest.raises(RecordError, match="try 1: a1e1 was accepted but is not a legal move"):
        to_pgn(replace(RECORD, tries=(entry,)))
