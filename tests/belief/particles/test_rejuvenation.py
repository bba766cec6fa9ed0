"""Rejuvenation leaves its distribution as it is, and keeps what was heard; so does a new beginning."""

from __future__ import annotations

import random

import chess
import numpy as np
import pytest
from scipy import stats

from ks_env.belief.particles import Care, Particles
from ks_env.belief.particles.follow import _rejuvenate
from ks_env.core.ruleset import RULESETS
from ks_env.core.start import to_board
from ks_env.games import kriegspiel
from ks_env.games.kriegspiel.game import Game
from tests.belief.particles.oracle import key_of
from tests.duel import Duel
from tests.oracle import OracleGame
from tests.oracle.position import Survey
from tests.oracle.seat import Heard

CHAINS = 2000
LONG = 25  # steps


def pawn_moves(board: chess.Board) -> list[chess.Move]:
    return list(board.generate_legal_moves(board.pawns))


def origins_by_brute_force(tries_said: bool) -> dict[str, float]:
    """King and rook anywhere, after Kb1-c1 and before a move that White heard nothing of: by placement.

    Weights are the chance that nothing is heard. White has king c1 and pawn h2; the squares b1 and c1 are
    White's way.
    """
    found = {}
    for king in chess.SQUARES:
        for rook in chess.SQUARES:
            board = chess.Board(None)
            board.set_piece_at(chess.C1, chess.Piece.from_symbol("K"))
            board.set_piece_at(chess.H2, chess.Piece.from_symbol("P"))
            if king == rook or {king, rook} & {chess.B1, chess.C1, chess.H2}:
                continue
            board.set_piece_at(king, chess.Piece.from_symbol("k"))
            board.set_piece_at(rook, chess.Piece.from_symbol("r"))
            board.turn = chess.BLACK
            if not board.is_valid() or board.is_check():
                continue
            moves = list(board.legal_moves)
            silent = 0
            for move in moves:
                quiet = not board.is_capture(move)
                board.push(move)
                told = tries_said and any(board.is_capture(m) for m in pawn_moves(board))
                silent += quiet and not told and not board.is_check() and any(board.legal_moves)
                board.pop()
            if silent:
                found[board.board_fen()] = silent / len(moves)
    return found


@pytest.mark.parametrize(("ruleset", "chosen"), [("icc", 1.0), ("berkeley", 1.0), ("icc", 0.3)])
def test_displacements_leave_their_distribution_as_it_is(ruleset: str, chosen: float) -> None:
    """Many independent chains that begin with it, after many steps: chi-square against brute force."""
    game = Game(RULESETS[ruleset], "7k/3r4/8/8/8/8/7P/1K6 w - - 0 1")
    particles = Particles(CHAINS, care=Care(threshold=1, steps=0, stir=0), seed=7)
    particles.begin(kriegspiel.opening(chess.WHITE, game.ruleset, game.start_fen))
    for move in ("b1c1", "d7e7"):
        game.ask(move)
        particles.follow(game.view(chess.WHITE))
    record, following = particles.record, particles._following
    assert following is not None
    rows = np.arange(CHAINS) % record["count"]
    for name in ("men", "origin", "moved", "rights", "origin_rights", "ep"):
        record[name] = record[name][rows]
    record["weight"], record["count"], record["exact"] = 1 / CHAINS, CHAINS, 0
    expected = origins_by_brute_force(ruleset == "icc")
    fens, chances = list(expected), np.array(list(expected.values()))
    begin = np.random.default_rng(7).choice(len(fens), CHAINS, p=chances / chances.sum())
    for i, fen in enumerate(begin):
        for square, man in chess.BaseBoard(fens[fen]).piece_map().items():
            if man.color == chess.BLACK:
                record["origin"][i, man.piece_type] = 1 << square
    before = record["origin"].copy()
    _rejuvenate(record, game.view(chess.WHITE), following, 1, chosen)
    assert (record["origin"] == before).all(1).mean() > 1 - chosen - 0.05  # the others stay
    for _ in range(round(1 / chosen)):
        _rejuvenate(record, game.view(chess.WHITE), following, LONG, chosen)
    assert (record["weight"] == 1 / CHAINS).all()
    total = chances.sum()
    drawn = dict.fromkeys(expected, 0)
    for kings, rooks in record["origin"][:, [6, 4]].tolist():
        board = chess.Board(None)
        for square, symbol in (
            (chess.C1, "K"),
            (chess.H2, "P"),
            (kings.bit_length() - 1, "k"),
            (rooks.bit_length() - 1, "r"),
        ):
            board.set_piece_at(square, chess.Piece.from_symbol(symbol))
        drawn[board.board_fen()] += 1  # a KeyError is an origin that contradicts what was heard
    # some two thousand placements: compared by the king's square and by the rook's
    for symbol in "kr":
        seen, wanted = np.zeros(64), np.zeros(64)
        for fen, number in drawn.items():
            square = next(
                s for s, p in chess.Board(fen + " b - - 0 1").piece_map().items() if p.symbol() == symbol
            )
            seen[square] += number
            wanted[square] += CHAINS * expected[fen] / total
        some = wanted > 0
        assert not seen[~some].any()
        assert stats.chisquare(seen[some], wanted[some] * seen.sum() / wanted[some].sum()).pvalue > 1e-3


def _check_board(board: chess.Board, game: Game, oracle: OracleGame, seat: chess.Color) -> None:
    """What a board has to have in common with the true one, by python-chess and the oracle's words."""
    true = game.board()
    assert board.occupied_co[seat] == true.occupied_co[seat]
    assert all(board.piece_at(s) == true.piece_at(s) for s in chess.SquareSet(true.occupied_co[seat]))
    assert board.turn == true.turn
    assert len(board.pieces(chess.KING, not seat)) == 1
    assert chess.popcount(board.occupied) == chess.popcount(true.occupied)
    assert not board.was_into_check()
    assert not board.pawns & (chess.BB_RANK_1 | chess.BB_RANK_8)
    if not board.is_valid():  # such as more men of a kind than pawns could become
        assert board.status() & ~chess.STATUS_VALID & ~KNOWN_ODD == 0, board.status()
    survey = Survey(board)
    here, there = (oracle.describe_turn(HEARD, each) for each in (survey, oracle.survey))
    assert here == there
    assert any(board.legal_moves)
    if game.to_play == seat:
        for action in oracle.seats[seat].refused:
            assert not survey.legal >> action & 1
        if oracle.asked:
            assert bool(survey.captures) == bool(oracle.survey.captures)


HEARD = Heard("moved", chess.WHITE)
KNOWN_ODD = (
    chess.STATUS_TOO_MANY_BLACK_PAWNS
    | chess.STATUS_TOO_MANY_WHITE_PAWNS
    | chess.STATUS_TOO_MANY_BLACK_PIECES
    | chess.STATUS_TOO_MANY_WHITE_PIECES
    | chess.STATUS_TOO_MANY_CHECKERS
    | chess.STATUS_IMPOSSIBLE_CHECK
)


@pytest.mark.parametrize("ruleset", RULESETS)
@pytest.mark.parametrize("boards", [6, 60])
def test_boards_keep_what_was_heard(ruleset: str, boards: int) -> None:
    """Few boards, displaced in every turn and often dry: none contradicts the last observation."""
    rng = random.Random(f"keep {ruleset} {boards}")
    looked = dry = apart = 0
    for number in range(2):
        duel = Duel(ruleset, chess.STARTING_FEN)
        filters = {c: Particles(boards, care=Care(1, 2, 1), seed=number) for c in chess.COLORS}
        for colour, each in filters.items():
            each.begin(kriegspiel.opening(colour, duel.ours.ruleset))
        for _ in range(130):
            turn = duel.oracle.to_play
            if turn is None:
                break
            legal = sorted(duel.oracle.legal())
            mask = np.flatnonzero(duel.ours.mask(turn)).tolist()
            duel.ask(rng.choice(legal if rng.random() < 0.6 else mask))
            if duel.oracle.to_play is None:
                break
            for colour, each in filters.items():
                each.follow(duel.ours.view(colour))
                assert each.weights.sum() == pytest.approx(1)
                if not each.consistent:
                    continue
                for truth in each.sample(2):
                    board = to_board(truth)
                    board.fullmove_number = duel.ours.board().fullmove_number
                    _check_board(board, duel.ours, duel.oracle, colour)
                    looked += 1
                    apart += key_of(board) != key_of(duel.oracle.board)
        dry += sum(each.dry for each in filters.values())
    assert looked > 200
    assert apart > looked / 2
    assert dry > 0 or boards > 6
