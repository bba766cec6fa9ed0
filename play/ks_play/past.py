"""What a seat saw at an earlier time in its game."""

from typing import Any

from ks_env.games.scene import make_scene
from ks_env.games.under_way import GameUnderWay
from ks_env.render.replay import scene_values
from ks_play.refusals import Refusal


def past(game: GameUnderWay[Any], tries: list[int], seat: bool, heard: int) -> dict[str, Any]:
    """The game as it stood for a seat when it had just heard so many announcements.

    Args:
        game: at its start; it is played on to that time.
        tries: all tries of the game.
        seat: colour.
        heard: how many announcements, 1 for the start.

    Raises:
        Refusal: the seat has not heard so many.
    """
    coming = iter(tries)
    while len(game.heard(seat)) < heard:
        action = next(coming, None)
        if action is None:
            raise Refusal(f"you have heard {len(game.heard(seat))} announcements, not {heard}")
        game.ask(action)
    return {
        "type": "past",
        "at": heard,
        "scene": scene_values(make_scene(game, "white" if seat else "black")),
    }
