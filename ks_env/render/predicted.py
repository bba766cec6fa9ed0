"""What the belief network predicts through a game, as the page's data: the one that is told of particles.

One state of one seat is told as bytes in base64, two for each man that is likely enough to be drawn: its
square (a1 = 0) plus 64 times its sort (king, pawn, other), and 255 times its chance.
"""

import base64
from typing import Any

import chess
import numpy as np
import numpy.typing as npt

from ks_env.belief.location import LOCATION, RATES, follow_map, open_map
from ks_env.belief.network import make_work, predict_sampled, shipped_network
from ks_env.belief.network.sampled import ROOM
from ks_env.belief.particles import Particles
from ks_env.belief.particles.encoder import size_of
from ks_env.belief.profile import shipped_drifts
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
        self._network = shipped_network(particles=True)
        self._work, self._scratch = make_work(self._network), np.zeros((4, 64), np.float32)
        self._places = np.zeros(2, LOCATION)
        for colour in chess.COLORS:
            self._places[int(colour)] = open_map([game.start_fen], colour)
        self._boards = {colour: Particles(ROOM) for colour in chess.COLORS}
        for colour, boards in self._boards.items():
            boards.begin(Opening.of(game, colour))
        self._chances = {colour: self._predicted(game.view(colour), colour) for colour in chess.COLORS}

    def update(self, game: GameUnderWay[Any]) -> None:
        """Take in what was said since; to be called after every answer.

        Raises:
            RuntimeError: an answer was left out.
        """
        drifts = shipped_drifts()
        for colour in chess.COLORS:
            view, place = game.view(colour), self._places[int(colour)]
            if not follow_map(place, view, self._rules, RATES, drifts, self._scratch):
                raise RuntimeError(f"{chess.COLOR_NAMES[colour]}'s location map missed an answer")
            self._boards[colour].follow(view)
            if game.to_play is colour:
                self._chances[colour] = self._predicted(view, colour)

    def _predicted(self, view: Any, colour: bool) -> Chances:
        place, boards = self._places[int(colour)], self._boards[colour]
        told = boards.chances(), size_of(boards.record)
        predict_sampled(place, view, *told, self._network, self._work, self._scratch)
        maps = self._work.maps
        return np.clip(maps if colour else maps[:, MIRROR], 0, 1)

    def chances(self, colour: bool) -> Chances:
        """Of king, pawns and other men of the opponent, f4[3, 64] on python-chess squares."""
        return self._chances[colour]

    def as_text(self, colour: bool) -> str:
        """The same for the page, see above."""
        chances = self.chances(colour).ravel()
        likely = np.flatnonzero(chances >= FAINTEST)
        listed = np.column_stack([likely, np.rint(chances[likely] * 255)]).astype(np.uint8)
        return base64.b64encode(listed.tobytes()).decode()
