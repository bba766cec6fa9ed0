"""Random games for the fuzz: who tries what, and a count of all that was seen."""

from __future__ import annotations

import random
from collections import Counter
from functools import lru_cache

import chess

from tests.duel import Duel, Options
from tests.oracle import Heard, OracleGame, actions
from tests.quick_duel import QuickDuel
from tests.starts import draw_start

Counts = Counter[str]
EAGER_TRIES = 20
THOROUGH = 1 / 64  # share of games that are asked and looked at by the methods of `Game`


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
    if kind < 0.07:
        return actions.ANY
    if kind < 0.23:
        pool = captures(game) if kind < 0.17 else rare_moves(game) if kind < 0.225 else forcing_moves(game)
        if pool:
            return rng.choice(pool)
    legal, own = game.legal_bits(), seat.own_board_bits()
    if kind < 0.3:
        own = legal
    elif kind < 0.42:
        own = seat.informed_bits() or own
    elif kind < 0.75:
        own = own & ~legal & ~seat.refused_bits or own
    return actions.draw(rng, own) if own else rng.randrange(actions.COUNT)


def captures(game: OracleGame) -> list[int]:
    """Legal captures."""
    board = game.board
    theirs, mirror = board.occupied_co[not board.turn], 0 if board.turn else 56
    passing = game.survey.captures if board.ep_square is not None else 0
    return [
        action
        for action in actions.members(game.legal_bits())
        if theirs >> (actions.STEPS[action].target ^ mirror) & 1 or passing >> action & 1
    ]


def rare_moves(game: OracleGame) -> list[int]:
    """En passant where there is one, else castling, promotions and double steps beside an enemy pawn."""
    board = game.board
    if board.ep_square is not None and board.has_legal_en_passant():
        moves = [(action, game.move_of(action)) for action in actions.members(game.survey.captures)]
        return [action for action, move in moves if board.is_en_passant(move)]
    turn = board.turn
    found = []
    for action in actions.members(game.legal_bits() & RARE):
        source, target, kind = actions.STEPS[action]
        start, end = actions.seat_square(source, turn), actions.seat_square(target, turn)
        if kind is not None or (
            board.piece_type_at(start) == chess.KING
            if source == 4
            else board.pawns >> start & 1 and (target >= 56 or _invites_en_passant(board, end))
        ):
            found.append(action)
    return found


# What may be castling, a promotion or a double step, as bits
RARE = actions.bits_of(
    number
    for number, (source, target, kind) in enumerate(actions.STEPS)
    if kind is not None
    or (source == 4 and target in (2, 6))
    or (source in range(48, 56) and target in range(source + 7, source + 10))
    or (source in range(8, 16) and target == source + 16)
)


def _invites_en_passant(board: chess.Board, landing: int) -> bool:
    """Whether an enemy pawn stands beside the square on which a double step lands."""
    beside = chess.BB_KING_ATTACKS[landing] & chess.BB_RANKS[landing >> 3]
    return bool(board.pawns & board.occupied_co[not board.turn] & beside)


def forcing_moves(game: OracleGame) -> list[int]:
    """Double checks and moves that leave the other side none, among those that may give check.

    A side with few men is also asked for stalemates.
    """
    found = []
    for action in actions.members(game.legal_bits() & _checking(game)):
        after = game.judge(action).after
        if after is not None and (len(after.checks) > 1 or not after.legal):
            found.append(action)
    return found


def _checking(game: OracleGame) -> int:
    """Bits of all actions that may give check, or, where the other side has few men, of all."""
    board = game.board
    turn, occupied = board.turn, board.occupied
    if board.occupied_co[not turn].bit_count() < 4:
        return -1
    king = board.king(not turn)
    assert king is not None
    oblique = chess.BB_DIAG_ATTACKS[king][chess.BB_DIAG_MASKS[king] & occupied]
    straight = chess.BB_RANK_ATTACKS[king][chess.BB_RANK_MASKS[king] & occupied]
    straight |= chess.BB_FILE_ATTACKS[king][chess.BB_FILE_MASKS[king] & occupied]
    lands = oblique | straight | chess.BB_KNIGHT_ATTACKS[king] | chess.BB_PAWN_ATTACKS[not turn][king]
    leaves = (oblique | straight) & board.occupied_co[turn]
    mirror = chess.flip_vertical if not turn else int
    return _to_squares(mirror(lands)) | _from_squares(mirror(leaves))


@lru_cache(10_000)
def _to_squares(squares: int) -> int:
    return actions.bits_of(n for n, step in enumerate(actions.STEPS) if squares >> step.target & 1)


@lru_cache(10_000)
def _from_squares(squares: int) -> int:
    return actions.bits_of(n for n, step in enumerate(actions.STEPS) if squares >> step.source & 1)


def count_try(counts: Counts, game: OracleGame, action: int) -> None:
    """Count what the try is, before it is asked."""
    if not game.legal_bits() >> action & 1:
        return
    board, move = game.board, game.move_of(action)
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
        counts["moves with pawn captures to follow"] += bool(game.survey.captures)
    if answer.reason:
        counts[f"end: {answer.reason}"] += 1


def play_game(rng: random.Random, ruleset: str, most_tries: int, full_every: int, counts: Counts) -> None:
    """One random game before both referees, ended by the rules or after `most_tries` tries.

    What is heard and the board are compared at every try, the masks and legal tries at every decision. Some
    games go through the methods of `Game`: what the mover hears is compared at every try, and all the rest
    (boards, both histories) at every `full_every`-th and at the end.
    """
    thorough = rng.random() < THOROUGH
    duel = (Duel if thorough else QuickDuel)(ruleset, draw_start(rng, played=0.05), draw_options(rng))
    counts["games"] += 1
    counts["games by the methods of Game"] += thorough
    counts["starts in check"] += bool(duel.oracle.checks)
    eager = EAGER_TRIES if rng.random() < 0.05 else 0
    for done in range(most_tries):
        duel.compare_decision()
        action = draw_try(rng, duel.oracle, done < eager)
        obliged = duel.oracle.obliged
        count_try(counts, duel.oracle, action)
        answer = duel.ask(action)
        count_answer(counts, duel.oracle, answer)
        if obliged and answer.kind != "moved" and not duel.oracle.obliged:
            counts["freed by a refused pawn capture"] += 1
        if thorough and done % full_every == 0:
            duel.compare_all()
        if answer.reason:
            break
    duel.compare_all()
