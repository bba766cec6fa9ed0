"""The record of a location map: a probability for each square and each of three sorts of men (T10 §5.2).

T10 keeps three 8 x 8 matrices: Pk for the king, Pw for pawns, Pc for the other chessmen. "We do not
distinguish between different pieces such as queens and rooks as most Kriegspiel rulesets do not give a player
enough information to do so." An entry is the chance that a man of the sort stands on the square, so that a
matrix adds up to the number of such men.

The record holds a METAPOSITION beside them: a matrix is 0 wherever the metaposition has no ghost of the sort,
and the three add up to 1 on a square that is certainly occupied.
"""

from ks_env.belief.metaposition.layout import METAPOSITION, Metaposition
from ks_env.core.record import Array, Record, dtype_of, field

KINGS, PAWNS, PIECES = 0, 1, 2
SORTS = 3


class Location(Record):
    """A location map; squares are in the seat's own frame, as in METAPOSITION."""

    known: Metaposition = field(METAPOSITION)  # what is certain
    turn: Array = field("f4", (SORTS, 64))  # the matrices when the seat's turn began
    maps: Array = field("f4", (SORTS, 64))  # with what was heard since: refusals, answers to "any?"
    left: Array = field("f4", (SORTS,))  # expected number of men of each sort: 1, pawns, pieces
    usual: int = field("u1")  # 1 if the game began from the usual start, which profiles are of


LOCATION = dtype_of(Location)
