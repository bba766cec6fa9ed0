"""The replay page holds the record, whole and unchanged, and needs nothing else."""

import base64
import json
import re
from pathlib import Path
from typing import Any

import chess
import numpy as np
import pytest
import typer
from hypothesis import given, settings
from ks_train.commands.records import poster
from typer.testing import CliRunner

from ks_env.core.answers import Kind
from ks_env.core.ruleset import BERKELEY, ICC
from ks_env.games.kriegspiel.record import GameRecord
from ks_env.games.scene import announcement_line
from ks_env.record import save, steps
from ks_env.render import replay_command
from ks_env.render.poster import poster_svg, telling_moment
from ks_env.render.predicted import FAINTEST, Predictor
from ks_env.render.replay import replay_html
from tests.record.random_records import random_game, records

RECORD = GameRecord.from_game(random_game(BERKELEY, 2, 150), "Ann </script><b>", "Bob & Co")


def data_of(page: str) -> Any:
    found = re.search(r'<script type="application/json" id="game">(.*?)</script>', page, re.S)
    assert found is not None
    return json.loads(found[1])


def unfolded(frames: list[Any], view: str) -> list[dict[str, Any]]:
    """The state at every frame, put together from the changes, as the page does."""
    states: list[dict[str, Any]] = []
    for frame in frames:
        states.append({**(states[-1] if states else {}), **frame["views"][view]})
    return states


@settings(max_examples=15, deadline=None)
@given(records(tries=60))
def test_the_pages_data_is_the_record(record: GameRecord) -> None:
    frames = data_of(replay_html(record))["frames"]
    assert len(frames) == len(record.tries) + 1
    referee = unfolded(frames, "referee")
    players = {colour: unfolded(frames, chess.COLOR_NAMES[colour]) for colour in chess.COLORS}
    for number, game in enumerate(steps(record)):
        heard = record.tries[number - 1].heard if number else record.start
        said = [
            None if a is None else announcement_line(a, c) for a, c in zip(heard, chess.COLORS, strict=True)
        ]
        assert frames[number]["lines"][1:] == said
        assert referee[number]["board"] == game.board().board_fen()
        for colour, states in players.items():
            assert states[number]["board"] == game.own_board(colour).board_fen()
            ages = np.frombuffer(base64.b64decode(states[number]["ages"]), np.uint8)
            assert (ages == game.ages(colour)).all()
    for entry, frame in zip(record.tries, frames[1:], strict=True):
        assert frame.get("moved", False) == entry.accepted
        assert frame.get("refused", False) == (entry.answer.kind in (Kind.ILLEGAL, Kind.NONSENSE))
        assert entry.text() in frame["lines"][0]


def test_the_page_stands_alone() -> None:
    page = replay_html(RECORD)
    outside = re.sub(r"http://www\.w3\.org/\S+", "", page)
    assert not re.findall(r"""https?:|\bsrc=|@import|<link|url\((?!#)|fetch\(""", outside)
    assert "localStorage" not in page
    assert "@@" not in page
    assert page.count("<script") == page.count("</script>") == 2
    assert "Ann &lt;/script&gt;&lt;b&gt;" in page
    assert "Bob &amp; Co" in page
    for name in ("white-king", "black-pawn"):
        assert page.count(f'id="{name}"') == 1


def test_a_long_game_makes_a_small_page() -> None:
    record = GameRecord.from_game(random_game(ICC, 12, 700))
    assert sum(entry.accepted for entry in record.tries) >= 300
    assert len(replay_html(record).encode()) < 465_000


@pytest.fixture
def cli() -> typer.Typer:
    app = typer.Typer()
    app.command()(replay_command.replay)
    return app


@pytest.mark.parametrize("suffix", [".pgn", ".json"])
def test_the_command_writes_the_page(tmp_path: Path, cli: typer.Typer, suffix: str) -> None:
    save(RECORD, tmp_path / f"game{suffix}")
    done = CliRunner().invoke(cli, [str(tmp_path / f"game{suffix}")])
    assert done.exit_code == 0, done.output
    assert (tmp_path / "game.html").read_text(encoding="utf-8") == replay_html(RECORD)


def test_the_command_writes_where_it_is_told_and_opens_it(
    tmp_path: Path, cli: typer.Typer, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[str] = []
    monkeypatch.setattr("webbrowser.open", opened.append)
    save(RECORD, tmp_path / "game.json")
    page = tmp_path / "pages" / "one.html"
    page.parent.mkdir()
    done = CliRunner().invoke(cli, [str(tmp_path / "game.json"), "--output", str(page), "--open"])
    assert done.exit_code == 0, done.output
    assert opened == [page.as_uri()]
    assert page.exists()


def test_the_command_says_what_is_wrong_and_writes_nothing(tmp_path: Path, cli: typer.Typer) -> None:
    broken = tmp_path / "broken.json"
    broken.write_text("{", encoding="utf-8")
    differs = tmp_path / "differs.json"
    save(RECORD, differs)
    differs.write_text(differs.read_text().replace('"berkeley"', '"rand"'), encoding="utf-8")
    for path, expected in (
        (broken, "expected JSON"),
        (tmp_path / "none.pgn", "No such file"),
        (differs, "on replay"),
    ):
        line = failure(cli, str(path))
        assert expected in line
        assert path.name in line
    assert not list(tmp_path.glob("*.html"))


def failure(cli: typer.Typer, *arguments: str) -> str:
    """The one line that a failing command says, on stderr."""
    done = CliRunner().invoke(cli, arguments)
    assert done.exit_code == 2, done.output
    assert done.stdout == ""
    (line,) = done.stderr.splitlines()
    assert line.startswith("error: ")
    return line


def test_the_command_refuses_what_is_no_file(
    tmp_path: Path, cli: typer.Typer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    save(RECORD, "game.json")
    (tmp_path / "folder.pgn").mkdir()
    (tmp_path / "game.html").mkdir()
    for arguments, expected in (
        (["."], ".: expected a file name that ends in .json or .pgn"),
        (["folder.pgn"], "folder.pgn: Is a directory"),
        (["game.json"], "game.html: is not a file"),
        (["game.json", "-o", "."], ".: is not a file"),
        (["game.json", "-o", "folder.pgn"], "folder.pgn: is not a file"),
        (["game.json", "-o", "nosuch/dir/x.html"], "nosuch/dir/x.html: there is no folder nosuch/dir"),
        (["game.json", "-o", "game.json/x.html"], "there is no folder game.json"),
        (["game.json", "-o", "game.json"], "game.json: is the record itself"),
    ):
        assert expected in failure(cli, *arguments)
    assert {path.name for path in tmp_path.iterdir()} == {"folder.pgn", "game.html", "game.json"}


def test_the_poster_shows_three_boards_of_a_telling_moment(tmp_path: Path) -> None:
    moment = telling_moment(RECORD)
    assert not RECORD.tries[moment - 1].accepted
    svg = poster_svg(RECORD)
    assert svg == poster_svg(RECORD, moment)
    assert all(title in svg for title in ("Referee", "White’s view", "Black’s view"))
    assert "stroke-dasharray" in svg
    save(RECORD, tmp_path / "game.pgn")
    poster(tmp_path / "game.pgn", tmp_path / "views.svg")
    assert (tmp_path / "views.svg").read_text(encoding="utf-8") == svg
    poster(tmp_path / "game.pgn", tmp_path / "views.png", after=0, size=600)
    assert (tmp_path / "views.png").read_bytes().startswith(b"\x89PNG")


def test_the_poster_refuses_a_moment_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="no moment after 151 tries; expected 0 to 150"):
        poster_svg(RECORD, 151)
    with pytest.raises(ValueError, match=r"expected a file name that ends in \.svg or \.png"):
        poster(tmp_path / "game.pgn", tmp_path / "views.gif")


def test_predicted_men_are_those_of_the_network_and_only_if_asked_for() -> None:
    record = GameRecord.from_game(random_game(ICC, 3, 40))
    frames = data_of(replay_html(record, predicted=True))["frames"]
    states = {colour: unfolded(frames, chess.COLOR_NAMES[colour]) for colour in chess.COLORS}
    predictor = None
    for number, game in enumerate(steps(record)):
        predictor = predictor or Predictor(game)
        predictor.update(game)
        for colour in chess.COLORS:
            told = np.frombuffer(base64.b64decode(states[colour][number]["predicted"]), np.uint8)
            shown = np.zeros(256, np.uint8)
            shown[told[::2]] = told[1::2]
            wanted = predictor.chances(colour).ravel()
            assert (shown[:192] == np.where(wanted >= FAINTEST, np.rint(wanted * 255), 0)).all()
            own = [square for square, man in game.board().piece_map().items() if man.color == colour]
            if game.to_play is colour:
                assert not shown[:192].reshape(3, 64)[:, own].any()
            elif number == 0:  # nobody has moved: the king is where it began, on the far side for White
                assert wanted[:64].argmax() == (chess.E8 if colour else chess.E1)
    assert "predicted" not in data_of(replay_html(record))["frames"][0]["views"]["white"]
