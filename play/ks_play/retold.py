"""What a player was told in a game until now, for one that is made anew."""

from collections.abc import Sequence
from typing import Any

from ks_env.games.under_way import GameUnderWay
from ks_play.worker import Asked, Heard


def retold(game: GameUnderWay[Any], actions: Sequence[int], seat: bool) -> list[Heard | Asked]:
    """All that a seat heard, and the views at which it had to choose.

    Args:
        game: at its start; these tries are made in it.
        actions: every try, in order.
        seat: colour.
    """
    events: list[Heard | Asked] = [Heard(game.heard(seat)[0])]
    for action in actions:
        if game.to_play == seat:
            events.append(Asked(game.view(seat)))
        before = len(game.heard(seat))
        game.ask(action)
        events += [Heard(announcement) for announcement in game.heard(seat)[before:]]
    return events
