"""What a picture shows of a game from one viewpoint, gathered before anything is drawn.

A player's scene is made from what that player knows and heard alone, by the game (`scene` in its folder).
"""

from typing import Any

from ks_env.games.scene import Scene, Viewpoint, seat_of
from ks_env.games.under_way import GameUnderWay


def make_scene(game: GameUnderWay[Any], viewpoint: Viewpoint) -> Scene:
    """Gathers what to draw.

    Raises:
        ValueError: the viewpoint is not "referee", "white" or "black".
    """
    return game.definition.scene(game, seat_of(viewpoint))
