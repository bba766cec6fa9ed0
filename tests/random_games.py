"""Random games for the fuzz: who tries what, and a count of all that was seen."""

from __future__ import annotations

import random
from collections import Counter

import chess

from tests.duel import Duel, Options
from tests.oracle import Heard, OracleGame, actions
from tests.starts import draw_start

Counts = Counter[str]
EAGER_TRIES = 20


def draw_options(rng: random.Random) -> Options:
    """Mostly the ruleset as it is; now and then low limits, or draws switched off."""
    options: Options = {}
    if rng.random() < 0.1:
        options["max_tries"] = rng.choice((1, 2, 3, 5, 8))
    if rng.random() < 0.05:
        options["max_plies"] = rng.randrange(1, 60)
    if rng.random() < 0.1:
        options["threefold"] = False
    if rng.random() < 0.1:
        options["fifty_moves"] = False
        options.setdefault("max_plies", 300)
    return options


def _some(rng: random.Random, actions_: list[int]) -> int | None:
    return rng.choice(actions_) if actions_ else None


def draw_try(rng: random.Random, game: OracleGame, eager: bool = False) -> int:
    """One try: mostly over one's own men, at times informed, legal, a capture, hopeless, or repeated.

    `eager`: more often than not something rare, where there is something rare to play.
    """
    if eager and rng.random() < 0.6:
        pool = forcing_moves(game) or rare_moves(game)
        if pool:
            return rng.choice(pool)
    seat = game.seats[game.board.turn]
    kind = rng.random()
    if kind < 0.02:
        return rng.randrange(actions.COUNT)
    if kind < 0.04 and seat.refused:
        return rng.choice(sorted(seat.refused))
    if kind < 0.08:
        return actions.ANY
    drawn: int | None = None
    if kind < 0.19:
        drawn = _some(rng, [a for a, move in game.moves.items() if game.board.is_capture(move)])
    elif kind < 0.24:
        drawn = _some(rng, rare_moves(game))
    elif kind < 0.28:
        drawn = _some(rng, forcing_moves(game))
    elif kind < 0.33:
        drawn = _some(rng, list(game.moves))
    elif kind < 0.45:
        drawn = _some(rng, list(seat.informed_shapes()))
    return _some(rng, list(seat.shapes())) or rng.randrange(actions.COUNT) if drawn is None else drawn


def rare_moves(game: OracleGame) -> list[int]:
    """En passant where there is one, else castling, promotions and double steps beside an enemy pawn."""
    board = game.board
    if board.ep_square is not None and board.has_legal_en_passant():
        return [a for a, move in game.moves.items() if board.is_en_passant(move)]
    return [
        a
        for a, move in game.moves.items()
        if move.promotion or board.is_castling(move) or _invites_en_passant(board, move)
    ]


def _invites_en_passant(board: chess.Board, move: chess.Move) -> bool:
    if abs(move.from_square - move.to_square) != 16 or not board.pawns & chess.BB_SQUARES[move.from_square]:
        return False
    beside = chess.BB_KING_ATTACKS[move.to_square] & chess.BB_RANKS[chess.square_rank(move.to_square)]
    return bool(board.pawns & board.occupied_co[not board.turn] & beside)


def forcing_moves(game: OracleGame) -> list[int]:
    """Double checks and moves that leave the other side none."""
    found, board = [], game.board
    for action, move in game.moves.items():
        board.push(move)
        if board.checkers_mask().bit_count() > 1 or not any(board.generate_legal_moves()):
            found.append(action)
        board.pop()
    return found


def count_try(counts: Counts, game: OracleGame, action: int) -> None:
    """Count what the try is, before it is asked."""
    move = None if game.obliged and action not in game.pawn_captures else game.moves.get(action)
    if move is None:
        return
    board = game.board
    if board.is_en_passant(move):
        counts["en passant"] += 1
    elif board.is_capture(move):
        taken = board.piece_type_at(move.to_square)
        counts[f"captured {'pawn' if taken == chess.PAWN else 'piece'}"] += 1
        if game.seats[not board.turn].double_step == actions.seat_square(move.to_square, not board.turn):
            counts["captured a pawn that had just made a double step"] += 1
    if board.is_castling(move):
        counts["castled"] += 1
    if move.promotion:
        counts[f"promoted to {chess.piece_name(move.promotion)}"] += 1


def count_answer(counts: Counts, game: OracleGame, answer: Heard) -> None:
    """Count the answer, after the try was asked."""
    counts["tries"] += 1
    counts[f"answer: {answer.kind}"] += 1
    for check in answer.checks:
        counts[f"check: {check}"] += 1
    if len(answer.checks) > 1:
        counts["double checks"] += 1
    if answer.kind == "moved":
        counts["moves with pawn captures to follow"] += bool(game.pawn_captures)
    if answer.reason:
        counts[f"end: {answer.reason}"] += 1


def play_game(rng: random.Random, ruleset: str, most_tries: int, full_every: int, counts: Counts) -> None:
    """One random game before both referees, ended by the rules or after `most_tries` tries.

    What the mover hears is compared at every try, the masks and legal tries at every decision, and all
    the rest (boards, both histories) at every `full_every`-th try and at the end.
    """
    duel = Duel(ruleset, draw_start(rng), draw_options(rng))
    counts["games"] += 1
    counts["starts in check"] += bool(duel.oracle.checks)
    eager = EAGER_TRIES if rng.random() < 0.4 else 0
    for done in range(most_tries):
        duel.compare_decision()
        action = draw_try(rng, duel.oracle, done < eager)
        obliged = duel.oracle.obliged
        count_try(counts, duel.oracle, action)
        answer = duel.ask(action)
        count_answer(counts, duel.oracle, answer)
        if obliged and answer.kind != "moved" and not duel.oracle.obliged:
            counts["freed by a refused pawn capture"] += 1
        if done % full_every == 0:
            duel.compare_all()
        if answer.reason:
            break
    duel.compare_all()
