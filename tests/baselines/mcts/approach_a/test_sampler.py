"""The random boards of approach A, held against python-chess and what the seat was told."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import chess
import numpy as np
import pytest
from ks_baselines.mcts import MctsAPlayer, mcts_a_player
from ks_baselines.mcts.approach_a.pool import board_weights, last_useful, moves_made, shipped_profile
from ks_baselines.mcts.approach_a.sampler import contradictions

from ks_env.core.ruleset import ICC, RULESETS, PawnTries
from ks_env.core.start import to_board
from ks_env.core.tables import ANY, TRIES, TRY_FROM, TRY_TO
from ks_env.games import kriegspiel
from ks_env.games.kriegspiel.game import Game

BOARDS = 12  # looked at in each decision


def decisions(ruleset: str, colour: bool, seed: int, most: int) -> Iterator[tuple[Game, MctsAPlayer, Any]]:
    """Random games, with the pool filled for each decision of the colour."""
    rng, rules = np.random.default_rng(seed), RULESETS[ruleset]
    game, player = Game(rules), mcts_a_player(nodes=BOARDS)
    player.begin(kriegspiel.opening(colour, rules, chess.STARTING_FEN, seed))
    while game.to_play is not None and game.plies < most:
        if game.to_play == colour:
            view = game.view(colour)
            n = player.look(view)
            n -= n > 1 and player.tries[n - 1] == ANY
            assert player.draw_boards(view, n) > 0
            yield game, player, view
        game.ask(int(rng.choice(np.flatnonzero(game.mask(game.to_play)))))


def sampled(player: MctsAPlayer) -> list[chess.Board]:
    """The boards in the seat's frame, which is White's."""
    return [to_board(board) for board in player.pool.boards[: player.pool.used[0]]]


def faults(player: MctsAPlayer, view: Any) -> list[int]:
    """What the last message has against each board."""
    boards = player.pool.boards[: player.pool.used[0]]
    return [int(contradictions(board, view, player.rules)) for board in boards]


def pawn_captures(board: chess.Board) -> set[tuple[int, int]]:
    return {
        (move.from_square, move.to_square)
        for move in board.legal_moves
        if board.piece_type_at(move.from_square) == chess.PAWN and board.is_capture(move)
    }


def fits(board: chess.Board, view: Any, rules: Any) -> bool:
    """Whether the last message agrees with the board, by python-chess."""
    if len(board.checkers()) != view["checkers"]:
        return False
    knight = any(board.piece_type_at(square) == chess.KNIGHT for square in board.checkers())
    if view["checkers"] and bool(view["checks"] & 16) != knight:
        return False
    captures = pawn_captures(board)
    if rules.pawn_tries is PawnTries.COUNT and len(captures) != view["tries"]:
        return False
    if rules.pawn_tries is PawnTries.YES_NO and bool(captures) != bool(view["tries"]):
        return False
    named = {start for start, _ in captures}
    if rules.pawn_tries is PawnTries.SQUARES and named != set(chess.SquareSet(int(view["try_squares"]))):
        return False
    refused = [a for a in range(TRIES) if int(view["refused"][a >> 6]) >> (a & 63) & 1]
    legal = {(move.from_square, move.to_square) for move in board.legal_moves}
    return not any((int(TRY_FROM[a]), int(TRY_TO[a])) in legal for a in refused)


def seat_pieces(board: chess.Board, colour: bool) -> dict[int, int]:
    """Kinds by square of the colour's men, in its own frame."""
    turn = 0 if colour else 56
    return {s ^ turn: p.piece_type for s, p in board.piece_map().items() if p.color == colour}


def check_board(board: chess.Board, game: Game, player: MctsAPlayer, view: Any) -> None:
    """A legal position within all that the seat knows."""
    known = player.place[0]["known"]
    status = board.status() & ~(chess.STATUS_TOO_MANY_CHECKERS | chess.STATUS_IMPOSSIBLE_CHECK)
    assert status == chess.STATUS_VALID, board.fen()
    assert any(board.legal_moves)
    colour = view["seat"] == 0
    assert seat_pieces(board, True) == seat_pieces(game.board(), colour)
    theirs = {s: p.piece_type for s, p in board.piece_map().items() if not p.color}
    assert len(theirs) == len(seat_pieces(game.board(), not colour))
    for square, kind in theirs.items():
        assert int(known["ghosts"][kind]) >> square & 1
    assert not (~int(known["ghosts"][0]) & ~int(known["own"][0]) & (2**64 - 1) & ~int(board.occupied))
    assert view["enemy"] < 0 or int(view["enemy"]) in theirs
    assert sum(kind == chess.PAWN for kind in theirs.values()) <= 8 - view["pawns_taken"]
    for file in range(8):
        pawns = sum(kind == chess.PAWN and square & 7 == file for square, kind in theirs.items())
        assert known["file_least"][file] <= pawns <= known["file_pawns"][file]


@pytest.mark.parametrize("ruleset", sorted(RULESETS))
def test_boards_are_legal_and_most_agree_with_the_last_message(ruleset: str) -> None:
    agreeing = boards = 0
    seed = sorted(RULESETS).index(ruleset)
    for game, player, view in decisions(ruleset, bool(seed % 2), seed, 110):
        for board, fault in zip(sampled(player), faults(player, view), strict=True):
            check_board(board, game, player, view)
            if fault == 0:
                assert fits(board, view, RULESETS[ruleset]), board.fen()
            agreeing += int(fault == 0)
            boards += 1
    assert boards > 500
    assert agreeing / boards > 0.9  # measured: 0.95 to 0.97


def test_contradictions_are_counted() -> None:
    """The pool of one turn, judged by the messages of another, does not fit."""
    game, player = Game(fen="4k3/8/8/8/3p4/8/8/R3K2R w - - 0 1"), mcts_a_player(nodes=BOARDS)
    player.begin(kriegspiel.opening(True, ICC, game.start_fen, 0))
    view = game.view(True)
    assert player.draw_boards(view, player.look(view)) == BOARDS
    assert faults(player, view) == [0] * BOARDS
    wrong = view.copy()
    wrong["tries"] = 2
    player.draw_boards(wrong, player.look(view))
    assert faults(player, wrong) == [2] * BOARDS
    assert not any(fits(board, wrong, ICC) for board in sampled(player))


def test_what_is_public_at_the_start_is_drawn_as_it_is() -> None:
    for colour, before in ((True, ()), (False, ("a2a3",))):
        game, player = Game(), mcts_a_player(nodes=BOARDS)
        player.begin(kriegspiel.opening(colour, ICC, chess.STARTING_FEN, 0))
        for move in before:
            game.ask(move)
        view = game.view(colour)
        player.draw_boards(view, player.look(view))
        drawn = {board.board_fen() for board in sampled(player)}
        if colour:
            assert drawn == {chess.STARTING_BOARD_FEN}
        else:
            assert len(drawn) > 1
            assert all(board.has_castling_rights(chess.WHITE) for board in sampled(player))


def test_a_double_step_is_assumed_where_nothing_else_explains_a_pawn_try() -> None:
    """A pawn on d6 would check: only the double step leaves the pawn on e5 a capture."""
    game, player = Game(fen="4k3/3p4/8/2K1P3/8/8/8/8 b - - 0 1"), mcts_a_player(nodes=BOARDS)
    player.begin(kriegspiel.opening(True, ICC, game.start_fen, 0))
    game.ask("d7d5")
    view = game.view(True)
    assert view["tries"] == 1
    player.draw_boards(view, player.look(view))
    assert faults(player, view) == [0] * BOARDS
    assert {board.ep_square for board in sampled(player)} == {chess.D6}


def test_weights_are_the_profile_times_age() -> None:
    profile = shipped_profile()
    game = Game()
    for move in ("e2e4", "e7e5", "g1f3", "b8c6"):
        game.ask(move)
    view = game.view(True)
    assert moves_made(view) == 2
    weights = board_weights(view, True, 0.0)
    assert np.allclose(weights[1:], profile.places[1, 2] * np.maximum(view["age"], 1))
    assert np.allclose(board_weights(view, False, 0.0)[3], np.maximum(view["age"], 1))
    game.ask("f1b5")
    view = game.view(False)
    assert moves_made(view) == 3
    weights = board_weights(view, True, 0.0)
    seen = profile.places[0, 3][:, np.arange(64) ^ 56] * np.maximum(view["age"], 1)
    assert np.allclose(weights[1:], seen)
    view["moves"] = 500
    late = board_weights(view, True, 0.0)[1:] / np.maximum(view["age"], 1)
    assert np.allclose(late[5], profile.places[0, last_useful(profile, 0), 5][np.arange(64) ^ 56], atol=1e-6)
