"""The ladder of opponents by measured strength, and where a person stands on it.

The model is that of `ks_arena.statistics`: Bradley-Terry with Davidson's draws and an advantage for White.
The opponents' ratings are taken as known; a person's has a normal prior around the middle of the ladder.
"""

from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from chess import STARTING_FEN
from ks_arena.statistics.davidson import Design, chances
from pydantic import BaseModel

from ks_env.games.under_way import GameUnderWay
from ks_play.setup import Setup

FILE = Path(__file__).with_name("levels.json")
MIDDLE = 1000  # rating of the mean of the ladder's players
SPREAD = 400.0  # standard deviation of the prior of a person's rating
GRID = np.arange(-2000.0, 2001.0, 5.0)


class Level(BaseModel):
    """An opponent of the ladder.

    Attributes:
        player: his name with parameters.
        rating, low, high: Elo with its 95 % interval; the mean of the ladder is 1000.
        games: of which it was measured.
    """

    player: str
    rating: int
    low: int
    high: int
    games: int


class Ladder(BaseModel):
    """The levels of one game under one ruleset, the weakest first.

    Attributes:
        game, ruleset: where the ratings hold.
        levels: the opponents.
        white_advantage: Elo.
        kappa: logarithm of the draw parameter nu.
        scale: Elo for one unit of the model's strength.
    """

    game: str
    ruleset: str
    levels: list[Level]
    white_advantage: float
    kappa: float
    scale: float

    def level(self, player: str) -> int | None:
        """The number of a player, 1 for the weakest; None for who is not on the ladder."""
        names = [level.player for level in self.levels]
        return names.index(player) + 1 if player in names else None


class Scored(NamedTuple):
    """A game of a person: against whom, with which colour, and +1 for a win, 0 for a draw, -1 for a loss."""

    player: str
    white: bool
    points: int


@cache
def ladder() -> Ladder:
    """The ladder that comes with the package."""
    return Ladder.model_validate_json(FILE.read_text())


def score_of(setup: Setup, game: GameUnderWay[Any], ended: dict[str, Any] | None) -> Scored | None:
    """What a game that is over says of the person; None for one that does not count.

    It counts against a level of the ladder, by the ladder's rules and from the usual start, if it was won,
    drawn or lost: not if it was cut off, or if the engine failed.
    """
    on, place = ladder(), 0 if setup.engines[0] is None else 1
    player = setup.engines[1 - place]
    usual = (setup.game, setup.ruleset, setup.options, setup.start) == (on.game, on.ruleset, {}, STARTING_FEN)
    if player is None or on.level(player) is None or not usual or (ended or {}).get("fault"):
        return None
    if ended is None and game.result == "*":
        return None
    winner = game.winner if ended is None else ended["winner"]
    white = place == 0
    return Scored(player, white, 0 if winner is None else 1 if winner == white else -1)


def rating_of(games: list[Scored], on: Ladder) -> dict[str, Any]:
    """A person's rating: the mean of its posterior, the middle 95 %, and of how many games it is made."""
    weights = -0.5 * ((GRID) / SPREAD) ** 2
    for game in games:
        opponent = on.levels[(on.level(game.player) or 1) - 1].rating - MIDDLE
        white, black = (0, 1) if game.white else (1, 0)
        design = Design(2, np.array([white]), np.array([black]), np.zeros((0, 1, 3)))
        parameters = np.zeros((len(GRID), 4))
        parameters[:, 0], parameters[:, 1] = GRID / on.scale, opponent / on.scale
        parameters[:, 2], parameters[:, 3] = on.white_advantage / on.scale, on.kappa
        likely = chances(design, parameters)[:, 0]
        weights += np.log(likely[:, 1 - game.points if game.white else 1 + game.points])
    posterior = np.exp(weights - weights.max())
    posterior /= posterior.sum()
    below = posterior.cumsum()
    low, high = (GRID[np.searchsorted(below, share)] for share in (0.025, 0.975))
    values = [float(posterior @ GRID), float(low), float(high)]
    return {
        **dict(zip(("rating", "low", "high"), (round(MIDDLE + v) for v in values), strict=True)),
        "games": len(games),
    }
