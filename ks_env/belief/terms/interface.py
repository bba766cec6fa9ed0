"""Terms of tries: numbers that say what each try would do, from what its seat knows.

Planes say what a seat has heard; a network has to find out from them what a move does. Terms say it. They
are engineered knowledge, and results that rest on them should say so.

A set of terms is handed copies of the views of the seats that it serves, each alone, and keeps a record of
memory for each, just as an encoder does (`ks_env.belief.encoders`). It is for Kriegspiel, unless it names
other games in an attribute `games`. Other packages add theirs through the entry-point group `ks_env.terms`:
the entry's name is that of the terms, its object a factory without arguments.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple, Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt
from numba import types

from ks_env.belief.encoders import announced, made
from ks_env.core.record import Array
from ks_env.core.tries import MOST_PADDED as MOST_PADDED
from ks_env.core.tries import MOST_TRIES
from ks_env.games.opening import Opening

GROUP = "ks_env.terms"


class Term(NamedTuple):
    """One number.

    Attributes:
        name: short and unique.
        meaning: what it says, with its unit.
    """

    name: str
    meaning: str


class Tries(NamedTuple):
    """The tries of N seats, one after another: those of row i are `offsets[i]` to before `offsets[i + 1]`.

    A seat that waits or has finished has none.

    Attributes:
        offsets: i8[N + 1].
        actions: i2[T], growing within a row.
        terms: f4[T, K], of about the size of 1.
        state: f4[N, S], of the states.
    """

    offsets: npt.NDArray[np.int64]
    actions: npt.NDArray[np.int16]
    terms: npt.NDArray[np.float32]
    state: npt.NDArray[np.float32]


TRIES_TYPES = (types.int64[::1], types.int16[::1], types.float32[:, ::1], types.float32[:, ::1])


@runtime_checkable
class Terms(Protocol):
    """What tries are described by.

    Environments with several threads call `describe` in all of them at once, each for other rows.

    Attributes:
        tries: the K terms of a try.
        states: the S terms of a state.
        memory: dtype of a record of memory, which holds no Python objects; `encoders.NO_MEMORY` for none.
    """

    tries: tuple[Term, ...]
    states: tuple[Term, ...]
    memory: np.dtype[Any]

    def begin(self, opening: Opening) -> Any:
        """The record of a seat when a game begins, `memory[()]`; not called without memory."""

    def describe(self, views: Array, memory: Array, rules: Any, level: int, out: Tries) -> None:
        """Bring records up to date with the views of their seats, and describe their tries.

        A view that has been taken in before must change nothing.

        Args:
            views: VIEW[M], copies, one seat each of M games.
            memory: `memory[M]`, the records of these seats, to be changed in place.
            rules: the ruleset's record, RULES[()].
            level: number of the mask whose tries are listed (`ks_env.core.tries.mask_level`).
            out: of M rows, with room for `MOST_TRIES` tries each (`room_for`); `offsets`, `state` and the
                first `offsets[M]` of `actions` and `terms` are overwritten.
        """


def room_for(terms: Terms, rows: int) -> Tries:
    """Arrays for the tries of so many rows."""
    most = rows * MOST_TRIES
    return Tries(
        offsets=np.zeros(rows + 1, np.int64),
        actions=np.empty(most, np.int16),
        terms=np.empty((most, len(terms.tries)), np.float32),
        state=np.zeros((rows, len(terms.states)), np.float32),
    )


def filled(room: Tries) -> Tries:
    """The part that holds tries, on the same memory."""
    total = int(room.offsets[-1])
    return room._replace(actions=room.actions[:total], terms=room.terms[:total])


def joined(parts: Sequence[Tries]) -> Tries:
    """The tries of several ranges of rows as those of one."""
    if len(parts) == 1:
        return parts[0]
    ends = np.cumsum([0, *(int(part.offsets[-1]) for part in parts)])
    starts = [part.offsets[:-1] + end for part, end in zip(parts, ends[:-1], strict=True)]
    return Tries(
        offsets=np.concatenate([*starts, ends[-1:]]),
        actions=np.concatenate([part.actions for part in parts]),
        terms=np.concatenate([part.terms for part in parts]),
        state=np.concatenate([part.state for part in parts]),
    )


def places(
    tries: Tries, rows: npt.NDArray[np.integer[Any]]
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Where the tries of some of the rows are, row after row.

    Args:
        tries: of N rows.
        rows: i8[M], in any order.

    Returns:
        i8[M + 1], offsets of these rows alone; i8[T], indices of their tries among all.
    """
    first, counts = tries.offsets[rows], np.diff(tries.offsets)[rows]
    offsets = np.concatenate([[0], np.cumsum(counts)])
    return offsets, np.repeat(first - offsets[:-1], counts) + np.arange(offsets[-1])


def taken(tries: Tries, rows: npt.NDArray[np.integer[Any]]) -> Tries:
    """The tries of some of the rows, i8[M], in their order; fresh arrays."""
    offsets, index = places(tries, rows)
    return Tries(offsets, tries.actions[index], tries.terms[index], tries.state[rows])


def padded(tries: Tries, most: int = MOST_PADDED) -> dict[str, Array]:
    """The same for libraries that know no ragged arrays.

    Args:
        tries: of N rows.
        most: M, tries of a row that there is room for.

    Returns:
        "tries" i2[N, M], the actions, -1 after the last; "terms" f4[N, M, K], 0 there; "state" f4[N, S].

    Raises:
        ValueError: a row has more tries.
    """
    rows, counts = len(tries.state), np.diff(tries.offsets)
    if counts.max(initial=0) > most:
        raise ValueError(f"a seat has {counts.max()} tries; expected at most {most}")
    row = np.repeat(np.arange(rows), counts)
    place = np.arange(len(row)) - np.repeat(tries.offsets[:-1], counts)
    actions = np.full((rows, most), -1, np.int16)
    terms = np.zeros((rows, most, tries.terms.shape[1]), np.float32)
    actions[row, place], terms[row, place] = tries.actions, tries.terms
    return {"tries": actions, "terms": terms, "state": tries.state.copy()}


def terms_table(terms: Sequence[Term]) -> str:
    """A Markdown table of terms, for the documentation."""
    rows = [f"| {i} | {term.name} | {term.meaning} |" for i, term in enumerate(terms)]
    return "\n".join(["| | term | meaning |", "| --- | --- | --- |", *rows])


def terms_names() -> list[str]:
    """Names of all terms that can be made, sorted."""
    return announced(GROUP)


def make_terms(terms: str | Terms | None) -> Terms | None:
    """The terms of that name, or those given.

    Raises:
        ValueError: there are no such terms, or the object is not a `Terms`.
    """
    if terms is None:
        return None
    found: Terms = made(terms, GROUP, "terms", "Terms", Terms, "tries, states, memory, begin and describe")
    return found
