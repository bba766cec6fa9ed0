"""Location maps: how probable the opponent's king, pawns and pieces are on each square.

See Ciancarini and Favini (2010, §5.2).

`open_map` makes the record of a game's start, and `follow_map` brings it up to date with a seat's view. A map
never contradicts the metaposition that it holds. `control_map`, `chance_legal`, `chance_capture` and
`chance_check` are Ciancarini and Favini's (2010) first set of assumptions, which predicts the referee's
answers; `silent_turn` and `capturer` are the second, the model of the opponent.
"""

from ks_env.belief.location.answers import (
    answers_to_tries,
    chance_capture,
    chance_check,
    chance_empty,
    chance_legal,
    control_map,
)
from ks_env.belief.location.follow import follow_map, open_map
from ks_env.belief.location.layout import KINGS, LOCATION, NO_DRIFT, PAWNS, PIECES, RATES
from ks_env.belief.location.opponent import capturer, silent_turn

__all__ = [
    "KINGS",
    "LOCATION",
    "NO_DRIFT",
    "PAWNS",
    "PIECES",
    "RATES",
    "answers_to_tries",
    "capturer",
    "chance_capture",
    "chance_check",
    "chance_empty",
    "chance_legal",
    "control_map",
    "follow_map",
    "open_map",
    "silent_turn",
]
