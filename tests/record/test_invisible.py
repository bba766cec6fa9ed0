"""A record of invisible chess survives PGN, JSON and being played again; its faults are told."""

import io
import json
import random
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import chess
import chess.pgn
import jsonschema
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ks_env.core.answers import Kind, Reason
from ks_env.core.ruleset import ICC
from ks_env.games.invisible import INVISIBLE_CHESS
from ks_env.games.invisible.announcement import Announcement
from ks_env.games.invisible.game import INVISIBLE, InvisibleGame
from ks_env.games.invisible.layout import Why
from ks_env.games.invisible.record import InvisibleRecord
from ks_env.games.invisible.words import PHRASES
from ks_env.games.kriegspiel.record import GameRecord
from ks_env.games.record import AnyTry
from ks_env.record import (
    Record,
    RecordError,
    from_json,
    from_pgn,
    games_from_pgn,
    load,
    load_all,
    replay,
    save,
    save_all,
    steps,
    to_json,
    to_pgn,
)
from ks_env.record.json_format import schema_file, schema_text
from tests.games.invisible.test_against_oracle import some_hidden
from tests.record.random_records import JSON, TEXT, random_game
from tests.record.test_faults import set_to
from tests.starts import LISTED

HIDDEN = ("none v none", "2B v 1R", "Q v Q", "8P v 8P", "8P 2N 2B 2R Q v 8P 2N 2B 2R Q")


def random_invisible(
    seed: int, tries: int, hidden: str | None = None, fen: str = chess.STARTING_FEN, **options: Any
) -> InvisibleGame:
    """A game after at most so many tries: moves, lost turns, refused and hopeless ones."""
    draw = random.Random(seed)
    hidden = some_hidden(draw, fen) if hidden is None else hidden
    game = InvisibleGame(hidden, replace(INVISIBLE, **options), fen)
    for _ in range(tries):
        if game.to_play is None:
            break
        mask = game.mask(game.to_play, "informed" if draw.random() < 0.7 else "own-board")
        game.ask(draw.randrange(1859) if draw.random() < 0.05 else int(draw.choice(mask.nonzero()[0])))
    return game


@st.composite
def invisible_records(draw: st.DrawFn, tries: int = 100) -> InvisibleRecord:
    """Records of random games with hidden men, options, starts, names and metadata of all kinds."""
    options: dict[str, Any] = draw(
        st.fixed_dictionaries(
            {},
            optional={
                "max_tries": st.integers(2, 20),
                "max_plies": st.integers(1, 60),
                "threefold": st.booleans(),
                "name": st.just("house rules"),
            },
        )
    )
    fen = draw(st.sampled_from([chess.STARTING_FEN, *LISTED]))
    hidden = draw(st.sampled_from(HIDDEN)) if fen == chess.STARTING_FEN else None
    game = random_invisible(draw(st.integers(0, 2**32)), draw(st.integers(0, tries)), hidden, fen, **options)
    return InvisibleRecord.from_game(
        game,
        white=draw(TEXT),
        black=draw(TEXT),
        event=draw(TEXT),
        date="2024.05.17",
        seeds=draw(st.dictionaries(TEXT, st.integers(), max_size=2)),
        metadata=draw(st.dictionaries(TEXT, JSON, max_size=3)),
    )


def figure_1() -> InvisibleGame:
    """A lost turn, and an illegal try behind it."""
    game = InvisibleGame("none v g7 h8", fen="4k2r/6b1/8/8/8/8/4P3/2B1K3 b - - 10 5")
    for text in ("g7b2", "c1a3", "h8h1", "e1e8", "e1f1", "e1d2"):
        game.ask(text)
    return game


SCHEMA = schema_file(INVISIBLE_CHESS)
RECORD = InvisibleRecord.from_game(random_invisible(3, 90, "8P 2B v 8P R"), "a", "b")


@settings(max_examples=40, deadline=None)
@given(invisible_records())
def test_round_trips(record: InvisibleRecord) -> None:
    assert from_pgn(to_pgn(record)) == record
    text = to_json(record)
    assert from_json(text) == record
    jsonschema.validate(json.loads(text), json.loads(SCHEMA.read_text()))


@settings(max_examples=20, deadline=None)
@given(invisible_records())
def test_python_chess_reads_the_pgn_and_replay_gives_the_same(record: InvisibleRecord) -> None:
    pgn = chess.pgn.read_game(io.StringIO(to_pgn(record)))
    assert pgn is not None
    assert pgn.errors == []
    game = replay(record)
    assert pgn.end().board().board_fen() == game.board().board_fen()
    assert pgn.end().board().fullmove_number == game.board().fullmove_number
    assert pgn.end().board().halfmove_clock == game.board().halfmove_clock
    again = InvisibleRecord.from_game(
        game, record.white, record.black, event=record.event, date=record.date,
        seeds=record.seeds, metadata=record.metadata,
    )  # fmt: skip
    assert again == record
    assert (game.winner, game.reason) == (record.winner, record.reason)


def test_a_game_to_its_end() -> None:
    record = InvisibleRecord.from_game(random_invisible(1, 10_000, "2B v 1R"))
    kinds = {entry.answer.kind for entry in record.tries}
    assert record.reason is not Reason.NONE
    assert kinds == {Kind.ILLEGAL, Kind.NONSENSE, Kind.MOVED, Kind.LOST}
    assert from_pgn(to_pgn(record)) == from_json(to_json(record)) == record
    assert len(list(steps(record))) == len(record.tries) + 1


def test_the_pgn_says_in_words_what_happened() -> None:
    text = " ".join(to_pgn(InvisibleRecord.from_game(figure_1(), "Ann", "Bob")).split())
    assert '[HiddenMen "none v g7 h8"]' in text
    assert '[Ruleset "invisible"]' in text
    assert '[Game "InvisibleChess"]' in text
    assert "5... Bb2 { [%said bishop 2 g7-b2] [%other bishop 2] }" in text
    assert "6. -- { [%lost c1a3 impossible] }" in text
    assert (
        "6... Rh1+ { [%said rook 1 h8-h1, check from h1, check from hidden 1] "
        "[%other rook 1, check from hidden 1] }" in text
    )
    assert "7. Kd2 { [%try e1e8 nonsense] [%try e1f1 illegal, the king would be in check" in text
    assert "[%said king e1-d2] }" in text


def test_the_choice_of_men_is_kept_by_their_squares() -> None:
    record = InvisibleRecord.from_game(InvisibleGame("1B v 2N", choice=1))
    assert record.hidden == "f1 v b8 g8"
    assert from_pgn(to_pgn(record)) == record
    assert replay(record).hidden_squares(chess.WHITE) == {1: chess.F1}


@pytest.mark.parametrize("suffix", [".json", ".pgn"])
def test_files(tmp_path: Path, suffix: str) -> None:
    save(RECORD, tmp_path / f"game{suffix}")
    assert load(tmp_path / f"game{suffix}") == RECORD


def test_both_games_in_one_pgn(tmp_path: Path) -> None:
    records: list[Record] = [RECORD, GameRecord.from_game(random_game(ICC, 5, 40)), RECORD]
    save_all(records, tmp_path / "games.pgn")
    assert load_all(tmp_path / "games.pgn") == records
    assert len(list(games_from_pgn("\n".join(map(to_pgn, records))))) == 3


def test_the_committed_schema_is_current() -> None:
    assert SCHEMA.read_text() == schema_text(INVISIBLE_CHESS)


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_a_truncated_file_is_never_read_as_another_game(data: st.DataObject) -> None:
    write, read = data.draw(st.sampled_from([(to_pgn, from_pgn), (to_json, from_json)]))
    text = write(RECORD).rstrip()
    cut = data.draw(st.integers(0, text.rindex("]" if write is to_pgn else "}")))
    with pytest.raises(RecordError):
        read(text[:cut])


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (set_to("game", "checkers"), "game: unknown game 'checkers'"),
        (set_to("start", "hidden", "2B v 1R"), "hidden is '2B v 1R'; expected the men's squares"),
        (set_to("start", "hidden", "c1"), "hidden: hidden men 'c1': expected White's and Black's"),
        (set_to("start", "hidden", False), "start.hidden: Input should be a valid string"),
        (set_to("tries", 0, "move", "e2e9"), "tries.0.move: 'e2e9' is not a try"),
        (set_to("tries", 0, "seat", "black"), "try 1 is by Black; expected White"),
        (set_to("tries", 0, "heard", "white", None), "try 1: expected an answer for White, who tried"),
        (set_to("tries", 0, "heard", "white", "kind", "any_yes"), "Input should be 'start', 'illegal'"),
        (set_to("tries", 0, "heard", "white", "mover", 16), "less than or equal to 15"),
        (set_to("tries", 0, "heard", "white", "surprise", 1), "surprise"),
        (set_to("result", "1-0"), "result: expected '*' by the announcements, found '1-0'"),
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
        (
            '[Game "InvisibleChess"]',
            '[Game "InvisibleChes"]',
            "header Game: unknown game 'InvisibleChes' (did",
        ),
        (
            '[Game "InvisibleChess"]',
            '[Game "Bughouse"]',
            "header Game: unknown game 'Bughouse'; expected one",
        ),
        ('[HiddenMen "none', '[HiddenMen "2Q', "expected the men's squares"),
        ('[HiddenMen "none v', '[HiddenMen "none', "expected White's and Black's"),
        ("[%lost c1a3 impossible]", "[%lost c1z3 impossible]", "[%lost c1z3 impossible]: "),
        ("[%lost c1a3 impossible]", "[%lost c1a3 gone]", "'gone' is not an announcement; expected phrases"),
        ("[%lost c1a3 impossible]", "", "[%said accepted] is out of place"),
        ("[%lost c1a3 impossible]", "[%said pawn e2-e4]", "[%said pawn e2-e4] is out of place"),
        ("[%said king e1-d2]", "[%lost e1d2 impossible]", "[%lost e1d2 impossible] is out of place"),
        ("[%said king e1-d2]", "", "'accepted' does not say what moved"),
        ("[%said king e1-d2]", "[%said file check]", "'file check' is not an announcement"),
    ],
)
def test_damaged_pgn(old: str, new: str, expected: str) -> None:
    headers, moves = to_pgn(InvisibleRecord.from_game(figure_1())).split("\n\n", 1)
    text = f"{headers}\n\n{' '.join(moves.split())}\n"
    assert old in text
    with pytest.raises(RecordError) as error:
        from_pgn(text.replace(old, new, 1))
    assert expected in str(error.value)


def test_replay_names_the_first_difference() -> None:
    record = InvisibleRecord.from_game(figure_1())
    moved = replace(record, hidden="none v g7")
    with pytest.raises(
        RecordError, match=r"^try 1 \(g7b2 by Black\): the record has White hear \"Black's hidden"
    ):
        replay(moved)
    with pytest.raises(RecordError, match=r"^start: no man of white that can be hidden stands on e4"):
        replay(replace(record, hidden="e4 v none"))


@pytest.mark.parametrize(
    ("field", "value", "expected"),
    [
        ("hidden", "2B v 1R", "expected the men's squares"),
        ("hidden", "c1", "expected White's and Black's"),
        ("start_fen", "nonsense", "start_fen is 'nonsense'"),
        (
            "tries",
            (AnyTry(chess.WHITE, 5, (Announcement(Kind.ANY_NO, True, 5), None)),),
            "is not an answer to",
        ),
    ],
)
def test_impossible_records(field: str, value: Any, expected: str) -> None:
    with pytest.raises(RecordError, match=expected):
        replace(RECORD, **{field: value})


def test_an_adopted_game_knows_its_hidden_men() -> None:
    """One that lives in a row of a batch has the record of the game that began alike."""
    alone, rules = InvisibleGame("1B v 2N", choice=1), INVISIBLE
    games, history = np.array([alone.row()]), np.zeros((1, rules.history), np.uint64)
    history[0, 0] = games[0]["truth"]["key"]
    start, log = alone.row().copy(), [InvisibleGame.both_hear(games[0], rules)]
    adopted = InvisibleGame.adopt(
        games, history, rules, start=start, fen=alone.start_fen, hidden_start=False, log=log
    )
    for text in ("f2f3", "g8f6"):
        assert adopted.ask(text) == alone.ask(text)
    assert adopted.hidden == "f1 v b8 g8"
    assert InvisibleRecord.from_game(adopted) == InvisibleRecord.from_game(alone)


@pytest.mark.parametrize(
    "heard",
    [
        Announcement(Kind.MOVED, True),
        Announcement(Kind.MOVED, True, man=1, captured=2),
        Announcement(Kind.MOVED, True, man=1, start=3),
        Announcement(Kind.LOST, True, taken=3),
    ],
)
def test_words_refuse_what_no_referee_says(heard: Announcement) -> None:
    with pytest.raises(RecordError):
        PHRASES.to_words(heard)


@pytest.mark.parametrize(
    ("words", "heard"),
    [
        ("accepted", Announcement(Kind.START, True)),
        ("impossible, draw: fifty moves", Announcement(Kind.LOST, True, reason=Reason.FIFTY_MOVES)),
        ("illegal, the way is blocked", Announcement(Kind.ILLEGAL, True, why=Why.BLOCKED)),
        (
            "pawn 3, becomes queen, captures rook 2 on a8, check from hidden 3",
            Announcement(
                Kind.MOVED, True, man=1, mover=3, promoted=5, captured=4, taken=2, square=56, landing=56,
                hidden_checkers=(3,),
            ),
        ),
        (
            "pawn e5-d6, captures pawn 1 on d5 landing on d6",
            Announcement(
                Kind.MOVED, True, start=36, end=43, man=1, captured=1, taken=1, square=35, landing=43
            ),
        ),
        (
            "king e1-g1, castles king side with rook 2",
            Announcement(Kind.MOVED, True, start=4, end=6, man=6, castled="king side", rook=2),
        ),
    ],
)  # fmt: skip
def test_words(words: str, heard: Announcement) -> None:
    assert PHRASES.to_words(heard) == words
    assert PHRASES.from_words(words, heard.kind, True, None) == heard
