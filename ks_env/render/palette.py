"""Colours of the pictures, and the scale of the age heat map."""

import itertools
from typing import Final

import chess

PAPER: Final = "#ffffff"
INK: Final = "#22282f"
MUTED: Final = "#68727d"
RULE: Final = "#d9dee3"
ALERT: Final = "#c8372d"
CAPTURE: Final = "#d9730d"
PAWN_TRY: Final = "#2f855a"
MARK: Final = "#7b3fa0"
SHADE: Final = "#20272fb8"

BOARD: Final = {
    "square light": "#f4ecdd",
    "square dark": "#dccbac",
    "square light lastmove": "#e3e08f",
    "square dark lastmove": "#cdc76b",
    "margin": "#ffffff",
    "coord": "#68727d",
}

Stops = tuple[tuple[int, str], ...]

# Fresh to stale: from just off the board's own colour to deep blue, darker all the way, so that the order
# of two ages is seen without colour vision too.
AGE_STOPS: Final = ((1, "#d6e6d5"), (6, "#93c5bd"), (14, "#4793ab"), (22, "#2a5f92"), (30, "#1f2f5f"))
# The same under ghosts: never so dark that black or white men could not be told from it.
GHOST_AGE_STOPS: Final = ((1, "#e4ebdc"), (8, "#c3dcd4"), (18, "#9cc6cb"), (30, "#76abc2"))
AGE_TOP: Final = AGE_STOPS[-1][0]  # opponent turns; older looks the same


def _channels(colour: str) -> tuple[int, int, int]:
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def blend(first: str, second: str, share: float) -> str:
    """The colour between two, `share` of the way to the second."""
    mixed = (round(a + (b - a) * share) for a, b in zip(_channels(first), _channels(second), strict=True))
    return "#" + "".join(f"{value:02x}" for value in mixed)


def age_colour(age: int, stops: Stops = AGE_STOPS) -> str:
    """The colour of an age of one or more opponent turns."""
    age = max(stops[0][0], min(age, AGE_TOP))
    (low, first), (high, second) = next(pair for pair in itertools.pairwise(stops) if age <= pair[1][0])
    return blend(first, second, (age - low) / (high - low))


def age_fill(age: int, square: int, stops: Stops = AGE_STOPS) -> str:
    """The same on the board, where dark squares stay a little darker."""
    light = chess.BB_LIGHT_SQUARES >> square & 1
    return age_colour(age, stops) if light else blend(age_colour(age, stops), "#000000", 0.09)


def text_on(colour: str) -> str:
    """Dark or light text, whichever can be read on the colour."""
    red, green, blue = _channels(colour)
    return INK if 0.299 * red + 0.587 * green + 0.114 * blue > 140 else "#ffffff"
