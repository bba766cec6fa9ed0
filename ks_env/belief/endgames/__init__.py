"""Endings against a bare king, solved exactly as Kriegspiel.

The side with the men knows its own men and a set of squares on which the bare king may stand. It tries,
hears "illegal", silence or the types of check, and wins if mate is certain whatever the king does. All such
sets are known for the endings `ENDINGS`: `solve` gives the table, `Table.best` the try and the moves to mate,
`Table.gamble` a try where nothing is certain, and `KingSet` keeps the set of squares during play.

    kinds = view["kinds"]
    ending = ending_of(kinds)
    if ending is not None:
        table, king = solve(ending), KingSet(kinds)
        choice = table.best(kinds, king.squares) or table.gamble(kinds, king.squares)
"""

from ks_env.belief.endgames.ending import ENDINGS, Ending, ending_named, ending_of
from ks_env.belief.endgames.king_set import KingSet
from ks_env.belief.endgames.table import Gamble, Sure, Table, solve

__all__ = ["ENDINGS", "Ending", "Gamble", "KingSet", "Sure", "Table", "ending_named", "ending_of", "solve"]
