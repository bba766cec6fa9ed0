"""A metaposition's picture shows every ghost, on its square, and nothing that the seat does not know."""

import base64
import json
import re
import xml.etree.ElementTree as ET
from typing import Any

import chess
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from ks_env.belief.metaposition import METAPOSITION, follow, opening
from ks_env.core.ruleset import BERKELEY_ANY, CINCINNATI, ICC, RAND, Ruleset
from ks_env.games.kriegspiel.game import Game
from ks_env.games.kriegspiel.record import GameRecord
from ks_env.record import steps
from ks_env.render.belief_data import NOTHING, Squares, by_square, change
from ks_env.render.following import Follower, believing_scene, followed, metaposition_svg
from ks_env.render.ghosts import FAINTEST, STRONGEST, Ghosts, ghosts_of
from ks_env.render.palette import GHOST_AGE_STOPS, age_colour, age_fill
from ks_env.render.raster import svg_to_png, svg_to_rgb
from ks_env.render.replay import page_data, replay_html
from ks_env.render.svg import BOARD_TOP, LEFT, SQUARE, WIDTH
from tests.record.random_records import random_game, records

SVG = "{http://www.w3.org/2000/svg}"
RECORD = GameRecord.from_game(random_game(ICC, 3, 160))


def changed(before: Squares, told: str) -> Squares:
    """The next state: `change` undone, as the page does it."""
    if not told:
        return before
    data = np.frombuffer(base64.b64decode(told, validate=True), np.uint8)
    assert len(data) % 3 == 1
    assert data[0] <= 1
    state = before.copy()
    if data[0]:
        state[:, 1] += (before[:, 1] > 0) & (before[:, 1] < 255)
    state[data[1::3], 0] = data[2::3]
    state[data[1::3], 1] = data[3::3]
    return state


def after(*tries: str, fen: str = chess.STARTING_FEN, ruleset: Ruleset = ICC) -> GameRecord:
    game = Game(ruleset, fen)
    for text in tries:
        game.ask(text)
    return GameRecord.from_game(game)


def last(record: GameRecord) -> tuple[Game, Follower]:
    *_, pair = followed(record)
    return pair


def drawn(svg: str, seat: bool) -> list[tuple[int, int, float, float]]:
    """(kind, square, opacity, scale) of every ghost on the board of a picture, read from the picture."""
    root = ET.fromstring(svg)
    (board,) = root.findall(f"{SVG}g[@transform='translate({LEFT} {BOARD_TOP})']")
    found = []
    for use in board.findall(f"{SVG}use[@class='ghost']"):
        numbers = re.fullmatch(r"translate\((\S+) (\S+)\) scale\((\S+)\)", use.attrib["transform"])
        assert numbers is not None
        x, y, scale = map(float, numbers.groups())
        across, down = int((x + 22.5 * scale) // SQUARE), int((y + 22.5 * scale) // SQUARE)
        square = chess.square(across, 7 - down) if seat else chess.square(7 - across, down)
        colour, _, name = use.attrib["href"].removeprefix("#").partition("-")
        assert colour == chess.COLOR_NAMES[not seat]
        found.append((chess.PIECE_NAMES.index(name), square, float(use.attrib["opacity"]), scale))
    return found


@settings(max_examples=12, deadline=None)
@given(records(tries=80).filter(lambda record: not record.hidden_start), st.data())
def test_every_ghost_is_drawn_on_its_square_and_the_truth_is_among_them(
    record: GameRecord, data: st.DataObject
) -> None:
    moment = data.draw(st.integers(0, len(record.tries)))
    for number, (game, follower) in enumerate(followed(record)):
        for seat in chess.COLORS:
            ghosts, truth = follower.ghosts(seat), game.board()
            if game.to_play is not None:  # what ends the game is not taken in
                for square, man in truth.piece_map().items():
                    assert man.color == seat or man.piece_type in ghosts.kinds(square)
                assert ghosts.boards[0] & ~truth.occupied == chess.BB_ALL & ~truth.occupied
            if number == moment:
                found = drawn(metaposition_svg(record, "white" if seat else "black", moment), seat)
                boards = [0] * 7
                for kind, square, _, _ in found:
                    boards[kind] |= 1 << square
                assert len(found) == sum(board.bit_count() for board in ghosts.boards[1:])
                assert boards[1:] == list(ghosts.boards[1:])


def test_the_start_is_certain_and_opaque() -> None:
    record = after()
    for seat in chess.COLORS:
        svg = metaposition_svg(record, "white" if seat else "black", 0)
        board = chess.Board()
        assert sorted(drawn(svg, seat)) == [
            (kind, square, 1.0, 1.0) for kind in chess.PIECE_TYPES for square in board.pieces(kind, not seat)
        ]
        assert svg.count('class="certain"') == 1  # in the key


def test_a_man_of_unknown_kind_has_brackets_and_full_strength() -> None:
    moments = (
        (number, follower.ghosts(chess.WHITE)) for number, (_, follower) in enumerate(followed(RECORD))
    )
    number, ghosts = next(
        (number, ghosts)
        for number, ghosts in moments
        if any(ghosts.occupied(s) and not ghosts.certain(s) for s in chess.SQUARES)
    )
    unknown = {s for s in chess.SQUARES if ghosts.occupied(s) and not ghosts.certain(s)}
    svg = metaposition_svg(RECORD, "white", number)
    here = [(opacity, scale) for _, s, opacity, scale in drawn(svg, chess.WHITE) if s in unknown]
    assert len(here) > len(unknown)
    assert all(opacity == 1 and scale < 1 for opacity, scale in here)
    assert svg.count('class="certain"') == 1 + len(unknown)  # one in the key


def test_the_fainter_the_more_squares() -> None:
    game, follower = last(after("e2e4", "e7e5", "g1f3", "b8c6", "f1c4", "g8f6"))
    ghosts = follower.ghosts(chess.WHITE)
    shares = {k: ghosts.most[k] / ghosts.boards[k].bit_count() for k in chess.PIECE_TYPES}
    by_share = [ghosts.opacities()[k] for k in sorted(chess.PIECE_TYPES, key=shares.__getitem__)]
    assert by_share == sorted(by_share)
    assert all(FAINTEST < ghosts.opacities()[k] <= STRONGEST for k in chess.PIECE_TYPES)
    drawn_ones = drawn(metaposition_svg(GameRecord.from_game(game), "white", 6), chess.WHITE)
    faint = {opacity for kind, square, opacity, _ in drawn_ones if not ghosts.occupied(square)}
    assert faint <= set(ghosts.opacities())
    assert len(faint) > 2


@pytest.mark.parametrize("ruleset", [ICC, BERKELEY_ANY, RAND, CINCINNATI])
def test_a_picture_is_the_same_for_all_that_the_seat_cannot_tell_apart(ruleset: Ruleset) -> None:
    one = after("e2e4", "e7e5", "d2d4", "a7a6", "h2h3", ruleset=ruleset)
    other = after("e2e4", "e7e5", "d2d4", "a7a6", "g2g3", ruleset=ruleset)
    assert metaposition_svg(one, "black", 5) == metaposition_svg(other, "black", 5)
    assert metaposition_svg(one, "white", 5) != metaposition_svg(other, "white", 5)


def test_ages_are_the_heat_under_the_ghosts() -> None:
    record = after("e2e4", "e7e5", "g1f3", "b8c6", "a2a3", "d7d6")
    _, follower = last(record)
    ages = follower.ghosts(chess.BLACK).ages
    pixels = svg_to_rgb(metaposition_svg(record, "black", 6, size=800))
    scale = 800 / WIDTH
    for square in (chess.E2, chess.H3, chess.B1, chess.A8, chess.E5):
        across, down = 7 - chess.square_file(square), chess.square_rank(square)
        x, y = LEFT + SQUARE * across + 1.5, BOARD_TOP + SQUARE * down + 1.5
        colour = "#" + bytes(pixels[round(y * scale), round(x * scale)]).hex()
        heat = age_fill(int(ages[square]), square, GHOST_AGE_STOPS)
        assert (colour == heat) == bool(ages[square])
    assert {int(ages[s]) > 0 for s in (chess.E2, chess.B1, chess.A8)} == {True, False}


def test_the_heat_stays_light_enough_for_black_men_and_dark_enough_to_order() -> None:
    light = [sum(int(age_colour(a, GHOST_AGE_STOPS)[i : i + 2], 16) for i in (1, 3, 5)) for a in range(1, 31)]
    assert light == sorted(light, reverse=True)
    assert len(set(light)) == 30
    assert light[-1] > 3 * 140


def test_the_referee_sees_no_ghosts() -> None:
    game, follower = last(RECORD)
    assert believing_scene(game, follower, "referee").ghosts is None
    assert 'class="ghost"' not in metaposition_svg(RECORD, "referee", 10)


def test_a_picture_says_what_it_shows() -> None:
    svg = metaposition_svg(RECORD, "white", 60)
    for words in ("White believes", "turns unseen", "may be here", "one is here", "is here", "empty"):
        assert f">{words}<" in svg
    assert svg_to_png(svg).startswith(b"\x89PNG")


def test_moments_and_starts_that_are_not_there_are_refused() -> None:
    with pytest.raises(ValueError, match=f"no moment after {len(RECORD.tries) + 1} tries; expected 0 to"):
        metaposition_svg(RECORD, "white", len(RECORD.tries) + 1)
    fens = ["8/8/8/4k3/8/8/8/KQ6 w - - 0 1", "8/8/8/3k4/8/8/8/KQ6 w - - 0 1", "8/8/8/3k4/8/8/8/QK6 w - - 0 1"]
    hidden = GameRecord.from_game(Game(ICC, fens[0], hidden_start=True))
    with pytest.raises(ValueError, match="the start was hidden"):
        metaposition_svg(hidden, "white", 0)
    with pytest.raises(ValueError, match="is not one of the 2 placements given"):
        metaposition_svg(hidden, "white", 0, placements=fens[1:])
    found = drawn(metaposition_svg(hidden, "white", 0, placements=fens), chess.WHITE)
    assert [(kind, square) for kind, square, _, _ in found] == [(6, chess.D5), (6, chess.E5)]


# ---- the page's data

any_squares = arrays(np.uint8, (64, 2), elements=st.integers(0, 255))


@given(any_squares, any_squares)
def test_a_change_can_be_undone(before: Squares, after: Squares) -> None:
    assert (changed(before, change(before, after)) == after).all()
    assert change(after, after) == ""


def test_a_turn_older_is_short() -> None:
    before = np.tile(np.array([3, 7], np.uint8), (64, 1))
    before[5] = (1, 0)
    older = before.copy()
    older[np.arange(64) != 5, 1] += 1
    assert len(change(before, older)) == 4


@settings(max_examples=10, deadline=None)
@given(records(tries=80).filter(lambda record: not record.hidden_start))
def test_the_pages_data_is_what_a_player_would_follow(record: GameRecord) -> None:
    frames = page_data(record)["frames"]
    for seat in chess.COLORS:
        mine = np.zeros(1, METAPOSITION)
        mine[0] = opening([record.start_fen], seat)
        known, most, entropy = NOTHING, None, None
        for frame, game in zip(frames, steps(record), strict=True):
            told = frame["views"][chess.COLOR_NAMES[seat]]
            known = changed(known, told.get("belief", ""))
            most, entropy = told.get("most", most), told.get("entropy", entropy)
            if game.to_play is seat:  # a player looks in its own turns only
                assert follow(mine[0], game.view(seat), record.ruleset.record()[0])
                ghosts = ghosts_of(mine[0])
                assert (known == by_square(ghosts)).all()
                assert most == list(ghosts.most)
                assert entropy == pytest.approx(ghosts.entropy, abs=0.051)


def test_both_frames_are_the_right_way_up() -> None:
    _, follower = last(after("a2a4"))
    black, white = follower.ghosts(chess.BLACK), follower.ghosts(chess.WHITE)
    assert black.kinds(chess.A1) == [chess.ROOK]
    assert chess.PAWN in black.kinds(chess.A4)
    assert white.kinds(chess.A8) == [chess.ROOK]
    assert white.kinds(chess.A1) == black.kinds(chess.A8) == []


def data_of(page: str) -> Any:
    found = re.search(r'<script type="application/json" id="game">(.*?)</script>', page, re.S)
    assert found is not None
    return json.loads(found[1])


def test_the_page_has_beliefs_unless_told_otherwise_or_hidden() -> None:
    with_them, without = replay_html(RECORD), replay_html(RECORD, beliefs=False)
    assert set(data_of(with_them)["ghosts"]) == {"scale", "opacity", "places"}
    assert "ghosts" not in data_of(without)
    assert '"belief"' not in without
    assert len(with_them) < 1.25 * len(without)
    hidden = GameRecord.from_game(random_game(ICC, 1, 20, hidden_start=True))
    assert "ghosts" not in data_of(replay_html(hidden))


def test_kinds_of_a_square() -> None:
    boards = (chess.BB_A1, chess.BB_A1 | chess.BB_B1, 0, 0, 0, chess.BB_A1 | chess.BB_C1, chess.BB_C1)
    ghosts = Ghosts(chess.WHITE, boards, np.zeros(64, np.uint8), (3, 1, 0, 0, 0, 1, 1), 0.0)
    assert [ghosts.kinds(s) for s in (0, 1, 2, 3)] == [[1, 5], [1], [5, 6], []]
    assert [ghosts.occupied(s) for s in (0, 1, 2, 3)] == [False, True, True, False]
    assert [ghosts.certain(s) for s in (0, 1, 2, 3)] == [False, True, False, False]
