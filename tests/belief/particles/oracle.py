"""The exact distribution of what a seat cannot see, by brute force: one game of the oracle for each board.

The opponent is one who makes all his legal tries equally often. A board stays if the oracle's referee would
have told the seat the same on it.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import chess
import numpy as np

from ks_env.belief.particles import Particles
from ks_env.core.start import to_board
from ks_env.games import kriegspiel
from tests.duel import Duel
from tests.oracle import OracleGame, actions
from tests.oracle.seat import Heard

ENDLESS: dict[str, bool | int] = {"threefold": False, "fifty_moves": False}
Key = tuple[str, int, int | None]


def key_of(board: chess.Board) -> Key:
    """Men, castling rights, square of a legal en passant capture."""
    return (
        board.board_fen(),
        int(board.clean_castling_rights()),
        board.ep_square if board.has_legal_en_passant() else None,
    )


class Exact:
    """What `seat` can know. Call `hear` after each try.

    Args:
        game: the oracle's game at its start.
        seat: a colour.
    """

    def __init__(self, game: OracleGame, seat: chess.Color) -> None:
        self.game, self.seat = game, seat
        self.boards: dict[Key, tuple[OracleGame, float]] = {key_of(game.board): (game.copy(), 1.0)}
        self._heard = len(game.heard[seat])

    def hear(self) -> None:
        """Take in what the seat has heard since."""
        told = self.game.heard[self.seat]
        new, self._heard = told[self._heard :], len(told)
        for message in new:
            if message.reason == "":
                self._hear(message)

    def _hear(self, message: Heard) -> None:
        found: dict[Key, tuple[OracleGame, float]] = {}
        for game, weight in self.boards.values():
            for after, share in self._after(game, message):
                key = key_of(after.board)
                found[key] = (after, weight * share + (found[key][1] if key in found else 0.0))
        total = sum(weight for _, weight in found.values())
        self.boards = {key: (game, weight / total) for key, (game, weight) in found.items()}

    def _after(self, game: OracleGame, message: Heard) -> list[tuple[OracleGame, float]]:
        if message.by == self.seat:
            assert message.action is not None
            return self._asked(game, message.action, message, 1.0, own=True)
        if message.kind == "moved":
            legal = game.legal()
            return [
                one
                for action in legal
                for one in self._asked(game, action, message, 1 / len(legal), own=False)
            ]
        if message.kind in ("any yes", "any no"):
            return self._asked(game, actions.ANY, message, 1.0, own=False)
        if game.obliged and game.rules.any == "one try" and message.kind == "illegal":
            game.obliged = False
        return [(game, 1.0)]  # which try of his was refused is not told

    def _asked(
        self, game: OracleGame, action: int, message: Heard, share: float, *, own: bool
    ) -> list[tuple[OracleGame, float]]:
        after = game.copy()
        mine, theirs = after.ask(action)
        return [(after, share)] if (mine if own else theirs) == message else []

    def weights(self) -> dict[Key, float]:
        return {key: weight for key, (_, weight) in self.boards.items()}


def weights_of(particles: Particles) -> dict[Key, float]:
    """The weights of a filter's boards, equal boards as one."""
    found: dict[Key, float] = {}
    for truth, weight in zip(particles.boards(), particles.weights, strict=True):
        key = key_of(to_board(truth))
        found[key] = found.get(key, 0.0) + float(weight)
    return found


def distance(one: dict[Key, float], other: dict[Key, float]) -> float:
    """Total variation distance of two distributions."""
    return sum(abs(one.get(key, 0.0) - other.get(key, 0.0)) for key in one.keys() | other.keys()) / 2


def draw_action(rng: random.Random, duel: Duel, seat: chess.Color) -> int:
    """A try: the seat's from its mask; the opponent's legal, or "any?" or a refused one to begin with."""
    turn = duel.oracle.to_play
    assert turn is not None
    mask = np.flatnonzero(duel.ours.mask(turn)).tolist()
    if turn == seat:
        return rng.choice(mask)
    if duel.oracle.tries_this_turn == 0 and actions.ANY in mask and rng.random() < 0.5:
        return actions.ANY
    refused = sorted(set(mask) - duel.oracle.legal() - {actions.ANY})
    if duel.oracle.tries_this_turn < 2 and refused and rng.random() < 0.3:
        return rng.choice(refused)
    return rng.choice(sorted(duel.oracle.legal()))


class Pursuit:
    """A game in which the exact distribution and particle filters are followed side by side."""

    def __init__(
        self, ruleset: str, fen: str, seat: chess.Color, make: Callable[[], list[Particles]]
    ) -> None:
        self.duel, self.seat = Duel(ruleset, fen, ENDLESS), seat
        self.exact = Exact(self.duel.oracle, seat)
        self.filters = make()
        for each in self.filters:
            each.begin(kriegspiel.opening(seat, self.duel.ours.ruleset, fen))

    def step(self, rng: random.Random, most: int) -> bool:
        """One try; False if the game is over, or there are too many boards."""
        self.duel.ask(draw_action(rng, self.duel, self.seat))
        if self.duel.oracle.to_play is None:
            return False
        self.exact.hear()
        if len(self.exact.boards) > most:
            return False
        for each in self.filters:
            each.follow(self.view())
        return True

    def view(self) -> Any:
        return self.duel.ours.view(self.seat)
