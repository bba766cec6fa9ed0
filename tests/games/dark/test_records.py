"""A record of dark chess survives PGN, JSON and being played again; its page and pictures show the fog."""

from __future__ import annotations

import json
import random
import re
from dataclasses import replace
from importlib.resources import files
from pathlib import Path
from typing import Any

import chess
import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ks_env.core.answers import Kind, Reason
from ks_env.games.dark import DARK_CHESS
from ks_env.games.dark.announcement import Announcement
from ks_env.games.dark.game import DARK, DarkGame
from ks_env.games.dark.record import DarkRecord
from ks_env.games.dark.words import PHRASES
from ks_env.games.scene import make_scene
from ks_env.games.words import RecordError
from ks_env.record import from_json, from_pgn, load, replay, save, to_json, to_pgn
from ks_env.record.json_format import schema_text
from ks_env.render import render_ansi, render_rgb, render_svg
from ks_env.render.palette import SHADE
from ks_env.render.replay import replay_html
from tests.games.dark.duel import ODD_STARTS

SCHEMA = files("ks_env.games.dark") / "record.schema.json"


def random_game(seed: int, tries: int, fen: str = chess.STARTING_FEN, **options: Any) -> DarkGame:
    """A game after at most so many tries, refused ones among them."""
    draw = random.Random(seed)
    game = DarkGame(replace(DARK, **options), fen)
    for _ in range(tries):
        if game.to_play is None:
            break
        mask = game.mask(game.to_play, "informed" if draw.random() < 0.7 else "own-board")
        game.ask(draw.randrange(1859) if draw.random() < 0.05 else int(draw.choice(mask.nonzero()[0])))
    return game


RECORD = DarkRecord.from_game(random_game(3, 1000), "Ann", "Bob")


@settings(max_examples=25, deadline=None)
@given(
    st.integers(0, 2**32),
    st.integers(0, 120),
    st.sampled_from([chess.STARTING_FEN, *ODD_STARTS]),
    st.sampled_from([{}, {"max_tries": 3}, {"max_plies": 11}, {"threefold": False, "name": "house rules"}]),
)
def test_round_trips(seed: int, tries: int, fen: str, options: dict[str, Any]) -> None:
    record = DarkRecord.from_game(random_game(seed, tries, fen, **options), "a", "b", seeds={"game": seed})
    assert from_pgn(to_pgn(record)) == record
    text = to_json(record)
    assert from_json(text) == record
    jsonschema.validate(json.loads(text), json.loads(SCHEMA.read_text()))
    again = replay(record)
    assert (again.winner, again.reason) == (record.winner, record.reason)


def test_a_whole_game() -> None:
    assert RECORD.reason is Reason.KING_CAPTURED
    text = to_pgn(RECORD)
    assert '[Game "DarkChess"]' in text
    assert '[Termination "king captured"]' in text
    assert "[%try " in text
    assert {entry.answer.kind for entry in RECORD.tries} <= {Kind.ILLEGAL, Kind.NONSENSE, Kind.MOVED}


def test_moves_that_chess_forbids_are_written_as_usual() -> None:
    game = DarkGame(fen="r3k2r/8/8/8/8/5r2/8/R3K2R w KQkq - 0 1")
    for move in ("e1g1", "f3g3", "g1h2", "e8c8", "h2g3"):
        game.ask(move)
    record = DarkRecord.from_game(game)
    text = " ".join(to_pgn(record).split())
    assert "1. O-O Rg3 2. Kh2 O-O-O 3. Kxg3 { [%said rook captured on g3] } *" in text
    assert from_pgn(text.replace("] [", "]\n[").replace("] 1.", "]\n\n1.") + "\n") == record


@pytest.mark.parametrize("suffix", [".json", ".pgn"])
def test_files(tmp_path: Path, suffix: str) -> None:
    save(RECORD, tmp_path / f"game{suffix}")
    assert load(tmp_path / f"game{suffix}") == RECORD


def test_the_committed_schema_is_current() -> None:
    assert SCHEMA.read_text() == schema_text(DARK_CHESS)


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ('[Game "DarkChess"]', '[Game "LightChess"]', "header Game: unknown game 'LightChess'"),
        ('[Game "DarkChess"]\n', "", "damaged moves|is not an announcement"),
        ("king captured on", "man captured on", "is not an announcement; expected phrases"),
        ('[Termination "king captured"]', '[Termination "checkmate"]', "header Termination"),
    ],
)
def test_damaged_pgn(old: str, new: str, expected: str) -> None:
    text = to_pgn(RECORD)
    assert old in text
    with pytest.raises(RecordError, match=expected):
        from_pgn(text.replace(old, new, 1))


@pytest.mark.parametrize(
    ("words", "heard"),
    [
        ("accepted", Announcement(Kind.MOVED, True)),
        ("knight captured on d5", Announcement(Kind.MOVED, True, captured=2, square=35)),
        (
            "illegal, Black wins: limit on tries",
            Announcement(Kind.ILLEGAL, True, winner=False, reason=Reason.TRIES),
        ),
    ],
)
def test_words(words: str, heard: Announcement) -> None:
    assert PHRASES.to_words(heard) == words
    assert PHRASES.from_words(words, Kind.MOVED, True, None) == heard


def test_words_refuse_what_no_referee_says() -> None:
    with pytest.raises(RecordError):
        PHRASES.to_words(Announcement(Kind.MOVED, True, captured=2))


def test_pictures_show_the_fog() -> None:
    game = DarkGame()
    for move in ("e2e4", "d7d5", "b1c3"):
        game.ask(move)
    assert not make_scene(game, "referee").shaded
    fog = make_scene(game, "white").shaded
    assert fog == ~game.seen(chess.WHITE)
    assert render_svg(game, "white").count(f'fill="{SHADE[:7]}"') == len(fog)
    assert "out of sight" in render_svg(game, "white")
    assert SHADE[:7] not in render_svg(game, "referee")
    rows = render_ansi(game, "white").splitlines()[2:10]
    assert rows[0] == "8  ? ? ? ? ? ? ? ?"
    assert rows[4] == "4  . . . . P . . ."
    assert "?" not in render_ansi(game, "referee")
    pixels = render_rgb(game, "white", size=400)
    light = render_rgb(game, "referee", size=400)
    assert light.mean() > pixels.mean() + 15


def test_the_page_holds_the_fog_of_each_player_and_no_men_in_it() -> None:
    found = re.search(r'<script type="application/json" id="game">(.*?)</script>', replay_html(RECORD), re.S)
    assert found is not None
    data = json.loads(found[1])
    assert "ghosts" not in data
    states: dict[str, dict[str, Any]] = {"white": {}, "black": {}}
    for frame in data["frames"]:
        assert not frame["views"]["referee"].get("shaded")
        for name, state in states.items():
            state |= frame["views"][name]
            board = chess.Board(f"{state['board']} w - - 0 1")
            assert state["shaded"]
            assert not any(board.piece_at(square) for square in state["shaded"])
    page = replay_html(RECORD)
    assert 'class: "shade"' in page
    assert ".shade {" in page
