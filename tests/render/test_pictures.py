"""Pictures show what they should, and a player's picture nothing that the player does not know."""

import subprocess
import sys
import xml.etree.ElementTree as ET
from dataclasses import replace

import chess
import numpy as np
import pytest
from numpy.typing import NDArray

from ks_env.core.ruleset import BERKELEY_ANY, ICC, RAND
from ks_env.games.kriegspiel.game import Game
from ks_env.games.scene import LegendEntry, Mark, make_scene
from ks_env.render import Viewpoint, Window, render_ansi, render_rgb, render_svg
from ks_env.render.palette import AGE_TOP, MARK, SHADE, age_colour, age_fill, text_on
from ks_env.render.svg import BOARD_TOP, HEIGHT, LEFT, SQUARE, WIDTH, scene_svg
from tests.record.random_records import random_game

VIEWS: tuple[Viewpoint, ...] = ("referee", "white", "black")


def played(*tries: str, fen: str = chess.STARTING_FEN, ruleset: object = ICC) -> Game:
    game = Game(ruleset, fen)  # type: ignore[arg-type]
    for text in tries:
        game.ask(text)
    return game


def cell(pixels: NDArray[np.uint8], name: str, turned: bool = False) -> NDArray[np.uint8]:
    """The pixels of a square, without its border."""
    square = chess.parse_square(name)
    file, rank = chess.square_file(square), chess.square_rank(square)
    across, down = (7 - file, rank) if turned else (file, 7 - rank)
    scale = pixels.shape[1] / WIDTH
    x, y = LEFT + SQUARE * across, BOARD_TOP + SQUARE * down
    return pixels[
        round((y + 1) * scale) : round((y + 44) * scale), round((x + 1) * scale) : round((x + 44) * scale)
    ]


def black_share(pixels: NDArray[np.uint8]) -> float:
    return float((pixels.max(axis=2) < 40).mean())


@pytest.mark.parametrize("viewpoint", VIEWS)
def test_every_form_of_every_view(viewpoint: Viewpoint) -> None:
    game = random_game(ICC, 5, 70)
    svg = render_svg(game, viewpoint, size=500)
    assert ET.fromstring(svg).get("width") == "500"
    pixels = render_rgb(game, viewpoint, size=500)
    assert pixels.dtype == np.uint8
    assert pixels.shape == (round(500 * HEIGHT / WIDTH), 500, 3)
    assert len(np.unique(pixels.reshape(-1, 3), axis=0)) > 50


def test_what_a_game_lists_is_drawn_beside_the_ages() -> None:
    legend = (LegendEntry("whole", "royal", "royal"), LegendEntry("shade", "in mist", "mist"))
    svg = scene_svg(
        replace(
            make_scene(Game(), "white"),
            marks=(Mark(chess.E1, 7, True, "royal man 7"),),
            shaded=chess.SquareSet([chess.A5, chess.B5]),
            legend=legend,
            note="No <word> yet",
        )
    )
    for words in ("turns unseen", "royal", "in mist", "No &lt;word&gt; yet", "7"):
        assert f">{words}<" in svg
    assert svg.count(f'stroke="{MARK}"') == 2  # on the board and in the legend
    assert svg.count(f'fill="{SHADE}"') + svg.count(f'fill="{SHADE[:7]}"') == 3


def test_another_viewpoint_is_refused() -> None:
    for render in (render_svg, render_rgb, render_ansi):
        with pytest.raises(ValueError, match="viewpoint is 'green'; expected one of referee, white, black"):
            render(Game(), "green")  # type: ignore[arg-type]


def test_men_stand_where_they_stand() -> None:
    pixels = render_rgb(played("e2e4", "g8f6"), "referee")
    assert black_share(cell(pixels, "f6")) > 0.1
    assert black_share(cell(pixels, "g8")) == 0
    assert black_share(cell(pixels, "e5")) == 0
    white_pawn, empty = cell(pixels, "e4"), cell(pixels, "d4")
    assert (white_pawn.min(axis=2) > 250).mean() > 0.08 > (empty.min(axis=2) > 250).mean()


def test_a_move_changes_its_squares_and_no_others() -> None:
    before, after = (render_rgb(played(*tries), "referee") for tries in (("e2e4", "e7e5"), ("e2e4", "d7d5")))
    changed = {name for name in chess.SQUARE_NAMES if (cell(before, name) != cell(after, name)).any()}
    assert changed == {"e7", "e5", "d7", "d5"}


def test_a_player_does_not_see_the_other_side() -> None:
    white = render_rgb(played("e2e4", "e7e5"), "white")
    assert all(black_share(cell(white, name)) == 0 for name in ("e5", "e8", "d8", "a7"))
    black = render_rgb(played("e2e4", "e7e5"), "black")
    assert black_share(cell(black, "e5", turned=True)) > 0.1
    assert all(
        (cell(black, name, turned=True).min(axis=2) > 250).mean() < 0.08 for name in ("e4", "e1", "a2")
    )


@pytest.mark.parametrize("ruleset", [ICC, BERKELEY_ANY, RAND])
def test_a_players_picture_is_the_same_for_all_he_cannot_tell_apart(ruleset: object) -> None:
    one = played("e2e4", "e7e5", "d2d4", "a7a6", "h2h3", ruleset=ruleset)
    other = played("e2e4", "e7e5", "d2d4", "a7a6", "g2g3", ruleset=ruleset)
    assert render_svg(one, "black") == render_svg(other, "black")
    assert render_svg(one, "white") != render_svg(other, "white")
    assert render_ansi(one, "black") == render_ansi(other, "black")


def test_the_opponents_refused_tries_are_seen_by_the_mover_and_the_referee_alone() -> None:
    quiet, refused = played("e2e4", "a7a6"), played("e2e4", "a7a6", "e4d5", "f1h3")
    assert render_svg(quiet, "black") == render_svg(refused, "black")
    for viewpoint in ("white", "referee"):
        assert "stroke-dasharray" not in render_svg(quiet, viewpoint)
        assert render_svg(refused, viewpoint).count("stroke-dasharray") == 2


def test_refused_tries_vanish_with_the_turn() -> None:
    assert "stroke-dasharray" not in render_svg(played("e2e4", "a7a6", "f1h3", "d2d4"), "white")


def test_ages_are_coloured_and_written() -> None:
    game = played("e2e4", "e7e5", "g1f3", "b8c6")
    pixels = render_rgb(game, "white")
    middle = cell(pixels, "a8")[3, 3]
    assert "#" + bytes(middle).hex() == age_fill(int(game.ages(chess.WHITE)[chess.A8]), chess.A8)
    without = render_rgb(game, "white", ages=False)
    assert (cell(without, "a8") != cell(pixels, "a8")).any()
    assert ">30+<" in render_svg(game, "white")
    assert ">30+<" not in render_svg(game, "white", ages=False)
    assert ">30+<" not in render_svg(game, "referee")


def test_older_is_darker_and_numbers_can_be_read() -> None:
    light = [sum(int(age_colour(age)[i : i + 2], 16) for i in (1, 3, 5)) for age in range(1, AGE_TOP + 1)]
    assert light == sorted(light, reverse=True)
    assert len(set(light)) == AGE_TOP
    assert age_colour(255) == age_colour(AGE_TOP)
    assert (text_on(age_colour(1)), text_on(age_colour(AGE_TOP))) != (text_on("#ffffff"), text_on("#ffffff"))


def test_capture_square_is_framed_for_both() -> None:
    game = played("e2e4", "d7d5", "e4d5")
    for viewpoint in VIEWS:
        assert make_scene(game, viewpoint).captures == (chess.D5,)
        assert render_svg(game, viewpoint).count('rx="4"') == 1


@pytest.mark.parametrize(
    ("fen", "move", "expected"),
    [
        ("4k3/8/8/8/8/8/8/R3K3 w - - 0 1", "a1a8", "a8 b8 c8 d8 f8 g8 h8"),
        ("3k4/8/8/8/8/8/8/R3K3 w - - 0 1", "a1d1", "d1 d2 d3 d4 d5 d6 d7"),
        ("4k3/8/8/8/8/7P/8/4KB2 w - - 0 1", "f1b5", "a4 b5 c6 d7"),
        ("4k3/8/8/8/8/7P/8/3BK3 w - - 0 1", "d1h5", "f7 g6 h5"),
        ("4k3/5p2/8/8/4N3/8/8/4K3 w - - 0 1", "e4f6", "c7 d6 f6 g7"),
        ("4k3/8/4N3/8/8/8/8/K3R3 w - - 0 1", "e6g7", "c7 d6 f6 g7 e1 e2 e3 e4 e5 e6 e7"),
    ],
)
def test_check_may_come_from(fen: str, move: str, expected: str) -> None:
    game = played(move, fen=fen)
    squares = {chess.parse_square(name) for name in expected.split()}
    assert make_scene(game, "black").check == chess.SquareSet(squares)
    assert make_scene(game, "black").king == game.board().king(chess.BLACK)
    assert make_scene(game, "white").king is None
    assert not make_scene(game, "white").check
    assert make_scene(game, "referee").king == game.board().king(chess.BLACK)


def test_squares_of_announced_pawn_tries() -> None:
    game = played("e2e4", "d7d5", ruleset=RAND)
    assert make_scene(game, "white").said_tries == (chess.E4,)
    assert make_scene(played("e2e4", "d7d5"), "white").said_tries == ()


def test_text_of_a_players_view() -> None:
    game = played("e2e4", "d7d5", "e4f5")
    assert render_ansi(game, "white").splitlines() == [
        "White’s view · Move 2 · White to play",
        "",
        *(f"{rank}  . . . . . . . .       1   1   1   1   1   1   1   1" for rank in (8, 7, 6, 5)),
        "4  . . . . P . . .       1   1   1   1   ·   1   1   1",
        "3  . . . . . . . .       1   1   1   1   1   1   1   1",
        "2  P P P P . P P P       ·   ·   ·   ·   1   ·   ·   ·",
        "1  R N B Q K B N R       ·   ·   ·   ·   ·   ·   ·   ·",
        "   a b c d e f g h       a   b   c   d   e   f   g   h",
        "",
        "Start · White to move",
        "e2e4 · Black to move",
        "White to move: 1 pawn try",
        "e4f5 · illegal",
    ]
    assert "x" in render_ansi(played("e2e4", "d7d5", "e4d5"), "black").splitlines()[6]
    assert "r n b q k b n r" in render_ansi(game, "referee")


def test_the_end_is_said() -> None:
    game = played("f2f3", "e7e5", "g2g4", "d8h4")
    for viewpoint in VIEWS:
        assert "Black wins: checkmate" in render_ansi(game, viewpoint).splitlines()[0]
        assert "Black wins: checkmate" in render_svg(game, viewpoint)


def test_a_hidden_start_is_old_from_the_beginning() -> None:
    game = Game(ICC, "8/8/8/4k3/8/8/8/KQ6 w - - 0 1", hidden_start=True)
    pixels = render_rgb(game, "white")
    assert "#" + bytes(cell(pixels, "e5")[3, 3]).hex() == age_fill(AGE_TOP, chess.E5)


def test_pictures_load_no_window_and_no_torch() -> None:
    code = (
        "import sys; from ks_env.games.kriegspiel.game import Game; from ks_env.render import render_rgb; "
        "render_rgb(Game()); assert not {'pygame', 'torch', 'matplotlib'} & set(sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("missing", ["resvg_py", "font_lato", "PIL", "pygame"])
def test_without_the_extra_the_error_says_what_to_install(
    missing: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, missing, None)
    with pytest.raises(ModuleNotFoundError, match=r"pip install 'ks-env\[render\]'"):
        Window() if missing == "pygame" else render_rgb(Game())


def test_notebooks_show_games_and_pictures() -> None:
    game = Game()
    assert game._repr_svg_() == render_svg(game)._repr_svg_() == str(render_svg(game))
    assert repr(render_svg(game, "white")) == f"<SVG of {len(render_svg(game, 'white'))} characters>"
