"""The encoder inside a batch: its planes behind the base planes, and its memory beside the games."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from ks_env.belief.encoders import NO_MEMORY, Encoder
from ks_env.belief.inputs import opening_records
from ks_env.core.ruleset import Ruleset
from ks_env.envs.batch import SAME_STEP, Batch, Buffers
from ks_env.games.definition import GameDefinition

Array = np.ndarray[Any, Any]


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
    encoder: Encoder | None,
    num_envs: int,
    game: GameDefinition,
    ruleset: Ruleset,
    fens: Sequence[str],
    starts: Array,
) -> dict[str, npt.NDArray[np.uint8]]:
    """The fields of a `Batch` that hold an encoder's memory; without an encoder, of no bytes.

    Args:
        encoder: whose memory, if any.
        num_envs: number of rows.
        game: which game is played.
        ruleset: the rules.
        fens: the start positions.
        starts: GAME[K], their rows.
    """
    openings = np.zeros((len(fens), 2), NO_MEMORY)
    if encoder is not None:
        openings = opening_records(encoder, game, ruleset, fens, starts)
    empty = np.zeros((num_envs, 2), openings.dtype)
    return {
        "openings": as_bytes(openings),
        "memory": as_bytes(empty),
        "last_memory": as_bytes(empty.copy()),
    }


class Encoding:
    """An encoder at work on a batch.

    It is handed copies of the views and records of the seats that it serves, and nothing else.

    Args:
        encoder: whose planes; None for no more than the base planes.
        batch: the games; holds the encoder's memory.
        game: which game is played.
        self_play: both seats are observed, and have a memory; else that of the opponent's seat stays behind.
    """

    def __init__(
        self, encoder: Encoder | None, batch: Batch, game: GameDefinition, *, self_play: bool
    ) -> None:
        self._encoder = encoder
        self._batch = batch
        self._base = game.planes.count
        self._self_play = self_play
        self._views = batch.games["views"]
        kind = encoder.memory if encoder is not None else NO_MEMORY
        self._memory = as_records(batch.memory, kind)
        self._last_memory = as_records(batch.last_memory, kind)
        self._rules = batch.rules.copy()[0]

    def observe(self, buffers: Buffers, first: int, last: int) -> None:
        """The encoder's planes of the observed seats, in rows from `first` to before `last`."""
        if self._encoder is None:
            return
        rows, seats = np.arange(first, last), self._batch.seats[first:last]
        memory = self._memory[rows, seats]
        planes = self._planes(self._views[rows, seats], memory)
        self._memory[rows, seats] = memory
        buffers.observations[first:last, self._base :] = planes

    def observe_ends(self, buffers: Buffers, first: int, last: int) -> None:
        """Its planes of the last observations of games that ended and were begun anew in this step."""
        if self._encoder is None or self._batch.settings["autoreset"][0] != SAME_STEP:
            return
        done = buffers.terminations[first:last] | buffers.truncations[first:last]
        rows = first + np.flatnonzero(done)
        if not len(rows):
            return
        for slot in range(buffers.final.shape[1]):
            learners = self._batch.tally["end_seat"][rows]
            seats = np.full(len(rows), slot, np.uint8) if self._self_play else learners
            views, memory = self._batch.last_views[rows, seats], self._last_memory[rows, seats]
            buffers.final[rows, slot, self._base :] = self._planes(views, memory)

    def seat(self, row: int, seat: int) -> npt.NDArray[np.uint8]:
        """Its planes of either seat of a row, u1[K, 64]; the memory of the row stays as it is.

        Raises:
            ValueError: the seat is the opponent's, and the encoder has a memory.
        """
        if not self._self_play and seat != self._batch.seats[row] and self._memory.dtype.itemsize:
            raise ValueError(
                "the encoder's memory is kept for the learner's seat alone; expected that seat, or self-play"
            )
        rows, seats = np.array([row]), np.array([seat])
        return self._planes(self._views[rows, seats], self._memory[rows, seats])[0]

    def _planes(self, views: Array, memory: Array) -> npt.NDArray[np.uint8]:
        """Planes u1[M, K, 64] of copies of views and memory; the memory is brought up to date."""
        if self._encoder is None:
            return np.zeros((len(views), 0, 64), np.uint8)
        out = np.zeros((len(views), len(self._encoder.planes), 8, 8), np.uint8)
        self._encoder.observe(views, memory, self._rules, out)
        return out.reshape(len(views), -1, 64)
