"""What the belief network predicts through a game, as the page's data: the one that is told of particles.

One state of one seat is told as bytes in base64, two for each man that is likely enough to be drawn: its
square (a1 = 0) plus 64 times its sort (king, pawn, other), and 255 times its chance.
"""

import base64
from typing import Any

import chess
import numpy as np
import numpy.typing as npt

from ks_env.belief.network import make_work, predict_sampled, shipped_network
from ks_env.belief.network.sampled import SampledEncoder
from ks_env.games.opening import Opening
from ks_env.games.under_way import GameUnderWay

FAINTEST = 0.1  # chance of the least likely man that is drawn
MIRROR = np.arange(64) ^ 56

Chances = npt.NDArray[np.float32]


class Predictor:
    """Both seats' predicted men through one game that began in the open.

    A seat predicts in its own turns; what it last predicted stands while it waits.

    Args:
        game: at its start.
    """

    def __init__(self, game: GameUnderWay[Any]) -> None:
        self._rules = game.ruleset.record()[0]
        self._network, self._encoder = shipped_network(particles=True), SampledEncoder()
        self._work, self._scratch = make_work(self._network), np.zeros((4, 64), np.float32)
        self._memory = np.zeros(2, self._encoder.memory)
        self._chances: dict[bool, Chances] = {}
        for colour in chess.COLORS:
            self._memory[int(colour)] = self._encoder.begin(Opening.of(game, colour))
            self._follow(game, colour, True)

    def update(self, game: GameUnderWay[Any]) -> None:
        """Take in what was said since; to be called after every answer.

        Raises:
            ValueError: an answer was left out.
        """
        for colour in chess.COLORS:
            self._follow(game, colour, game.to_play is colour)

    def _follow(self, game: GameUnderWay[Any], colour: bool, predict: bool) -> None:
        view, memory = game.view(colour), self._memory[int(colour) : int(colour) + 1]
        rows = self._encoder.followed(np.array([view]), memory, self._rules, self._scratch)
        place, shares, size = next(rows)
        if predict:
            predict_sampled(place, view, shares, size, self._network, self._work, self._scratch)
            maps = self._work.maps
            self._chances[colour] = np.clip(maps if colour else maps[:, MIRROR], 0, 1)

    def chances(self, colour: bool) -> Chances:
        """Of king, pawns and other men of the opponent, f4[3, 64] on python-chess squares."""
        return self._chances[colour]

    def as_text(self, colour: bool) -> str:
        """The same for the page, see above."""
        chances = self.chances(colour).ravel()
        likely = np.flatnonzero(chances >= FAINTEST)
        listed = np.column_stack([likely, np.rint(chances[likely] * 255)]).astype(np.uint8)
        return base64.b64encode(listed.tobytes()).decode()
