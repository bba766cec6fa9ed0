"""Rulesets by name, and games of the oracle asked in UCI."""

from __future__ import annotations

import chess

from tests.oracle import Heard, OracleGame, actions

ICC, BERKELEY, BERKELEY_ANY, CINCINNATI, RAND, ENGLISH = (
    "icc",
    "berkeley",
    "berkeley-any",
    "cincinnati",
    "rand",
    "english",
)
BLOCKED = "4k3/8/8/8/r7/8/8/R3K3 w - - 0 1"


def action(game: OracleGame, uci: str) -> int:
    return actions.ANY if uci == "any?" else actions.number_of(chess.Move.from_uci(uci), game.board.turn)


def ask(game: OracleGame, uci: str) -> tuple[Heard, Heard | None]:
    return game.ask(action(game, uci))


def play(game: OracleGame, *moves: str) -> Heard:
    """Play accepted moves; what the other side heard of the last."""
    theirs: Heard | None = None
    for uci in moves:
        theirs = ask(game, uci)[1]
        assert theirs is not None, uci
        assert theirs.kind == "moved", (uci, theirs)
    assert theirs is not None
    return theirs


def informed(game: OracleGame) -> set[str]:
    turn = game.board.turn
    return {actions.uci(a, turn, False) for a in game.seats[turn].informed()}


def own_board(game: OracleGame) -> set[str]:
    turn = game.board.turn
    return {actions.uci(a, turn, False) for a in game.seats[turn].own_board()}
