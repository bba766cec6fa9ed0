"""The native vector environments of Gymnasium: against an opponent, and self-play."""

from collections.abc import Sequence
from typing import Any, ClassVar, Unpack

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from ks_env.belief.terms import Tries
from ks_env.core.actions import ACTIONS
from ks_env.core.record import Array
from ks_env.envs.engine import Engine
from ks_env.envs.opponents import Opponent, check_opponent
from ks_env.envs.options import AUTORESETS, check_reset
from ks_env.envs.pictures import Pictures
from ks_env.envs.seen import Form, Observation, Seen
from ks_env.games import DEFAULT_GAME, GameDefinition, game_named
from ks_env.games.keywords import Keywords


class _Vector(VectorEnv[Observation, Array, Array]):
    """What both vector environments share."""

    metadata: dict[str, Any] = {  # noqa: RUF012  (the base class declares it so)
        "render_modes": ["rgb_array", "ansi", "svg"],
        "render_fps": 2,
        "autoreset_mode": AutoresetMode.NEXT_STEP,
    }
    viewpoint: ClassVar[str] = "referee"

    _opponent: Opponent | None = None  # none: the caller plays both seats

    def __init__(
        self,
        num_envs: int = 1,
        *,
        game: str | GameDefinition = DEFAULT_GAME,
        observation: Form = "dict",
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        threads: int = 1,
        copy: bool = True,
        ragged_tries: bool = False,
        render_mode: str | None = None,
        **options: Unpack[Keywords],
    ) -> None:
        played = game_named(game)
        made_of = played.options.of_both_seats if self._opponent is None else played.options.made_of
        asked = made_of(options)
        modes = [mode.value for mode in AutoresetMode]
        if autoreset_mode not in (*AutoresetMode, *modes):
            raise ValueError(f"unknown autoreset_mode {autoreset_mode!r}; expected one of {', '.join(modes)}")
        for name, value in (("copy", copy), ("ragged_tries", ragged_tries)):
            if not isinstance(value, bool):
                raise ValueError(f"{name} is {value!r}; expected True or False")
        mode = AutoresetMode(autoreset_mode)
        self.metadata = {**type(self).metadata, "autoreset_mode": mode}
        self.render_mode = render_mode
        self._pictures = Pictures(render_mode, self.metadata["render_modes"])
        self.engine = Engine(
            num_envs,
            played,
            asked,
            self._opponent,
            autoreset=AUTORESETS[mode.value],
            threads=threads,
            keep_log=render_mode is not None,
            compact=observation == "compact",
        )
        self.num_envs = num_envs
        self.copy = copy
        self._seen = Seen(self.engine, observation, ragged=ragged_tries)
        self.single_action_space = gymnasium.spaces.Discrete(ACTIONS)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.single_observation_space = self._seen.space
        self.observation_space = batch_space(self.single_observation_space, num_envs)

    def bind(self, **arrays: Array) -> None:
        """Write outputs into the caller's arrays from now on: `observations u1[N, C, 8, 8]`,
        `masks i1[N, 1859]`, `rewards f4[N]` (`f4[N, 2]` in self-play), `terminations bool[N]`,
        `truncations bool[N]`. With `copy=False` these very arrays are returned. With
        `observation="compact"`, instead of observations and masks, `boards u8[N, B]`,
        `squares u1[N, K, 8, 8]`, `values u1[N, V]` and `tries i2[N, 256]`.

        Raises:
            ValueError: unknown name, wrong shape, dtype or layout.
        """  # noqa: D205
        self.engine.bind(**arrays)

    def _out(self, array: Array) -> Array:
        return array.copy() if self.copy else array

    @property
    def autoreset_mode(self) -> AutoresetMode:
        """When a game that has ended is begun anew."""
        mode: AutoresetMode = self.metadata["autoreset_mode"]
        return mode

    def action_masks(self) -> npt.NDArray[np.int8]:
        """Masks of all rows, i1[N, 1859]; with `copy=False` the buffer itself, where there is one."""
        masks: npt.NDArray[np.int8] = self._out(self.engine.masks())
        return masks

    def call(self, name: str, *args: Any, **kwargs: Any) -> tuple[Any, ...]:
        """Call a method of the environment, or get an attribute; N results.

        A result by row, an array of N, is split; another is repeated.
        """
        value = getattr(self, name)
        result = value(*args, **kwargs) if callable(value) else value
        by_row = isinstance(result, np.ndarray) and result.shape[:1] == (self.num_envs,)
        return tuple(result) if by_row else (result,) * self.num_envs

    def get_attr(self, name: str) -> tuple[Any, ...]:
        """An attribute, once for each row; see `call`."""
        return self.call(name)

    def set_attr(self, name: str, values: Any) -> None:
        """Set an attribute for all rows; rows have none of their own.

        Raises:
            ValueError: the values, a list or tuple of N, are not all the same.
        """
        if isinstance(values, (list, tuple)):
            if len(values) != self.num_envs or any(value != values[0] for value in values):
                raise ValueError(f"{name} belongs to all rows; expected one value, or {self.num_envs} alike")
            values = values[0]
        setattr(self, name, values)

    def _observations(self) -> Observation:
        return self._seen.rows(copy=self.copy)

    def tries(self) -> Tries:
        """The tries of the observed seats with their terms, not padded; the next step overwrites them.

        Raises:
            ValueError: the environment was made without `terms`.
        """
        return self.engine.tries

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin new games. `options={"reset_mask": bool[N]}` begins, and seeds, only the chosen ones."""
        chosen = self._chosen({} if options is None else options)
        if seed is not None:
            self.engine.seed(seed, chosen)
        self.engine.reset(chosen)
        observations = self._observations()
        return observations, self._infos(observations)

    def _chosen(self, options: dict[str, Any]) -> npt.NDArray[np.bool_] | None:
        check_reset(options, "reset_mask")
        if "reset_mask" not in options:
            return None
        mask = np.asarray(options["reset_mask"])
        if mask.shape != (self.num_envs,) or mask.dtype != np.bool_ or not mask.any():
            raise ValueError(f"reset_mask is {mask!r}; expected bool[{self.num_envs}] with at least one True")
        return mask

    def _infos(self, seen: Observation) -> dict[str, Any]:
        starts = self.engine.batch.games["views"]["start"][:, 0].copy()
        if self.engine.compact:
            return {"start": starts}
        mask = seen["action_mask"] if isinstance(seen, dict) else self.action_masks()
        return {"action_mask": mask, "start": starts}

    def step(self, actions: Array) -> tuple[Observation, Array, Array, Array, dict[str, Any]]:
        """One try in every row."""
        self.engine.step(actions)
        buffers = self.engine.buffers
        observations = self._observations()
        infos = self._infos(observations)
        done = buffers.terminations | buffers.truncations
        rows = done.nonzero()[0]
        if len(rows):
            infos.update(self._endings(done, rows))
        return (
            observations,
            self._out(self._rewards()),
            self._out(buffers.terminations),
            self._out(buffers.truncations),
            infos,
        )

    def _rewards(self) -> Array:
        return self.engine.buffers.rewards[:, 0]

    def _tries_made(self, tally: Array) -> Array:
        """The learner's tries in games that ended, i4[M]."""
        return tally["end_tries"][np.arange(len(tally)), tally["end_seat"]]

    def _endings(self, done: npt.NDArray[np.bool_], rows: npt.NDArray[np.int64]) -> dict[str, Any]:
        """How games ended: reason, winner (seat or -1), plies, tries, each with Gymnasium's `_key` mask."""
        tally = self.engine.batch.tally[rows]
        told = {
            "reason": tally["end_reason"].astype(np.int64),
            "winner": tally["end_winner"].astype(np.int64),
            "seat": tally["end_seat"].astype(np.int64),
            "plies": tally["end_plies"],
            "tries": self._tries_made(tally),
        }
        ends: dict[str, Any] = {}
        for key, values in told.items():
            ends[key] = np.zeros((self.num_envs, *values.shape[1:]), values.dtype)
            ends[key][rows] = values
        for key in told:
            ends["_" + key] = done.copy()
        if self.metadata["autoreset_mode"] is not AutoresetMode.SAME_STEP:
            return ends
        final = np.full(self.num_envs, None, object)
        for row in rows:
            final[row] = self._final(int(row))
        return {"final_obs": final, "_final_obs": done.copy(), "final_info": ends, "_final_info": done.copy()}

    def _final(self, row: int) -> Observation:
        return self._seen.final(row, 0)

    def observe(self, row: int, seat: int) -> Observation:
        """What a seat (0 White, 1 Black) sees in a row; its mask is zero while it waits."""
        return self._seen.seat(row, seat)

    def render(self) -> tuple[Any, ...] | None:
        """A picture of every row, as the render mode says."""
        if self.render_mode is None:
            return None
        games = [self.engine.game(row) for row in range(self.num_envs)]
        return tuple(self._pictures.draw(game, self.viewpoint) for game in games)


class GameVectorEnv(_Vector):
    """N games of a learner against an opponent that plays inside `step`, and inside `reset` if it begins.

    Args:
        num_envs: N.
        opponent: a player's name, a player factory or a `BatchPlayer`.
        game: the id of a game, such as "InvisibleChess".
        observation: "dict", "planes", "flat" or "compact", see `ks_env.envs.seen`; the mask is in the infos
            as well, but with "compact", which makes none.
        autoreset_mode: `gymnasium.vector.AutoresetMode` or its value.
        threads: step so many ranges of rows at once; results do not depend on it.
        copy: return copies; else the bound buffers, which the next step overwrites.
        ragged_tries: with `terms`, leave the tries out of the observations, where they are padded to
            `MOST_PADDED` a row; `tries()` gives them as they are.
        render_mode: None, "rgb_array", "ansi" or "svg".
        **options: fields of the game's options, such as `ks_env.games.kriegspiel.options.Options`.

    Rewards are f4[N], of the learner's seat; `infos["action_mask"]` is i1[N, 1859].
    """

    def __init__(
        self,
        num_envs: int = 1,
        opponent: Opponent = "random",
        *,
        game: str | GameDefinition = DEFAULT_GAME,
        observation: Form = "dict",
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        threads: int = 1,
        copy: bool = True,
        ragged_tries: bool = False,
        render_mode: str | None = None,
        **options: Unpack[Keywords],
    ) -> None:
        self._opponent = check_opponent(opponent)
        super().__init__(
            num_envs,
            game=game,
            observation=observation,
            autoreset_mode=autoreset_mode,
            threads=threads,
            copy=copy,
            ragged_tries=ragged_tries,
            render_mode=render_mode,
            **options,
        )

    def set_opponent(self, opponent: Opponent) -> None:
        """Play against another opponent; call `reset` afterwards."""
        self.engine.set_opponent(check_opponent(opponent))


class SelfPlayVectorEnv(_Vector):
    """N games in which the caller plays both seats: each step is one try of whoever is to move.

    Rewards are f4[N, 2], by seat; `infos["to_play"]` is u1[N], the seat whose observation and mask were
    returned. Arguments as for `GameVectorEnv`, without an opponent.
    """

    def _infos(self, seen: Observation) -> dict[str, Any]:
        return {**super()._infos(seen), "to_play": self.engine.batch.seats.copy()}

    def _rewards(self) -> Array:
        return self.engine.buffers.rewards

    def _tries_made(self, tally: Array) -> Array:
        """Each seat's tries, i4[M, 2]: their sum would tell one of the other's refused tries."""
        return tally["end_tries"]

    def _final(self, row: int) -> Observation:
        """Both seats' last observations: planes u1[2, C, 8, 8], masks i1[2, 1859]."""
        return self._seen.final(row, slice(None))
