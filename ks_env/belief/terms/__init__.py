"""Terms of tries: what each try would do, from what its seat knows."""

from ks_env.belief.terms.interface import (
    MOST_PADDED,
    Term,
    Terms,
    Tries,
    filled,
    joined,
    make_terms,
    padded,
    places,
    room_for,
    taken,
    terms_names,
    terms_table,
)

__all__ = [
    "MOST_PADDED",
    "Term",
    "Terms",
    "Tries",
    "filled",
    "joined",
    "make_terms",
    "padded",
    "places",
    "room_for",
    "taken",
    "terms_names",
    "terms_table",
]
