"""What a seat sees, laid out as the caller asks for it.

======  ===========================================================================================
dict    `{"observation": u1[C, 8, 8], "action_mask": i1[1859]}`, and with `terms` the tries: what
        `ks_env.belief.terms.padded` makes of them
planes  u1[C, 8, 8] alone
flat    f4[C * 64] in [0, 1]: the planes, each divided by its upper bound
compact the same numbers in a fifth of the bytes, see `ks_env.envs.compact`; in the native vector environments
        and `GameEnv`
======  ===========================================================================================

Where a game has ended but an action may still be drawn, as under Gymnasium's `NEXT_STEP`, the mask holds one
action, `IGNORED`, and whatever is done is ignored: a distribution over no action at all cannot be made.
"""

from typing import Any, Literal, get_args

import gymnasium
import numpy as np

from ks_env.belief.terms import MOST_PADDED, padded
from ks_env.core.actions import ACTIONS
from ks_env.core.answers import UNDER_WAY
from ks_env.core.record import Array
from ks_env.envs.compact import empty_tries, layout_of, packed
from ks_env.envs.engine import Engine

Observation = Any  # a dict of arrays, or an array
Form = Literal["dict", "planes", "flat", "compact"]
FORMS: tuple[str, ...] = get_args(Form)
NOTHING = np.zeros(0, np.int64)
COMPACT = ("boards", "squares", "values", "tries")
IGNORED = 0  # the one action in a mask where whatever is done is ignored


def _compact_space(engine: Engine) -> gymnasium.spaces.Dict:
    layout, high = layout_of(engine.game_played.planes), engine.high
    words = np.full(len(layout.boards), np.iinfo(np.uint64).max, np.uint64)
    return gymnasium.spaces.Dict(
        {
            "boards": gymnasium.spaces.Box(np.zeros_like(words), words, dtype=np.uint64),
            "squares": gymnasium.spaces.Box(0, high[list(layout.squares)], dtype=np.uint8),
            "values": gymnasium.spaces.Box(0, high[list(layout.values), 0, 0], dtype=np.uint8),
            "tries": gymnasium.spaces.Box(-1, ACTIONS - 1, (MOST_PADDED,), np.int16),
        }
    )


class Seen:
    """The observations of an engine in one form.

    Args:
        engine: whose.
        form: "dict", "planes", "flat" or, for an engine that observes compactly, "compact".
        ragged: with `terms`, leave the tries out.
        masked: whether a dict holds the mask.
        rests: whether the mask of a game that has ended holds the one action that is ignored.

    Attributes:
        space: of what one seat sees.

    Raises:
        ValueError: there is no such form, or it cannot hold the terms that were asked for.
    """

    def __init__(
        self, engine: Engine, form: str, *, ragged: bool = False, masked: bool = True, rests: bool = True
    ) -> None:
        if form not in FORMS:
            raise ValueError(f"unknown observation {form!r}; expected one of {', '.join(FORMS)}")
        if (form == "compact") != engine.compact:
            raise ValueError(f"observation={form!r} is not made here; expected another form")
        if engine.terms is not None and form != "dict" and not ragged:
            raise ValueError(f'observation={form!r} cannot hold terms; expected observation="dict"')
        self._engine = engine
        self._form = form
        self._ragged = ragged
        self._masked = masked
        self._rests = rests
        self._scale = 1 / np.maximum(engine.high, 1).astype(np.float32)
        self.space: gymnasium.Space[Any] = self._space()

    def _space(self) -> gymnasium.Space[Any]:
        engine = self._engine
        if self._form == "compact":
            return _compact_space(engine)
        planes = gymnasium.spaces.Box(0, engine.high, dtype=np.uint8)
        if self._form == "planes":
            return planes
        if self._form == "flat":
            return gymnasium.spaces.Box(0, 1, (engine.high.size,), np.float32)
        spaces: dict[str, gymnasium.Space[Any]] = {"observation": planes}
        if self._masked:
            spaces["action_mask"] = gymnasium.spaces.Box(0, 1, (ACTIONS,), np.int8)
        if engine.terms is not None and not self._ragged:
            tries, states = len(engine.terms.tries), len(engine.terms.states)
            spaces["tries"] = gymnasium.spaces.Box(-1, ACTIONS - 1, (MOST_PADDED,), np.int16)
            spaces["terms"] = gymnasium.spaces.Box(-np.inf, np.inf, (MOST_PADDED, tries), np.float32)
            spaces["state"] = gymnasium.spaces.Box(-np.inf, np.inf, (states,), np.float32)
        return gymnasium.spaces.Dict(spaces)

    def _formed(self, planes: Array, mask: Array, more: dict[str, Array]) -> Observation:
        if self._form == "planes":
            return planes
        if self._form == "flat":
            return (planes * self._scale).reshape(*planes.shape[:-3], -1)
        return {"observation": planes, **({"action_mask": mask} if self._masked else {}), **more}

    def rows(self, *, copy: bool) -> Observation:
        """What the observed seats of all rows see.

        Args:
            copy: fresh arrays; else planes and mask are the engine's buffers.
        """
        engine, buffers = self._engine, self._engine.buffers
        ended = NOTHING
        if self._rests:  # also where an opponent that began has ended the game before the learner's first try
            ended = (engine.batch.games["truth"]["reason"] != UNDER_WAY).nonzero()[0]
        if self._form == "compact":
            buffers.tries[ended, 0] = IGNORED
            parts = {name: getattr(buffers, name) for name in COMPACT}
            parts["squares"] = parts["squares"].reshape(engine.num_envs, -1, 8, 8)
            return {name: array.copy() for name, array in parts.items()} if copy else parts
        if len(ended):
            buffers.masks[ended, IGNORED] = 1
        planes, masks = buffers.observations.reshape(engine.num_envs, engine.planes, 8, 8), buffers.masks
        if copy:
            planes, masks = planes.copy(), masks.copy()
        more = padded(engine.tries) if engine.terms is not None and not self._ragged else {}
        if more:
            more["tries"][ended, 0] = IGNORED
        return self._formed(planes, masks, more)

    def row(self, number: int) -> Observation:
        """What the observed seat of one row sees, fresh arrays."""
        seen = self.rows(copy=True)
        return {key: array[number] for key, array in seen.items()} if isinstance(seen, dict) else seen[number]

    def seat(self, row: int, seat: int) -> Observation:
        """What either seat sees in a row, fresh arrays; its mask is zero while it waits."""
        if self._form == "compact":
            return self._engine.observe_compactly(row, seat)
        planes, mask, tries = self._engine.observe(row, seat)
        if tries is None or self._ragged:
            return self._formed(planes, mask, {})
        return self._formed(planes, mask, {key: array[0] for key, array in padded(tries).items()})

    def final(self, row: int, seat: int | slice) -> Observation:
        """The last observation of a game that was begun anew, fresh arrays; `seat` as in `buffers.final`."""
        engine = self._engine
        planes = engine.buffers.final[row, seat]
        seats = planes.shape[:-2]
        if self._form == "compact":
            tries = empty_tries(seats)
            tries[..., 0] = IGNORED
            return {**packed(planes, engine.game_played.planes), "tries": tries}
        more = {}
        if engine.terms is not None and not self._ragged:
            more["tries"] = np.full((*seats, MOST_PADDED), -1, np.int16)
            more["tries"][..., 0] = IGNORED
            more["terms"] = np.zeros((*seats, MOST_PADDED, len(engine.terms.tries)), np.float32)
            more["state"] = engine.final_states[row, seat].copy()
        planes = planes.reshape(*seats, engine.planes, 8, 8).copy()
        mask = np.zeros((*seats, ACTIONS), np.int8)
        mask[..., IGNORED] = 1
        return self._formed(planes, mask, more)
