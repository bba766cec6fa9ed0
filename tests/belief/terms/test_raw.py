"""The terms `raw` beside python-chess, in positions where the seat knows every man.

The location map tells pawns from pieces and no more, so that even then some terms are estimates. What is
left out of a comparison is left out by a rule:

- accepted: men that may be pinned, tries out of check, the king where the opponent has pieces;
- mate: unless its king is alone; stalemate: unless it has pawns at most, and these capture nothing;
- flights as the king's legal moves: where no other man of the opponent stands next to it;
- danger: where the opponent has pieces.

Positions have no castling rights and no square of en passant.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import chess
import numpy as np
import pytest

from ks_env.core.ruleset import ICC, RULESETS
from ks_env.core.tries import OWN_BOARD
from ks_env.games import kriegspiel
from ks_env.games.kriegspiel.game import Game
from tests.belief.terms.seat import SeatTries, preset
from tests.oracle import actions
from tests.starts import LISTED

POSITIONS = 60
MEN = {"king": "", "pawns": "pppp", "men": "pppnbrq"}  # of the opponent besides its king
OWN = "PPPPNNBBRRQ"
Row = dict[str, float]


def positions(theirs: str) -> Iterator[chess.Board]:
    """Legal positions whose start is public, White's king's side to move or Black's."""
    rng = random.Random(f"terms {theirs}")
    found = 0
    while found < POSITIONS:
        board = chess.Board(None)
        own = rng.sample(OWN, rng.randrange(1, 6))
        men = [*own, "K", "k", *rng.sample(theirs, rng.randrange(len(theirs) + 1))]
        for symbol, square in zip(men, rng.sample(range(64), len(men)), strict=True):
            board.set_piece_at(square, chess.Piece.from_symbol(symbol))
        if rng.random() < 0.3:
            board = board.mirror()
        if board.is_valid() and any(board.legal_moves) and not board.is_insufficient_material():
            found += 1
            yield board


def described(board: chess.Board) -> Iterator[tuple[chess.Move, Row]]:
    """The tries of the seat to move, with their terms by name."""
    terms, game = preset("raw"), Game(ICC, board.fen())
    seat = SeatTries(terms, kriegspiel.opening(board.turn, ICC, board.fen()))
    tries = seat.tries(game.view(board.turn), ICC)
    names = [term.name for term in terms.tries]
    for action, row in zip(tries.actions.tolist(), tries.terms.tolist(), strict=True):
        step = actions.STEPS[action]
        own, target = actions.seat_square(step.source, board.turn), chess.square_rank(step.target)
        promotes = board.piece_type_at(own) == chess.PAWN and target == 7
        move = chess.Move.from_uci(actions.uci(action, board.turn, promotes))
        yield move, dict(zip(names, row, strict=True))


def seen_by(board: chess.Board, colour: chess.Color) -> chess.SquareSet:
    """Squares that a side controls, through the other king."""
    bare = board.copy()
    king = bare.king(not colour)
    assert king is not None
    bare.remove_piece_at(king)
    seen = chess.SquareSet()
    for square in chess.SquareSet(bare.occupied_co[colour]):
        seen |= bare.attacks(square)
    return seen


def may_be_pinned(board: chess.Board, move: chess.Move) -> bool:
    """Whether a man leaves a line between its king and a piece that would see it."""
    king = board.king(board.turn)
    assert king is not None
    if move.from_square == king or chess.SquareSet.ray(king, move.from_square) == chess.SquareSet():
        return False
    if move.to_square in chess.SquareSet.ray(king, move.from_square):
        return False
    if chess.SquareSet.between(king, move.from_square) & board.occupied:
        return False
    beyond = [
        square
        for square in chess.SquareSet.ray(king, move.from_square)
        if move.from_square in chess.SquareSet.between(king, square)
        and not chess.SquareSet.between(move.from_square, square) & board.occupied
    ]
    pieces = board.occupied_co[not board.turn] & ~board.pawns & ~board.kings
    return any(pieces & chess.BB_SQUARES[square] for square in beyond)


def check_any_try(board: chess.Board, move: chess.Move, row: Row) -> None:
    """What holds of every try, whether it is legal or not."""
    us, them = board.turn, not board.turn
    king, kind = board.king(them), board.piece_type_at(move.from_square)
    assert king is not None
    target = board.piece_at(move.to_square)
    rank = chess.square_rank(move.to_square) if us else 7 - chess.square_rank(move.to_square)
    pawns = board.attackers(them, move.to_square) & board.pawns
    near = chess.square_distance(move.from_square, king) - chess.square_distance(move.to_square, king)
    worth = {None: 0, chess.KNIGHT: 2, chess.BISHOP: 2, chess.ROOK: 4, chess.QUEEN: 8}[move.promotion]
    kinds = ("a pawn", "a knight", "a bishop", "a rook", "a queen", "the king")
    wanted = {
        "any": 0,
        "certain": target is not None,
        "pawns against it": len(chess.SquareSet(pawns)),
        "pawn's rank": rank / 7 if kind == chess.PAWN else 0,
        "promotion": worth / 8,
        "nearer": near / 3,
        "steps to their king": chess.square_distance(move.to_square, king) / 7,
        "castles": 0,
        "age": 0,
        "takes back": 0,
        "moved before": 0,
        "repeats": 0,
        **{f"{name} moves": i + 1 == kind for i, name in enumerate(kinds)},
    }
    for name, value in wanted.items():
        assert row[name] == pytest.approx(float(value), abs=1e-6), name


def check_legal_try(board: chess.Board, move: chess.Move, row: Row) -> None:
    """What the opponent is left with after a legal try."""
    us, them = board.turn, not board.turn
    target = board.piece_type_at(move.to_square)
    assert row["captures a pawn"] == (target == chess.PAWN)
    assert row["captures a piece"] == (target is not None and target != chess.PAWN)
    before, after = seen_by(board, us), board.copy()
    after.push(move)
    control, king = seen_by(after, us), after.king(them)
    assert king is not None
    assert row["check"] == after.is_check()
    assert row["control"] == pytest.approx((len(control) - len(before)) / 16)
    around = chess.SquareSet(chess.BB_KING_ATTACKS[king])
    flights = around - control
    assert row["flights"] == pytest.approx(len(flights) / 8)
    others = chess.SquareSet(after.occupied_co[them] & ~after.kings)
    if not around & others:
        legal = {m.to_square for m in after.legal_moves if m.from_square == king}
        assert legal == set(flights)
    if not others:
        assert row["mate"] == after.is_checkmate()
    if not others - chess.SquareSet(after.pawns) and not around & others:
        captures = any(after.attacks(square) & after.occupied_co[us] for square in others)
        if not captures:
            assert row["stalemate"] == after.is_stalemate()


@pytest.mark.parametrize("theirs", MEN.values(), ids=MEN)
def test_terms_are_the_oracles_answers(theirs: str) -> None:
    compared = {"accepted": 0, "refused": 0, "mate": 0, "stalemate": 0}
    for board in positions(theirs):
        pieces = board.occupied_co[not board.turn] & ~board.pawns & ~board.kings
        for move, row in described(board):
            try:
                legal = move in board.legal_moves
                is_king = board.piece_type_at(move.from_square) == chess.KING
                unsure = pieces if is_king else board.is_check() or may_be_pinned(board, move)
                if not unsure:
                    assert row["accepted"] == legal
                    compared["accepted" if legal else "refused"] += 1
                if not pieces:
                    for name, square in (("before", move.from_square), ("after", move.to_square)):
                        attacked = bool(board.attackers_mask(not board.turn, square))
                        assert row[f"danger {name}"] == attacked
                check_any_try(board, move, row)
                if legal:
                    check_legal_try(board, move, row)
                    compared["mate"] += row["mate"] == 1
                    compared["stalemate"] += row["stalemate"] == 1
            except AssertionError as error:
                raise AssertionError(f"{board.fen()} {move.uci()}: {error}") from None
    assert compared["accepted"] > 10 * POSITIONS
    assert compared["refused"] > 20
    print(compared)


ENDS = [
    ("7k/8/5KQ1/8/8/8/8/8 w - - 0 1", "g6g7", "mate"),
    ("7k/8/5KQ1/8/8/8/8/8 w - - 0 1", "g6f7", "stalemate"),
    ("k7/8/1K6/8/8/8/8/7R w - - 0 1", "h1h8", "mate"),
    ("k7/P7/8/1K6/8/8/8/8 w - - 0 1", "b5b6", "stalemate"),
    ("7k/8/5K2/p7/P7/8/8/6Q1 w - - 0 1", "g1g6", "stalemate"),
]


@pytest.mark.parametrize(("fen", "uci", "term"), ENDS)
def test_mates_and_stalemates(fen: str, uci: str, term: str) -> None:
    rows = {move.uci(): row for move, row in described(chess.Board(fen))}
    assert rows[uci][term] == 1
    assert rows[uci]["mate" if term == "stalemate" else "stalemate"] == 0


def test_a_pawn_that_the_try_frees_is_not_stuck() -> None:
    """The knight leaves the square before it."""
    rows = {move.uci(): row for move, row in described(chess.Board("7k/5K2/8/6p1/6N1/8/8/8 w - - 0 1"))}
    assert rows["g4f6"]["flights"] == 0
    assert rows["g4f6"]["stalemate"] == 0


@pytest.mark.parametrize("ruleset", RULESETS)
@pytest.mark.parametrize("name", ["raw", "full"])
def test_what_the_informed_mask_leaves_out_is_refused(name: str, ruleset: str) -> None:
    """Under the mask `own-board`; all else is described alike under both."""
    rules, rng, terms = RULESETS[ruleset], random.Random(f"masks {ruleset}"), preset(name)
    column = [term.name in ("accepted", "legal") for term in terms.tries].index(True)
    left_out = 0
    for fen in rng.sample(LISTED, 4):
        game = Game(rules, fen)
        seats = {c: SeatTries(terms, kriegspiel.opening(c, rules, fen)) for c in chess.COLORS}
        for _ in range(30):
            mover = game.to_play
            if mover is None:
                break
            view, seat = game.view(mover), seats[mover]
            wide, narrow = seat.tries(view, rules, OWN_BOARD), seat.tries(view, rules)
            sensible = np.isin(wide.actions, narrow.actions)
            assert (wide.actions[sensible] == narrow.actions).all()
            assert not wide.terms[~sensible, column].any()
            if name == "raw":  # others compare tries with each other
                assert (wide.terms[sensible] == narrow.terms).all()
            left_out += int((~sensible).sum())
            game.ask(rng.choice(wide.actions.tolist()))
    assert left_out > 20


@pytest.mark.parametrize("ruleset", RULESETS)
def test_the_chance_of_acceptance_is_nearly_calibrated(ruleset: str) -> None:
    """Over random games: the mean of what is said, and the share that the referee accepts."""
    rules, rng = RULESETS[ruleset], random.Random(f"calibration {ruleset}")
    said: list[float] = []
    accepted: list[bool] = []
    for _ in range(6):
        game = Game(rules)
        seats = {c: SeatTries(preset("raw"), kriegspiel.opening(c, rules)) for c in chess.COLORS}
        for _ in range(150):
            mover = game.to_play
            if mover is None:
                break
            tries = seats[mover].tries(game.view(mover), rules)
            place = rng.randrange(len(tries.actions))
            plies = game.plies
            game.ask(int(tries.actions[place]))
            if tries.terms[place, 0] == 0:
                said.append(float(tries.terms[place, 1]))
                accepted.append(game.plies > plies)
    says, shares = np.array(said), np.array(accepted)
    bins: Any = np.minimum((says * 5).astype(int), 4)
    for fifth in range(5):
        here = bins == fifth
        if here.any():
            print(f"said {says[here].mean():.2f} accepted {shares[here].mean():.2f} of {here.sum()}")
    print(f"{ruleset}: said {says.mean():.3f}, accepted {shares.mean():.3f} of {len(says)} tries")
    assert abs(says.mean() - shares.mean()) < 0.1
    assert says[shares].mean() > says[~shares].mean()
