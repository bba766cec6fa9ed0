"""Repetition: counted as python-chess counts it, in a history that is never too short."""

from __future__ import annotations

import dataclasses
import random

import chess
import numpy as np
import pytest

from ks_env.core.answers import Reason
from ks_env.core.ruleset import ICC, Ruleset
from ks_env.games.kriegspiel.game import Game
from ks_env.games.kriegspiel.layout import GAME
from ks_env.games.kriegspiel.start import start_row

GUARD = 16
SENTINEL = np.uint64(0xDEADBEEF)
OPEN = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"


def guarded_game(ruleset: Ruleset, fen: str) -> tuple[Game, np.ndarray]:
    """A game whose history is followed by words that nothing may touch."""
    games, history = np.zeros(1, GAME), np.full((1, ruleset.history + GUARD), SENTINEL, np.uint64)
    games[0] = start_row(fen, ruleset)
    games[0]["truth"]["past"] = 1
    history[0, 0] = games[0]["truth"]["key"]
    start, said = games[0].copy(), Game.both_hear(games[0], ruleset)
    game = Game.adopt(games, history, ruleset, start=start, fen=fen, hidden_start=False, log=[said])
    return game, history


def wander(game: Game, plies: int) -> None:
    """Reversible moves to positions not seen before, until the game is over or so many were made."""
    rng, board = random.Random(1), game.board()
    seen = {board._transposition_key()}
    for _ in range(plies):
        moves = [move for move in board.legal_moves if not board.is_zeroing(move)]
        rng.shuffle(moves)
        for move in moves:
            board.push(move)
            key = board._transposition_key()
            if key not in seen and not board.is_check() and any(board.legal_moves):
                break
            board.pop()
        else:
            raise AssertionError("nowhere new to go")
        seen.add(key)
        if game.ask(board.peek()).reason is not Reason.NONE:
            return


@pytest.mark.parametrize(
    ("options", "plies", "reason"),
    [
        ({"fifty_moves": False, "max_plies": 700}, 700, Reason.PLIES),
        ({"fifty_moves": False, "threefold": False, "max_plies": 300}, 300, Reason.PLIES),
        ({"threefold": False}, 100, Reason.FIFTY_MOVES),
        ({}, 100, Reason.FIFTY_MOVES),
        ({"max_plies": 100}, 100, Reason.FIFTY_MOVES),
        ({"max_plies": 99}, 99, Reason.PLIES),
        ({"max_plies": 1}, 1, Reason.PLIES),
        ({"fifty_moves": False, "max_plies": 2}, 2, Reason.PLIES),
    ],
)
def test_the_history_never_overflows(options: dict[str, int], plies: int, reason: Reason) -> None:
    rules = dataclasses.replace(ICC, **options)  # type: ignore[arg-type]
    game, history = guarded_game(rules, OPEN)
    wander(game, plies + 10)
    assert (game.plies, game.reason) == (plies, reason)
    assert (history[0, -GUARD:] == SENTINEL).all()
    if rules.threefold:
        assert int(game.row()["truth"]["past"]) == plies + 1 <= rules.history


def test_an_irreversible_move_empties_the_history() -> None:
    game, history = guarded_game(dataclasses.replace(ICC, max_plies=6), chess.STARTING_FEN)
    for uci in ("g1f3", "g8f6", "e2e4"):
        game.ask(uci)
    assert int(game.row()["truth"]["past"]) == 1
    assert history[0, 0] == game.row()["truth"]["key"]


def test_a_late_start_clock_does_not_overflow() -> None:
    game, history = guarded_game(ICC, "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 10000 9000")
    wander(game, 5)
    assert (game.plies, game.reason) == (1, Reason.FIFTY_MOVES)
    assert (history[0, -GUARD:] == SENTINEL).all()


def shuffle_move(rng: random.Random, board: chess.Board) -> chess.Move:
    """Often the way back, so that positions recur."""
    back = None
    if len(board.move_stack) >= 2:
        last = board.move_stack[-2]
        back = chess.Move(last.to_square, last.from_square)
    moves = list(board.legal_moves)
    if back in moves and rng.random() < 0.6:
        assert back is not None
        return back
    quiet = [move for move in moves if not board.is_zeroing(move)]
    return rng.choice(quiet if quiet and rng.random() < 0.93 else moves)


@pytest.mark.parametrize(
    "fen",
    [
        chess.STARTING_FEN,
        OPEN,
        "4k3/p1p1p1p1/8/1P1P1P1P/1p1p1p1p/8/P1P1P1P1/4K3 w - - 0 1",
        "4k3/8/8/3pP3/8/8/8/R3K2R w KQ d6 0 1",
        "r3k2r/1b4bq/8/8/8/8/7B/R3K2R w KQkq - 0 1",
    ],
)
def test_threefold_is_that_of_python_chess(fen: str) -> None:
    ends = 0
    for seed in range(25):
        rng, game, board = random.Random(seed), Game(ICC, fen), chess.Board(fen)
        while game.to_play is not None and len(board.move_stack) < 150:
            move = shuffle_move(rng, board)
            game.ask(move)
            board.push(move)
            if game.reason in (Reason.NONE, Reason.FIFTY_MOVES):
                assert not board.is_repetition(3)
            elif game.reason is Reason.REPETITION:
                assert board.is_repetition(3)
                ends += 1
    assert ends >= 8


def test_the_start_counts_once() -> None:
    game = Game()
    there_and_back = ["g1f3", "g8f6", "f3g1", "f6g8"] * 2
    for uci in there_and_back[:-1]:
        assert game.ask(uci).reason is Reason.NONE
    assert game.ask(there_and_back[-1]).reason is Reason.REPETITION
    assert (game.winner, game.result, game.to_play) == (None, "1/2-1/2", None)


@pytest.mark.parametrize(
    ("fen", "plies"), [("4k3/8/8/8/3p4/8/4P3/4K3 w - - 0 1", 10), ("4k3/8/8/8/p7/8/4P3/4K3 w - - 0 1", 9)]
)
def test_a_legal_en_passant_capture_makes_another_position(fen: str, plies: int) -> None:
    """With the pawn on d4 what stands after e2e4 never recurs, but what stands one ply later does."""
    game = Game(ICC, fen)
    for uci in ["e2e4", *["e8e7", "e1e2", "e7e8", "e2e1"] * 3]:
        if game.ask(uci).reason is Reason.REPETITION:
            break
    assert game.plies == plies


def test_lost_castling_rights_make_another_position() -> None:
    """The rooks lose the rights at plies 1 and 2, so the first position to recur is that of ply 2."""
    game = Game(ICC, OPEN)
    for uci in [*["h1h2", "h8h7", "h2h1", "h7h8"] * 2, "h1h2"]:
        assert game.ask(uci).reason is Reason.NONE
    assert game.ask("h8h7").reason is Reason.REPETITION


def test_repetition_switched_off() -> None:
    game = Game(dataclasses.replace(ICC, threefold=False))
    for uci in ["g1f3", "g8f6", "f3g1", "f6g8"] * 5:
        assert game.ask(uci).reason is Reason.NONE
