"""Everything that a seat is shown, as bytes; and what may differ behind its back."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

import chess

from ks_env.belief.inputs import observe_game
from ks_env.games.kriegspiel.game import Game
from tests.oracle import OracleGame

Probe = Callable[[Game, chess.Color], bytes]

PROBES: Final[Mapping[str, Probe]] = {
    "view record": lambda game, seat: game.view(seat).tobytes(),
    "observation": lambda game, seat: observe_game(game, seat).tobytes(),
    "informed mask": lambda game, seat: game.mask(seat, "informed").tobytes(),
    "own-board mask": lambda game, seat: game.mask(seat, "own-board").tobytes(),
    "announcements": lambda game, seat: repr(game.heard(seat)).encode(),
    "announcements in words": lambda game, seat: "\n".join(a.text() for a in game.heard(seat)).encode(),
    "own board": lambda game, seat: game.own_board(seat).fen().encode(),
    "ages": lambda game, seat: game.ages(seat).tobytes(),
    "turn and result": lambda game, seat: repr((game.to_play, game.winner, game.reason, game.plies)).encode(),
}


class LeakError(AssertionError):
    """A seat is shown something by which it can tell two games apart that it heard the same of."""


def compare(a: Game, b: Game, seat: chess.Color, probes: Mapping[str, Probe] = PROBES) -> None:
    """Raise `LeakError` where a probe gives different bytes."""
    for name, probe in probes.items():
        shown, other = probe(a, seat), probe(b, seat)
        if shown != other:
            at = next((i for i, pair in enumerate(zip(shown, other, strict=False)) if len(set(pair)) > 1), -1)
            raise LeakError(f"{name} of {chess.COLOR_NAMES[seat]} differs from byte {at} of {len(shown)} on")


def hidden_differences(a: OracleGame, b: OracleGame, seat: chess.Color) -> set[str]:
    """In what the true states differ that the seat has not been told of, refused tries apart."""
    return {name for name, state in HIDDEN.items() if state(a, seat) != state(b, seat)}


def _kinds(game: OracleGame, seat: chess.Color) -> list[int]:
    return [len(game.board.pieces(kind, not seat)) for kind in chess.PIECE_TYPES]


HIDDEN: Final[Mapping[str, Callable[[OracleGame, chess.Color], object]]] = {
    "placement": lambda game, seat: game.board.board_fen(),
    "half-move clock": lambda game, seat: game.board.halfmove_clock,
    "repetition count": lambda game, seat: game.times_seen,
    "en passant available": lambda game, seat: game.board.has_legal_en_passant(),
    "opponent's castling rights": lambda game, seat: (
        game.board.clean_castling_rights() & (chess.BB_RANK_8 if seat == chess.WHITE else chess.BB_RANK_1)
    ),
    "opponent's promotions": _kinds,
    "legal tries": lambda game, seat: game.legal() if game.to_play == seat else None,
}
