"""Location maps: they agree with the metaposition, with the truth where all is known, and with themselves."""

from __future__ import annotations

import random
from typing import Any

import chess
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ks_env.belief.location import (
    KINGS,
    LOCATION,
    PAWNS,
    PIECES,
    chance_capture,
    chance_check,
    chance_empty,
    chance_legal,
    control_map,
    follow_map,
    open_map,
    silent_turn,
)
from ks_env.belief.location.answers import control, piece_control
from ks_env.belief.location.layout import NO_DRIFT, RATES, allowed
from ks_env.belief.metaposition import certain
from ks_env.core.record import f4
from ks_env.core.ruleset import RULESETS
from ks_env.games.kriegspiel.game import Game
from tests.starts import draw_start

Array = np.ndarray[Any, Any]
SORTS = {chess.KING: KINGS, chess.PAWN: PAWNS}


def scratch() -> Array:
    return np.zeros((4, 64), np.float32)


def check(place: Any) -> None:
    """All that holds for every location map."""
    known, maps, left = place["known"], place["maps"], place["left"]
    assert np.isfinite(maps).all()
    assert (maps >= 0).all()
    assert (maps.sum(axis=0) <= 1 + 1e-4).all()
    sure = int(certain(known))
    for sort in range(3):
        board = int(allowed(known, sort))
        outside = [square for square in range(64) if not board >> square & 1]
        assert not maps[sort, outside].any()
    for square in chess.SquareSet(sure):
        assert maps[:, square].sum() == pytest.approx(1, abs=1e-3)
    assert left[PAWNS] + left[PIECES] == pytest.approx(int(known["most"][0]) - 1, abs=1e-3)
    assert left[PAWNS] <= known["most"][chess.PAWN]


def play(ruleset: str, start: str, seed: int, most: int = 200) -> tuple[int, float]:
    """A game of random tries; the maps are checked at each one. Tries, and the greatest error of a total."""
    game, rng = Game(RULESETS[ruleset], start), random.Random(seed)
    rules = RULESETS[ruleset].record()[0]
    places: dict[bool, Any] = {colour: np.array(open_map([start], colour)) for colour in chess.COLORS}
    error = 0.0
    for number in range(most):
        mover = game.to_play
        if mover is None:
            return number, error
        place = places[mover][()]
        assert follow_map(place, game.view(mover), rules, RATES, NO_DRIFT, scratch())
        check(place)
        error = max(error, float(np.abs(place["maps"].sum(axis=1) - place["left"]).max()))
        before = place.tobytes()
        assert follow_map(place, game.view(mover), rules, RATES, NO_DRIFT, scratch())
        assert place.tobytes() == before
        game.ask(rng.choice(np.flatnonzero(game.mask(mover)).tolist()))
    return most, error


@pytest.mark.parametrize("ruleset", RULESETS)
def test_maps_never_contradict_a_metaposition(ruleset: str) -> None:
    starts = [chess.STARTING_FEN, *(draw_start(random.Random(i)) for i in range(4))]
    played = [play(ruleset, start, i) for i, start in enumerate(starts)]
    assert sum(tries for tries, _ in played) > 100


def test_matrices_add_up_to_the_number_of_men() -> None:
    errors = [play("icc", chess.STARTING_FEN, seed)[1] for seed in range(6)]
    assert np.median(errors) < 0.6  # announcements may pull against each other


def test_refusals_are_heard_however_late_the_first_look() -> None:
    game, rules = Game(fen="4k3/3p4/8/3p4/8/8/8/3RK3 w - - 0 1"), RULESETS["icc"].record()[0]
    early: Any = np.array(open_map([game.start_fen], True))
    late: Any = early.copy()
    for move, look in (("d1d2", True), ("e8e7", True), ("d2d1", True), ("e7e8", False), ("d1d8", True)):
        game.ask(move)
        if look:
            follow_map(late[()], game.view(True), rules, RATES, NO_DRIFT, scratch())
        follow_map(early[()], game.view(True), rules, RATES, NO_DRIFT, scratch())
    assert game.view(True)["refusals"] == 1
    assert late["maps"] == pytest.approx(early["maps"], abs=0.02)
    way = [chess.D2, chess.D3, chess.D4, chess.D5, chess.D6, chess.D7]
    assert late["maps"][:, way].sum() >= 0.99


def test_a_man_that_may_be_pinned_tells_nothing() -> None:
    game, rules = Game(fen="3rk3/8/8/8/8/8/3B4/3K4 w - - 0 1"), RULESETS["icc"].record()[0]
    place: Any = np.array(open_map([game.start_fen], True))
    follow_map(place[()], game.view(True), rules, RATES, NO_DRIFT, scratch())
    before = place["maps"].copy()
    game.ask("d2h6")
    follow_map(place[()], game.view(True), rules, RATES, NO_DRIFT, scratch())
    assert game.view(True)["refusals"] == 1
    assert place["maps"] == pytest.approx(before, abs=1e-4)


def test_a_start_is_certain() -> None:
    place = open_map([chess.STARTING_FEN], chess.BLACK)
    assert place["left"].tolist() == [1, 8, 7]
    assert place["maps"][KINGS].argmax() == chess.E8  # White's king, seen from Black's side
    assert set(np.unique(place["maps"])) == {0.0, 1.0}


def test_placements_share_the_chance() -> None:
    fens = ["8/8/8/3k4/8/8/8/KR6 w - - 0 1", "8/8/8/8/5k2/8/8/KR6 w - - 0 1"]
    place = open_map(fens, chess.WHITE)
    assert place["maps"][KINGS, [chess.D5, chess.F4]].tolist() == [0.5, 0.5]


def known_board(board: chess.Board) -> tuple[Any, Array]:
    """The map of White that knows where everything stands, and what it deems empty."""
    place = open_map([board.fen()], chess.WHITE)
    empty = np.zeros(64, np.float32)
    chance_empty(place["maps"], place["known"]["own"][0], empty)
    return place, empty


def boards(seed: int, number: int) -> list[chess.Board]:
    """Positions with White to move and not in check."""
    rng = random.Random(seed)
    found: list[chess.Board] = []
    while len(found) < number:
        board = chess.Board(draw_start(rng))
        for _ in range(rng.randrange(60)):
            moves = list(board.legal_moves)
            if not moves:
                break
            board.push(rng.choice(moves))
        over = board.is_insufficient_material() or not any(board.legal_moves)
        if board.turn and not board.is_check() and not over:
            board.ep_square = None
            found.append(board)
    return found


def test_where_all_is_known_legality_captures_and_checks_are_those_of_chess() -> None:
    """Chances are 0 or 1, but for pins, which depend on the kind of the piece."""
    compared = 0
    for board in boards(1, 40):
        place, empty = known_board(board)
        legal = {(move.from_square, move.to_square) for move in board.legal_moves}
        king = board.king(chess.WHITE)
        for move in board.generate_pseudo_legal_moves():
            start, end = move.from_square, move.to_square
            if start == king or board.is_pinned(chess.WHITE, start) or board.is_castling(move):
                continue
            chance = chance_legal(place["known"], place["maps"], empty, start, end)
            assert ((start, end) in legal) == (chance > 0.5), (board.fen(), move)
            pawn, piece = chance_capture(place["maps"], end)
            victim = board.piece_type_at(end)
            assert pawn == (victim == chess.PAWN)
            assert piece == (victim not in (None, chess.PAWN, chess.KING))
            if move.promotion is None:
                check_chance = chance_check(place["known"], place["maps"], start, end)
                assert board.gives_check(move) == (check_chance > 0.5), (board.fen(), move)
            compared += 1
    assert compared > 300


def test_blocked_tries_are_known_to_be_illegal() -> None:
    for board in boards(2, 20):
        place, empty = known_board(board)
        for square in board.pieces(chess.ROOK, chess.WHITE) | board.pieces(chess.BISHOP, chess.WHITE):
            seen = board.attacks(square)
            for end in chess.SquareSet(chess.BB_ALL):
                blocked = chess.SquareSet.between(square, end) & board.occupied_co[chess.BLACK]
                own = chess.SquareSet.between(square, end) & board.occupied_co[chess.WHITE]
                if end not in seen and blocked and not own and chess.SquareSet.ray(square, end):
                    assert chance_legal(place["known"], place["maps"], empty, square, end) == 0


def test_control_counts_what_attacks_where_all_pieces_are_seven() -> None:
    """c1 stands for the share of seven pieces, so that a lone queen counts 3/7 and a knight's jump 2/7."""
    place = open_map(["4k3/8/8/3q4/8/8/4P3/4K3 w - - 0 1"], chess.WHITE)
    both, empty = np.zeros((2, 64), np.float32), np.zeros(64, np.float32)
    control_map(place["maps"], place["known"]["own"][0], empty, both)
    out = both[0]
    assert out[chess.D1] == pytest.approx(3 / 7)
    assert out[chess.F4] == pytest.approx(2 / 7)
    assert out[chess.E7] == pytest.approx(1 + 2 / 7)
    assert out[chess.H3] == 0


def test_sweeps_count_what_single_squares_do() -> None:
    game, rng, rules = Game(), random.Random(5), RULESETS["icc"].record()[0]
    place: Any = open_map([chess.STARTING_FEN], True)
    both, empty = np.zeros((2, 64), np.float32), np.zeros(64, np.float32)
    while game.to_play is not None and game.plies < 80:
        if game.to_play:
            follow_map(place, game.view(True), rules, RATES, NO_DRIFT, scratch())
            control_map(place["maps"], place["known"]["own"][0], empty, both)
            single = [control(place["maps"], empty, square) for square in range(64)]
            pieces = [piece_control(place["maps"], empty, square) for square in range(64)]
            assert both[0] == pytest.approx(single, abs=1e-4)
            assert both[1] == pytest.approx(pieces, abs=1e-4)
        game.ask(rng.choice(np.flatnonzero(game.mask(game.to_play)).tolist()))
    assert game.plies > 40


def distribution(draw: st.DrawFn) -> Array:
    """Matrices of any probabilities off the own men."""
    seed = draw(st.integers(0, 2**32 - 1))
    rng = np.random.default_rng(seed)
    maps = rng.random((3, 64)).astype(np.float32) ** draw(st.sampled_from([1, 4, 12])) / 3
    maps[PAWNS, :8] = 0
    maps[PAWNS, 56:] = 0
    maps[KINGS] /= maps[KINGS].sum()
    return maps


@given(st.data())
@settings(max_examples=60, deadline=None)
def test_silent_turns_lose_no_man(data: st.DataObject) -> None:
    maps = data.draw(st.composite(distribution)())
    own = data.draw(st.integers(0, 2**64 - 1))
    for square in range(64):
        if own >> square & 1:
            maps[:, square] = 0
    left = maps.sum(axis=1)
    before, total = left.copy(), float(maps.sum())
    permitted = np.uint64(data.draw(st.integers(0, 2**64 - 1)) & ~own)
    king, pawn, piece = (f4(data.draw(st.floats(0, 1))) for _ in range(3))
    silent_turn(maps, left, np.uint64(own), permitted, king, pawn, piece, NO_DRIFT[0, 0], scratch())
    assert (maps >= -1e-6).all()
    assert maps.sum() == pytest.approx(total, rel=1e-4)
    assert maps.sum(axis=1) == pytest.approx(left, rel=1e-3, abs=1e-3)
    assert left[KINGS] == before[KINGS]
    assert left[PAWNS] <= before[PAWNS] + 1e-4
    assert not maps[:, [s for s in range(64) if own >> s & 1]].any()


def test_men_that_never_move_stay() -> None:
    place = open_map([chess.STARTING_FEN], chess.WHITE)
    maps, still = place["maps"].copy(), f4(0)
    silent_turn(
        maps,
        place["left"],
        place["known"]["own"][0],
        np.uint64(0),
        still,
        still,
        still,
        NO_DRIFT[0, 0],
        scratch(),
    )
    assert (maps == place["maps"]).all()


def test_a_drift_draws_men() -> None:
    place = open_map(["4k3/8/8/3q4/8/8/8/4K3 w - - 0 1"], chess.WHITE)
    drift = NO_DRIFT[0, 0].copy()
    drift[PIECES, chess.D8] = 10
    maps = {}
    for name, used in (("none", NO_DRIFT[0, 0]), ("drift", drift)):
        maps[name] = place["maps"].copy()
        rate = f4(0.5)
        silent_turn(
            maps[name],
            place["left"],
            place["known"]["own"][0],
            np.uint64(0),
            rate,
            rate,
            rate,
            used,
            scratch(),
        )
    assert maps["drift"][PIECES, chess.D8] > 3 * maps["none"][PIECES, chess.D8] > 0


def test_the_record_is_of_machine_numbers() -> None:
    assert not LOCATION.hasobject
    assert LOCATION.itemsize < 2048
