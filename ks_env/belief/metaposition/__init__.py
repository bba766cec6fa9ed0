"""Metapositions: one compact record that contains every position a seat may be in.

See Ciancarini and Favini (2007, §2).

`opening` makes the record of a game's start, `follow` brings it up to date with a seat's view: `pseudo` after
an accepted own move, `meta` after the opponent's, `refuse` after refusals. `simulate_pseudo` and
`simulate_meta` are their silent forms for searching. Everything is learned from VIEW records, which change by
announcements alone.
"""

from ks_env.belief.metaposition.follow import follow, opening, stamp_of
from ks_env.belief.metaposition.layout import METAPOSITION, certain, entropy, possible, square_entropy
from ks_env.belief.metaposition.opponent_move import meta, simulate_meta
from ks_env.belief.metaposition.own_move import pseudo, refuse, simulate_pseudo

__all__ = [
    "METAPOSITION",
    "certain",
    "entropy",
    "follow",
    "meta",
    "opening",
    "possible",
    "pseudo",
    "refuse",
    "simulate_meta",
    "simulate_pseudo",
    "square_entropy",
    "stamp_of",
]
