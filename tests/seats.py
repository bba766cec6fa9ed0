"""What a seat sees of a game."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from ks_env.belief.inputs import base_planes
from ks_env.games.under_way import GameUnderWay


def observe_game(game: GameUnderWay[Any], colour: bool) -> npt.NDArray[np.uint8]:
    """The base planes that a colour sees of a game: u1[C, 8, 8], a fresh array."""
    return base_planes(game.definition, game.view(colour))
