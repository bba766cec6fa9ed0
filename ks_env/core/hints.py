"""What a misspelt name was probably meant to be."""

import difflib
from collections.abc import Iterable


def nearest(name: object, names: Iterable[str]) -> str | None:
    """The name that is spelt most alike; None where none is near."""
    close = difflib.get_close_matches(str(name), list(names), 1)
    return close[0] if close else None


def hint(name: object, names: Iterable[str]) -> str:
    """The same as words to follow the wrong name in a message, with a space before them; or nothing."""
    near = nearest(name, names)
    return f" (did you mean {near!r}?)" if near else ""
