"""The native vector environments of Gymnasium: against an opponent, and self-play."""

from collections.abc import Sequence
from typing import Any, ClassVar

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from ks_env.belief.terms import MOST_PADDED, Tries, padded
from ks_env.core.actions import ACTIONS
from ks_env.envs.engine import Array, Engine
from ks_env.envs.opponents import Opponent, check_opponent
from ks_env.envs.options import AUTORESETS
from ks_env.envs.pictures import Pictures
from ks_env.games import DEFAULT_GAME, GameDefinition, game_named
from ks_env.games.options import GameOptions

Observations = dict[str, Array]


def seat_space(engine: Engine, *, ragged: bool = False) -> gymnasium.spaces.Dict:
    """What one seat sees: planes and mask, and its tries where terms were asked for."""
    planes = gymnasium.spaces.Box(0, engine.high, dtype=np.uint8)
    mask = gymnasium.spaces.Box(0, 1, (ACTIONS,), np.int8)
    spaces: dict[str, gymnasium.Space[Any]] = {"observation": planes, "action_mask": mask}
    if engine.terms is not None and not ragged:
        tries, states = len(engine.terms.tries), len(engine.terms.states)
        spaces["tries"] = gymnasium.spaces.Box(-1, ACTIONS - 1, (MOST_PADDED,), np.int16)
        spaces["terms"] = gymnasium.spaces.Box(-np.inf, np.inf, (MOST_PADDED, tries), np.float32)
        spaces["state"] = gymnasium.spaces.Box(-np.inf, np.inf, (states,), np.float32)
    return gymnasium.spaces.Dict(spaces)


def seat_observation(engine: Engine, row: int, seat: int) -> Observations:
    """What a seat sees in a row, fresh arrays, in the shape of `seat_space`."""
    planes, mask, tries = engine.observe(row, seat)
    seen: Observations = {"observation": planes, "action_mask": mask}
    if tries is not None:
        seen |= {key: array[0] for key, array in padded(tries).items()}
    return seen


def observations_of(engine: Engine, *, ragged: bool = False) -> Observations:
    """What the observed seats of all rows see: planes and masks on the engine's buffers."""
    buffers = engine.buffers
    planes = buffers.observations.reshape(engine.num_envs, engine.planes, 8, 8)
    seen: Observations = {"observation": planes, "action_mask": buffers.masks}
    if engine.terms is None or ragged:
        return seen
    return seen | padded(engine.tries)


def final_observation(engine: Engine, row: int, seat: int | slice, *, ragged: bool = False) -> Observations:
    """The last observation of a game that was begun anew, fresh arrays; `seat` indexes `buffers.final`."""
    planes = engine.buffers.final[row, seat]
    seats = planes.shape[:-2]
    seen: Observations = {
        "observation": planes.reshape(*seats, engine.planes, 8, 8).copy(),
        "action_mask": np.zeros((*seats, ACTIONS), np.int8),
    }
    if engine.terms is not None and not ragged:
        seen["tries"] = np.full((*seats, MOST_PADDED), -1, np.int16)
        seen["terms"] = np.zeros((*seats, MOST_PADDED, len(engine.terms.tries)), np.float32)
        seen["state"] = engine.final_states[row, seat].copy()
    return seen


class _Vector(VectorEnv[Observations, Array, Array]):
    """What both vector environments share."""

    metadata: dict[str, Any] = {  # noqa: RUF012  (the base class declares it so)
        "render_modes": ["rgb_array", "ansi", "svg"],
        "render_fps": 2,
        "autoreset_mode": AutoresetMode.NEXT_STEP,
    }
    viewpoint: ClassVar[str] = "referee"

    def __init__(
        self,
        num_envs: int,
        game: GameDefinition,
        options: GameOptions,
        opponent: Opponent | None,
        *,
        autoreset_mode: AutoresetMode | str,
        threads: int,
        copy: bool,
        ragged_tries: bool,
        render_mode: str | None,
    ) -> None:
        mode = AutoresetMode(autoreset_mode)
        self.metadata = {**type(self).metadata, "autoreset_mode": mode}
        self.render_mode = render_mode
        self._pictures = Pictures(render_mode, self.metadata["render_modes"])
        self.engine = Engine(
            num_envs,
            game,
            options,
            opponent,
            autoreset=AUTORESETS[mode.value],
            threads=threads,
            keep_log=render_mode is not None,
        )
        self.num_envs = num_envs
        self.copy = copy
        self.ragged_tries = ragged_tries
        self.single_action_space = gymnasium.spaces.Discrete(ACTIONS)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.single_observation_space = seat_space(self.engine, ragged=ragged_tries)
        self.observation_space = batch_space(self.single_observation_space, num_envs)

    def bind(self, **arrays: Array) -> None:
        """Write outputs into the caller's arrays from now on: `observations u1[N, C, 8, 8]`,
        `masks i1[N, 1859]`, `rewards f4[N]` (`f4[N, 2]` in self-play), `terminations bool[N]`,
        `truncations bool[N]`. With `copy=False` these very arrays are returned.

        Raises:
            ValueError: unknown name, wrong shape, dtype or layout.
        """  # noqa: D205
        self.engine.bind(**arrays)

    def _out(self, array: Array) -> Array:
        return array.copy() if self.copy else array

    def _observations(self) -> Observations:
        seen = observations_of(self.engine, ragged=self.ragged_tries)
        shared = ("observation", "action_mask")  # what lies in the buffers
        return {key: self._out(array) if key in shared else array for key, array in seen.items()}

    def tries(self) -> Tries:
        """The tries of the observed seats with their terms, not padded; the next step overwrites them.

        Raises:
            ValueError: the environment was made without `terms`.
        """
        return self.engine.tries

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observations, dict[str, Any]]:
        """Begin new games. `options={"reset_mask": bool[N]}` begins, and seeds, only the chosen ones."""
        chosen = self._chosen(options)
        if seed is not None:
            self.engine.seed(seed, chosen)
        self.engine.reset(chosen)
        observations = self._observations()
        return observations, self._infos(observations)

    def _chosen(self, options: dict[str, Any] | None) -> npt.NDArray[np.bool_] | None:
        if not options or "reset_mask" not in options:
            return None
        mask = np.asarray(options["reset_mask"])
        if mask.shape != (self.num_envs,) or mask.dtype != np.bool_ or not mask.any():
            raise ValueError(f"reset_mask is {mask!r}; expected bool[{self.num_envs}] with at least one True")
        return mask

    def _infos(self, observations: Observations) -> dict[str, Any]:
        starts = self.engine.batch.games["views"]["start"][:, 0].copy()
        return {"action_mask": observations["action_mask"], "start": starts}

    def step(self, actions: Array) -> tuple[Observations, Array, Array, Array, dict[str, Any]]:
        """One try in every row."""
        self.engine.step(actions)
        buffers = self.engine.buffers
        observations = self._observations()
        infos = self._infos(observations)
        done = buffers.terminations | buffers.truncations
        if done.any():
            infos.update(self._endings(done))
        return (
            observations,
            self._out(self._rewards()),
            self._out(buffers.terminations),
            self._out(buffers.truncations),
            infos,
        )

    def _rewards(self) -> Array:
        return self.engine.buffers.rewards[:, 0]

    def _endings(self, done: npt.NDArray[np.bool_]) -> dict[str, Any]:
        """How games ended: reason, winner (seat or -1), plies, tries, each with Gymnasium's `_key` mask."""
        tally = self.engine.batch.tally
        ends: dict[str, Any] = {}
        for key, field in (("reason", "end_reason"), ("winner", "end_winner"), ("seat", "end_seat")):
            ends[key] = np.where(done, tally[field].astype(np.int64), 0)
        ends["plies"] = np.where(done, tally["end_plies"], 0)
        ends["tries"] = np.where(done, tally["end_tries"], 0)
        for key in list(ends):
            ends["_" + key] = done.copy()
        if self.metadata["autoreset_mode"] is not AutoresetMode.SAME_STEP:
            return ends
        final = np.full(self.num_envs, None, object)
        for row in np.flatnonzero(done):
            final[row] = self._final(int(row))
        return {"final_obs": final, "_final_obs": done.copy(), "final_info": ends, "_final_info": done.copy()}

    def _final(self, row: int) -> dict[str, Array]:
        return final_observation(self.engine, row, 0, ragged=self.ragged_tries)

    def observe(self, row: int, seat: int) -> Observations:
        """What a seat (0 White, 1 Black) sees in a row; its mask is zero while it waits."""
        return seat_observation(self.engine, row, seat)

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
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        threads: int = 1,
        copy: bool = True,
        ragged_tries: bool = False,
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        played = game_named(game)
        super().__init__(
            num_envs,
            played,
            played.options(**options),
            check_opponent(opponent),
            autoreset_mode=autoreset_mode,
            threads=threads,
            copy=copy,
            ragged_tries=ragged_tries,
            render_mode=render_mode,
        )

    def set_opponent(self, opponent: Opponent) -> None:
        """Play against another opponent; call `reset` afterwards."""
        self.engine.set_opponent(check_opponent(opponent))


class SelfPlayVectorEnv(_Vector):
    """N games in which the caller plays both seats: each step is one try of whoever is to move.

    Rewards are f4[N, 2], by seat; `infos["to_play"]` is u1[N], the seat whose observation and mask were
    returned. Arguments as for `GameVectorEnv`, without an opponent.
    """

    def __init__(
        self,
        num_envs: int = 1,
        *,
        game: str | GameDefinition = DEFAULT_GAME,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        threads: int = 1,
        copy: bool = True,
        ragged_tries: bool = False,
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        played = game_named(game)
        super().__init__(
            num_envs,
            played,
            played.options.of_both_seats(**options),
            None,
            autoreset_mode=autoreset_mode,
            threads=threads,
            copy=copy,
            ragged_tries=ragged_tries,
            render_mode=render_mode,
        )

    def _infos(self, observations: Observations) -> dict[str, Any]:
        return {**super()._infos(observations), "to_play": self.engine.batch.seats.copy()}

    def _rewards(self) -> Array:
        return self.engine.buffers.rewards

    def _final(self, row: int) -> dict[str, Array]:
        """Both seats' last observations: planes u1[2, C, 8, 8], masks i1[2, 1859]."""
        return final_observation(self.engine, row, slice(None), ragged=self.ragged_tries)
