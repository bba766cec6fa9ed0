"""Pictures and pages of invisible chess: hidden men are marked, and shown to nobody who may not know them."""

import xml.etree.ElementTree as ET
from pathlib import Path
from typing import get_args

import chess
import numpy as np
import pytest
import typer
from hypothesis import given, settings
from typer.testing import CliRunner

from ks_env.games.invisible.game import InvisibleGame
from ks_env.games.invisible.record import InvisibleRecord
from ks_env.games.scene import Scene, announcement_line, make_scene
from ks_env.record import save, steps
from ks_env.render import Viewpoint, render_ansi, render_rgb, render_svg, replay_command
from ks_env.render.palette import MARK
from ks_env.render.poster import poster_svg, telling_moment
from ks_env.render.replay import replay_html
from tests.record.test_invisible import figure_1, invisible_records, random_invisible
from tests.render.test_pictures import black_share, cell
from tests.render.test_replay import data_of, unfolded

VIEWS: tuple[Viewpoint, ...] = get_args(Viewpoint)
RECORD = InvisibleRecord.from_game(random_invisible(5, 90, "8P 2B v 2N Q"), "Ann", "Bob")


def played(hidden: str, *tries: str, fen: str = chess.STARTING_FEN) -> InvisibleGame:
    game = InvisibleGame(hidden, fen=fen)
    for text in tries:
        game.ask(text)
    return game


@pytest.mark.parametrize("viewpoint", VIEWS)
def test_every_form_of_every_view(viewpoint: Viewpoint) -> None:
    game = random_invisible(5, 70, "2B 2N Q v 8P")
    svg = render_svg(game, viewpoint, size=500)
    assert ET.fromstring(svg).get("width") == "500"
    assert svg.count('class="hidden-man"') == len(make_scene(game, viewpoint).marks)
    assert render_rgb(game, viewpoint, size=500).shape[1:] == (500, 3)
    assert render_ansi(game, viewpoint).startswith(make_scene(game, viewpoint).title)


def marked(scene: Scene) -> dict[int, tuple[int, bool]]:
    """By square: the number of the man that is marked there, and whether its ring is whole."""
    return {mark.square: (mark.number, mark.whole) for mark in scene.marks}


def test_another_viewpoint_is_refused() -> None:
    with pytest.raises(ValueError, match="viewpoint is 'green'; expected one of referee, white, black"):
        render_svg(InvisibleGame("none v none"), "green")  # type: ignore[arg-type]


def test_a_hidden_man_is_drawn_for_its_owner_and_the_referee_alone() -> None:
    game = played("none v g8", "e2e4", "g8f6")
    assert black_share(cell(render_rgb(game, "referee"), "f6")) > 0.1
    assert black_share(cell(render_rgb(game, "black"), "f6", turned=True)) > 0.1
    white = render_rgb(game, "white")
    assert black_share(cell(white, "f6")) == 0
    assert black_share(cell(white, "g8")) == 0
    assert black_share(cell(white, "b8")) > 0.1
    assert make_scene(game, "white").note == "Out of sight: knight 1"


def test_where_a_hidden_mans_square_is_known_it_is_drawn_with_a_whole_ring() -> None:
    start = played("b1 v none")
    for viewpoint in VIEWS:
        scene = make_scene(start, viewpoint)
        assert (marked(scene), scene.note) == ({chess.B1: (1, True)}, "")
    moved = played("b1 v none", "b1c3", "d7d5")
    assert marked(make_scene(moved, "referee")) == {chess.C3: (1, False)}
    assert not make_scene(moved, "black").marks
    assert make_scene(moved, "black").note == "Out of sight: knight 1"
    moved.ask("c3d5")
    for viewpoint in VIEWS:
        assert marked(make_scene(moved, viewpoint)) == {chess.D5: (1, True)}
        assert make_scene(moved, viewpoint).captures == (chess.D5,)


def test_a_players_picture_is_the_same_for_all_he_cannot_tell_apart() -> None:
    one = played("b1 v none", "b1c3", "e7e5")
    other = played("b1 v none", "b1a3", "e7e5")
    assert render_svg(one, "black") == render_svg(other, "black")
    assert render_ansi(one, "black") == render_ansi(other, "black")
    assert render_svg(one, "white") != render_svg(other, "white")


def test_a_lost_turn_shows_its_try_to_the_mover_and_the_referee() -> None:
    fen = "4k3/8/8/8/8/b7/8/2B1K2B b - - 0 1"
    game = played("none v a3", "a3b2", "c1a3", fen=fen)
    assert make_scene(game, "white").refused == (chess.Move(chess.C1, chess.A3),)
    assert make_scene(game, "referee").refused == (chess.Move(chess.C1, chess.A3),)
    assert make_scene(game, "black").refused == ()
    game.ask("e8e7")
    assert make_scene(game, "white").refused == ()


def test_which_try_lost_the_turn_is_not_seen() -> None:
    fen = "4k3/8/8/8/3P4/b7/8/2B1K3 b - - 0 1"
    bishop, pawn = (played("none v a3", "a3b2", text, fen=fen) for text in ("c1a3", "d4c5"))
    assert render_svg(bishop, "black") == render_svg(pawn, "black")


def test_checks_are_shown_as_far_as_they_are_known() -> None:
    game = played("none v h8", "h8h1", fen="4k2r/8/8/8/8/8/8/3K4 b - - 0 1")
    assert (make_scene(game, "white").king, list(make_scene(game, "white").check)) == (chess.D1, [])
    assert make_scene(game, "black").king is None
    assert make_scene(game, "referee").king == chess.D1
    taken = played("none v h8", "h8h1", fen="4k2r/8/8/8/8/8/8/3K3N b - - 0 1")
    assert list(make_scene(taken, "white").check) == [chess.H1]


def test_text_of_a_view() -> None:
    assert render_ansi(figure_1(), "white").splitlines()[-7:] == [
        "Hidden: none",
        "Out of sight: rook 1, bishop 2",
        "",
        "Black's hidden rook 1 moves, check by hidden man 1",
        "e1e8 · nonsense",
        "e1f1 · illegal: the king would be in check, by hidden man 1",
        "e1d2 · White's king moves e1-d2",
    ]
    assert "Hidden: b2" not in render_ansi(figure_1(), "white")
    assert "Hidden: r1 h1, b2 b2" in render_ansi(figure_1(), "referee")


@settings(max_examples=10, deadline=None)
@given(invisible_records(tries=60))
def test_the_pages_data_is_the_record(record: InvisibleRecord) -> None:
    frames = data_of(replay_html(record))["frames"]
    assert len(frames) == len(record.tries) + 1
    states = {view: unfolded(frames, view) for view in VIEWS}
    for number, game in enumerate(steps(record)):
        heard = record.tries[number - 1].heard if number else record.start
        said = [
            None if a is None else announcement_line(a, c) for a, c in zip(heard, chess.COLORS, strict=True)
        ]
        assert frames[number]["lines"][1:] == said
        for view in VIEWS:
            scene, state = make_scene(game, view), states[view][number]
            assert state["board"] == scene.board.board_fen()
            assert [tuple(mark) for mark in state["marks"]] == sorted(scene.marks)
            assert state["note"] == scene.note
            assert "ages" not in state
        assert frames[number]["number"] <= game.board().fullmove_number


def test_a_players_data_holds_no_hidden_square() -> None:
    for game in steps(RECORD):
        for seat in chess.COLORS:
            scene = make_scene(game, "white" if seat else "black")
            placed = {int(s) ^ (0 if seat else 56) for s in game.view(seat)["placed"][1:] if s >= 0}
            hidden = set(game.hidden_squares(not seat).values())
            drawn = {s for s, piece in scene.board.piece_map().items() if piece.color != seat}
            assert drawn & hidden == placed


def test_the_page_and_the_poster(tmp_path: Path) -> None:
    page = replay_html(RECORD)
    assert "Ann – Bob, invisible chess" in page
    assert "ghosts" not in data_of(page)
    assert any(frame.get("lost") for frame in data_of(page)["frames"])
    svg = poster_svg(RECORD, telling_moment(RECORD))
    assert MARK in svg
    with pytest.raises(ValueError, match="metapositions cannot follow"):
        poster_svg(RECORD, 3, beliefs=True)


@pytest.mark.parametrize("suffix", [".pgn", ".json"])
def test_the_command_writes_the_page(tmp_path: Path, suffix: str) -> None:
    app = typer.Typer()
    app.command()(replay_command.replay)
    save(RECORD, tmp_path / f"game{suffix}")
    done = CliRunner().invoke(app, [str(tmp_path / f"game{suffix}")])
    assert done.exit_code == 0, done.output
    assert (tmp_path / "game.html").read_text(encoding="utf-8") == replay_html(RECORD)


def test_rings_are_of_their_own_colour() -> None:
    pixels = render_rgb(played("b1 v none"), "referee", size=800).reshape(-1, 3)
    colour = np.array([int(MARK[i : i + 2], 16) for i in (1, 3, 5)])
    assert (pixels == colour).all(axis=1).any()
