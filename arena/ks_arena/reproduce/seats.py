"""The games of a row, seen from the player that it is about."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import groupby

import numpy as np

from ks_arena.match.referee import referee_of_result
from ks_arena.match.result import GameResult, SeatWork
from ks_arena.reproduce.estimates import Counts
from ks_arena.reproduce.published import find_pairing
from ks_arena.study.config import StudyConfig
from ks_arena.study.study import Study


@dataclass(frozen=True)
class SeatGame:
    """A game and which seat of it is meant.

    Attributes:
        game: the game.
        seat: 0 White, 1 Black.
    """

    game: GameResult
    seat: int

    @property
    def outcome(self) -> int:
        """+1 won, 0 drawn or cut short, −1 lost."""
        return self.game.outcome if self.seat == 0 else -self.game.outcome

    @property
    def points(self) -> float:
        """1, ½ or 0."""
        return (1 + self.outcome) / 2

    @property
    def work(self) -> SeatWork:
        """What the player did."""
        return self.game.work[self.seat]


Pairs = list[list[SeatGame]]


def pairs_of(study: Study, player: str, against: str, budget: float | None) -> Pairs:
    """The games of one player against another, by pair; the last pair may hold one game.

    Raises:
        ConfigError: they do not meet in this study.
    """
    pairing, is_first = find_pairing(study.config, player, against, budget)
    games = study.games(pairing.index)
    grouped = groupby(games, key=lambda game: game.pair)
    return [[SeatGame(game, game.leg if is_first else 1 - game.leg) for game in pair] for _, pair in grouped]


def summed(pairs: Pairs, amount: Callable[[SeatGame], float]) -> Counts:
    """An amount of each game, summed over each pair: f8[P]."""
    return np.array([sum(amount(game) for game in pair) for pair in pairs], np.float64)


def flat(pairs: Pairs) -> Iterable[SeatGame]:
    """All games."""
    return (game for pair in pairs for game in pair)


def spoken_moves(played: SeatGame, config: StudyConfig, first: int, last: int) -> tuple[int, int]:
    """Of a player's moves from the first to the last: after how many the referee said something, how many.

    The game is put before the referee once more.
    """
    referee = referee_of_result(played.game, config)
    spoken = moves = 0
    for action in played.game.numbers:
        mover, before = referee.mover, referee.spoken
        if referee.ask(action) and mover == played.seat and first <= referee.moves[mover] <= last:
            moves += 1
            spoken += referee.spoken - before
        if referee.moves[played.seat] >= last:
            break
    return spoken, moves
