"""Encoder and terms inside a batch: planes behind the base planes, tries, and memory beside the games."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from ks_env.belief.encoders import NO_MEMORY, Encoder
from ks_env.belief.inputs import opening_records
from ks_env.belief.terms import Terms, Tries, filled, joined, room_for
from ks_env.core.record import Array
from ks_env.core.rows import rows_of
from ks_env.core.ruleset import Ruleset
from ks_env.envs.batch import SAME_STEP, Batch, Buffers
from ks_env.games.definition import GameDefinition


def as_bytes(records: Array) -> npt.NDArray[np.uint8]:
    """Records `[K, 2]` of B bytes as u1[K, 2, B], on the same memory."""
    if records.dtype.itemsize == 0:
        return np.zeros((*records.shape, 0), np.uint8)
    return records.view(np.uint8).reshape(*records.shape, records.dtype.itemsize)


def as_records(data: npt.NDArray[np.uint8], kind: np.dtype[Any]) -> Array:
    """Bytes u1[K, 2, B] as records `[K, 2]`, on the same memory."""
    if kind.itemsize == 0:
        return np.zeros(data.shape[:2], kind)
    return data.view(kind)[..., 0]


def memory_of_batch(
    followers: Sequence[Encoder | Terms],
    num_envs: int,
    game: GameDefinition,
    ruleset: Ruleset,
    fens: Sequence[str],
    starts: Array,
) -> dict[str, npt.NDArray[np.uint8]]:
    """The fields of a `Batch` that hold the memory of an encoder and of terms, one behind the other.

    Args:
        followers: whose memory.
        num_envs: number of rows.
        game: which game is played.
        ruleset: the rules.
        fens: the start positions.
        starts: GAME[K], their rows.
    """
    parts = [as_bytes(opening_records(each, game, ruleset, fens, starts)) for each in followers]
    openings = np.concatenate([np.zeros((len(fens), 2, 0), np.uint8), *parts], axis=2)
    empty = np.zeros((num_envs, *openings.shape[1:]), np.uint8)
    return {"openings": openings, "memory": empty, "last_memory": empty.copy()}


class Encoding:
    """An encoder and terms at work on a batch.

    They are handed copies of the views and records of the seats that they serve, and nothing else.

    Args:
        encoder: whose planes; None for no more than the base planes.
        terms: what tries are described by; None for nothing.
        batch: the games; holds the memory, the encoder's first.
        game: which game is played.
        self_play: both seats are observed, and have a memory; else that of the opponent's seat stays behind.

    Attributes:
        final_states: f4[N, S, len(terms.states)], terms of the last states of games that ended and were
            begun anew.
    """

    def __init__(
        self,
        encoder: Encoder | None,
        terms: Terms | None,
        batch: Batch,
        game: GameDefinition,
        *,
        self_play: bool,
    ) -> None:
        self._encoder = encoder
        self._terms = terms
        self._batch = batch
        self._base = game.planes.count
        self._self_play = self_play
        self._look_at_batch()
        self._rules = batch.rules.copy()[0]
        self._level = int(batch.settings["level"][0])
        self._rooms: dict[int, Tries] = {}  # by the first row of a range
        states = len(terms.states) if terms is not None else 0
        self.final_states = np.zeros((len(batch.games), 1 + self_play, states), np.float32)

    def _look_at_batch(self) -> None:
        """Views on the memory of the batch, which a copy by `pickle` or `deepcopy` would not share."""
        batch = self._batch
        kind = self._encoder.memory if self._encoder is not None else NO_MEMORY
        other = self._terms.memory if self._terms is not None else NO_MEMORY
        cut = kind.itemsize
        self._views = batch.games["views"]
        self._memory = as_records(batch.memory[..., :cut], kind)
        self._last_memory = as_records(batch.last_memory[..., :cut], kind)
        self._terms_memory = as_records(batch.memory[..., cut:], other)
        self._last_terms_memory = as_records(batch.last_memory[..., cut:], other)

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._look_at_batch()

    def observe(self, buffers: Buffers, first: int, last: int) -> None:
        """Planes and terms of the observed seats, in rows from `first` to before `last`."""
        if self._encoder is None and self._terms is None:
            return
        rows, seats = np.arange(first, last), self._batch.seats[first:last]
        if self._encoder is not None:
            memory = self._memory[rows, seats]
            planes = self._planes(rows_of(self._views, (rows, seats)), memory)
            self._memory[rows, seats] = memory
            buffers.observations[first:last, self._base :] = planes
        if self._terms is not None:
            memory = self._terms_memory[rows, seats]
            room = self._rooms.get(first)
            if room is None:
                room = self._rooms[first] = room_for(self._terms, len(rows))
            views = rows_of(self._views, (rows, seats))
            self._terms.describe(views, memory, self._rules, self._level, room)
            self._terms_memory[rows, seats] = memory

    def tries(self) -> Tries:
        """The tries of all observed seats, as they were described last; overwritten by the next step."""
        return joined([filled(self._rooms[first]) for first in sorted(self._rooms)])

    def observe_ends(self, buffers: Buffers, first: int, last: int) -> None:
        """The last observations of games that ended and were begun anew in this step."""
        if self._encoder is None and self._terms is None:
            return
        if self._batch.settings["autoreset"][0] != SAME_STEP:
            return
        done = buffers.terminations[first:last] | buffers.truncations[first:last]
        rows = first + np.flatnonzero(done)
        if not len(rows):
            return
        for slot in range(buffers.final.shape[1]):
            learners = self._batch.tally["end_seat"][rows]
            seats = np.full(len(rows), slot, np.uint8) if self._self_play else learners
            views = rows_of(self._batch.last_views, (rows, seats))
            planes = self._planes(views, self._last_memory[rows, seats])
            buffers.final[rows, slot, self._base :] = planes
            if self._terms is not None:
                tries = self._described(views, self._last_terms_memory[rows, seats])
                self.final_states[rows, slot] = tries.state

    def seat(self, row: int, seat: int) -> tuple[npt.NDArray[np.uint8], Tries | None]:
        """Planes u1[K, 64] and tries of either seat of a row; the memory of the row stays as it is.

        Raises:
            ValueError: the seat is the opponent's, and there is a memory.
        """
        if not self._self_play and seat != self._batch.seats[row] and self._batch.memory.shape[2]:
            raise ValueError(
                "memory of encoders and terms is kept for the learner's seat alone;"
                " expected that seat, or self-play"
            )
        rows, seats = np.array([row]), np.array([seat])
        views = rows_of(self._views, (rows, seats))
        planes = self._planes(views, self._memory[rows, seats])[0]
        if self._terms is None:
            return planes, None
        return planes, self._described(views, self._terms_memory[rows, seats])

    def _described(self, views: Array, memory: Array) -> Tries:
        assert self._terms is not None
        room = room_for(self._terms, len(views))
        self._terms.describe(views, memory, self._rules, self._level, room)
        return filled(room)

    def _planes(self, views: Array, memory: Array) -> npt.NDArray[np.uint8]:
        """Planes u1[M, K, 64] of copies of views and memory; the memory is brought up to date."""
        if self._encoder is None:
            return np.zeros((len(views), 0, 64), np.uint8)
        out = np.zeros((len(views), len(self._encoder.planes), 8, 8), np.uint8)
        self._encoder.observe(views, memory, self._rules, out)
        return out.reshape(len(views), -1, 64)
