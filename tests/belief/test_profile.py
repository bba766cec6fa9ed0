"""Profiles: counts beside python-chess, the frame of drifts, files, and what a drift does to a map."""

from __future__ import annotations

import io
from pathlib import Path

import chess
import chess.pgn
import numpy as np
import pytest

from ks_env.belief.location.layout import KINGS, PAWNS, PIECES
from ks_env.belief.profile import (
    FEWEST,
    LEAST,
    MOST,
    MOVES,
    SHIPPED,
    Profile,
    build_profile,
    shipped_drifts,
    smooth_squares,
    smooth_time,
)


def game(moves: str, white: str = "a", black: str = "b", fen: str | None = None) -> chess.pgn.Game:
    headers = f'[White "{white}"]\n[Black "{black}"]\n'
    if fen is not None:
        headers += f'[SetUp "1"]\n[FEN "{fen}"]\n'
    read = chess.pgn.read_game(io.StringIO(f"{headers}\n{moves} *\n"))
    assert read is not None
    assert not read.errors
    return read


def test_places_are_those_of_the_boards() -> None:
    profile = build_profile([game("1. e4 e5 2. Nf3 Nc6"), game("1. e4 c5"), game("1. d4 d5 2. c4")])
    assert profile.games[0, :4].tolist() == [3, 3, 2, 0]
    assert profile.games[1, :4].tolist() == [3, 3, 1, 0]
    pawns = profile.places[0, :, chess.PAWN - 1]
    assert pawns[0, chess.E2] == 1
    assert pawns[1, chess.E4] == pytest.approx(2 / 3)
    assert pawns[1, chess.D4] == pytest.approx(1 / 3)
    assert profile.places[0, 2, chess.KNIGHT - 1, chess.F3] == 0.5
    assert profile.places[1, 2, chess.KNIGHT - 1, chess.C6] == 1
    assert profile.places[0, :3].sum(axis=(1, 2)) == pytest.approx(16)


def test_one_player_alone() -> None:
    games = [game("1. e4 e5", "a", "b"), game("1. d4 d5", "b", "a"), game("1. c4 c5", "c", "d")]
    profile = build_profile(games, "a")
    assert profile.games[:, 0].tolist() == [1, 1]
    assert profile.places[0, 1, 0, chess.E4] == 1
    assert profile.places[1, 1, 0, chess.D5] == 1


def test_games_from_other_positions_are_left_out() -> None:
    other = game("1. Ke2", fen="4k3/8/8/8/8/8/8/4K3 w - - 0 1")
    with pytest.raises(ValueError, match="no game from the usual start"):
        build_profile([other])
    with pytest.raises(ValueError, match="no game of 'x'"):
        build_profile([game("1. e4")], "x")


def test_drifts_are_seen_from_the_other_side() -> None:
    drifts = build_profile([game("1. e4 e5 2. Nf3 Nc6")] * FEWEST).drifts()
    assert drifts.shape == (2, MOVES + 1, 3, 64)
    assert drifts[0, 0, PAWNS, chess.E4 ^ 56] == MOST  # White's first move, watched by Black
    assert drifts[0, 0, PAWNS, chess.E2 ^ 56] == LEAST
    assert drifts[1, 0, PAWNS, chess.E5] == MOST
    assert drifts[0, 1, PIECES, chess.F3 ^ 56] == MOST
    assert drifts[1, 1, PIECES, chess.C6] == MOST
    assert (drifts[:, 0, KINGS] == 1).all()
    assert (drifts[:, 2:] == 1).all()  # nobody went on so long
    assert (drifts[:, -1] == 1).all()


def test_few_games_draw_nobody() -> None:
    assert (build_profile([game("1. e4 e5")] * (FEWEST - 1)).drifts() == 1).all()


def test_smoothing_keeps_what_is_even_and_the_number_of_men_inside() -> None:
    even = np.ones((2, 5, 8, 8))
    assert smooth_squares(even) == pytest.approx(even)
    assert smooth_time(even) == pytest.approx(even)
    one = np.zeros((1, 1, 8, 8))
    one[0, 0, 3, 4] = 1
    smoothed = smooth_squares(one)
    assert smoothed.sum() == pytest.approx(1)
    assert smoothed[0, 0, 3, 4] == 0.5
    assert smoothed[0, 0, 4, 4] == smoothed[0, 0, 3, 5] == 0.125


def test_files(tmp_path: Path) -> None:
    profile = build_profile([game("1. e4 e5 2. Nf3")], "a")
    file = tmp_path / "a.npz"
    profile.save(file)
    read = Profile.load(file)
    assert read.name == "a"
    assert (read.games == profile.games).all()
    assert read.places == pytest.approx(profile.places, abs=1e-3)
    file.write_bytes(file.read_bytes()[:100])
    with pytest.raises(ValueError, match=r"a\.npz: is not a profile"):
        Profile.load(file)
    np.savez(tmp_path / "other.npz", a=1)
    with pytest.raises(ValueError, match="is not a profile"):
        Profile.load(tmp_path / "other.npz")


def test_the_shipped_profile_is_of_many_games() -> None:
    profile = Profile.load(SHIPPED)
    assert (profile.games[:, 0] >= 500).all()
    assert profile.places[:, 0].sum(axis=(1, 2)) == pytest.approx(16)
    drifts = shipped_drifts()
    assert drifts.min() >= LEAST
    assert drifts.max() <= MOST
    assert (drifts[:, :10] != 1).any()
