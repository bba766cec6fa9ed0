"""Stable-Baselines3: a native VecEnv with action masks, and an extractor that scales the planes.

from sb3_contrib import MaskablePPO
from ks_env.envs.sb3 import GameVecEnv, PlanesExtractor

env = GameVecEnv(128, opponent="random", shaping="material")
model = MaskablePPO("MlpPolicy", env, gamma=1.0,
                    policy_kwargs={"features_extractor_class": PlanesExtractor})
model.learn(1_000_000)
"""

import time
from collections.abc import Sequence
from typing import Any, Unpack

import gymnasium
import numpy as np
import numpy.typing as npt
import torch
from stable_baselines3.common.monitor import Monitor
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
from stable_baselines3.common.vec_env import VecEnv

from ks_env.core.actions import ACTIONS
from ks_env.core.record import Array
from ks_env.envs.batch import SAME_STEP
from ks_env.envs.engine import Engine
from ks_env.envs.opponents import Opponent, check_opponent
from ks_env.envs.pictures import Pictures
from ks_env.envs.seen import Form, Seen
from ks_env.games import DEFAULT_GAME, GameDefinition, game_named
from ks_env.games.keywords import Keywords

# SB3 keeps the observation before a step until after it, so outputs alternate between two sets of arrays.
GENERATIONS = 2


class GameVecEnv(VecEnv):
    """N games against an opponent in the form of SB3: autoreset in the step, last observation in the infos.

    The observation space is the Box of planes alone, u1[C, 8, 8]; with `terms` a Dict of these
    ("observation") and of the tries ("tries", "terms", "state", see `ks_env.belief.terms.padded`). Masks go
    by `action_masks`: SB3's extractors would feed one in a Dict to the network.

    Args:
        num_envs: N.
        opponent: a player's name, a player factory or a `BatchPlayer`.
        game: the id of a game, such as "InvisibleChess".
        observation: "planes" or "flat", see `ks_env.envs.seen`; or "dict", with the mask, for a policy that
            knows what to do with it. With `terms`, None is a Dict without the mask.
        threads: step so many ranges of rows at once; results do not depend on it.
        seed: of the first `reset`.
        render_mode: None or "rgb_array".
        **options: fields of the game's options, such as `ks_env.games.kriegspiel.options.Options`.

    At the end of an episode the row's info holds `terminal_observation`, `TimeLimit.truncated`, `episode`
    (`r`, `l`, `t`), `reason` (`answers.Reason`), `winner` (seat or -1), `seat` and `plies`.
    """

    def __init__(
        self,
        num_envs: int,
        opponent: Opponent = "random",
        *,
        game: str | GameDefinition = DEFAULT_GAME,
        observation: Form | None = None,
        threads: int = 1,
        seed: int | None = None,
        render_mode: str | None = None,
        **options: Unpack[Keywords],
    ) -> None:
        self._pictures = Pictures(render_mode, ("rgb_array",))
        played = game_named(game)
        self.engine = Engine(
            num_envs,
            played,
            played.options.made_of(options),
            check_opponent(opponent),
            autoreset=SAME_STEP,
            threads=threads,
            keep_log=render_mode is not None,
        )
        self.engine.seed(seed)
        self._mode = render_mode
        usual: Form = "planes" if self.engine.terms is None else "dict"
        self._seen = Seen(self.engine, observation or usual, masked=observation is not None)
        super().__init__(num_envs, self._seen.space, gymnasium.spaces.Discrete(ACTIONS))
        self._generations = [self.engine.fresh_buffers() for _ in range(GENERATIONS)]
        self._generation = 0
        self._actions = np.zeros(num_envs, np.int64)
        self._begin = time.time()

    def _turn_over(self) -> None:
        self._generation = (self._generation + 1) % GENERATIONS
        self.engine.buffers = self._generations[self._generation]

    def _observations(self) -> Any:
        return self._seen.rows(copy=False)

    def reset(self) -> Any:
        """Begin new games in all rows; their observations."""
        if any(seed is not None for seed in self._seeds):
            self.engine.seed(self._seeds)
            self._reset_seeds()
        self._turn_over()
        self.engine.reset()
        self.reset_infos = [{} for _ in range(self.num_envs)]
        self._begin = time.time()
        return self._observations()

    def step_async(self, actions: Array) -> None:
        """Keep the actions for `step_wait`."""
        self._actions = np.asarray(actions)

    def step_wait(self) -> tuple[Any, npt.NDArray[np.float32], Array, list[dict[str, Any]]]:
        """One try in every row."""
        self._turn_over()
        self.engine.step(self._actions)
        buffers = self.engine.buffers
        done = buffers.terminations | buffers.truncations
        infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        for row in np.flatnonzero(done):
            infos[row] = self._ending(int(row))
        return self._observations(), buffers.rewards[:, 0].copy(), done, infos

    def _ending(self, row: int) -> dict[str, Any]:
        tally, buffers = self.engine.batch.tally[row], self.engine.buffers
        return {
            "terminal_observation": self._seen.final(row, 0),
            "TimeLimit.truncated": bool(buffers.truncations[row]),
            "episode": {
                "r": float(tally["end_reward"]),
                "l": int(tally["end_tries"][tally["end_seat"]]),
                "t": round(time.time() - self._begin, 6),
            },
            "reason": int(tally["end_reason"]),
            "winner": int(tally["end_winner"]),
            "seat": int(tally["end_seat"]),
            "plies": int(tally["end_plies"]),
        }

    def action_masks(self) -> npt.NDArray[np.int8]:
        """Masks of all rows: i1[N, 1859], the buffer itself."""
        masks: npt.NDArray[np.int8] = self.engine.masks()
        return masks

    def set_opponent(self, opponent: Opponent) -> None:
        """Play against another opponent; games under way go on against it if both are kernel players."""
        self.engine.set_opponent(check_opponent(opponent))
        if self.engine.opponent is not None:
            self.engine.reset()

    def get_state(self) -> dict[str, Array]:
        """All games and random streams, as arrays; see `Engine.get_state`."""
        return self.engine.get_state()

    def set_state(self, state: dict[str, Array]) -> Any:
        """Go on from a state; the observations of that moment."""
        self._turn_over()
        self.engine.set_state(state)
        return self._observations()

    def get_images(self) -> Sequence[npt.NDArray[np.uint8] | None]:
        """The referee's picture of every row."""
        if self._mode is None:
            return [None] * self.num_envs
        return [self._pictures.draw(self.engine.game(row), "referee") for row in range(self.num_envs)]

    def close(self) -> None:
        """Nothing has to be closed."""

    def has_attr(self, attr_name: str) -> bool:
        """Whether the environment has the attribute."""
        return hasattr(self, attr_name)

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        """The attribute, once for each row asked for."""
        if attr_name == "render_mode":
            return [self._mode for _ in self._get_indices(indices)]
        value = getattr(self, attr_name)
        return [value for _ in self._get_indices(indices)]

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        """Set an attribute for all rows; rows have none of their own.

        Raises:
            ValueError: only some rows were asked for.
        """
        if len(list(self._get_indices(indices))) != self.num_envs:
            raise ValueError("attributes belong to all rows; expected indices=None")
        setattr(self, attr_name, value)

    def env_method(self, method_name: str, *args: Any, indices: Any = None, **kwargs: Any) -> list[Any]:
        """Call a method once; a result by row is split, another is repeated for each row asked for."""
        result = getattr(self, method_name)(*args, **kwargs)
        rows = list(self._get_indices(indices))
        by_row = isinstance(result, np.ndarray) and result.shape[:1] == (self.num_envs,)
        return [result[row] if by_row else result for row in rows]

    def env_is_wrapped(
        self, wrapper_class: type[gymnasium.Wrapper[Any, Any, Any, Any]], indices: Any = None
    ) -> list[bool]:
        """Whether each row does what the wrapper would: `Monitor`'s `episode` is in the infos, no other's."""
        return [issubclass(Monitor, wrapper_class) for _ in self._get_indices(indices)]


class PlanesExtractor(BaseFeaturesExtractor):
    """Planes u1[B, C, 8, 8] as flat features f4[B, C * 64] in [0, 1], scaled by the planes' maxima."""

    def __init__(self, observation_space: gymnasium.spaces.Box) -> None:
        super().__init__(observation_space, int(np.prod(observation_space.shape)))
        scale = 1.0 / np.maximum(observation_space.high.astype(np.float32), 1.0)
        self.register_buffer("scale", torch.as_tensor(scale))

    def forward(self, observations: torch.Tensor) -> torch.Tensor:
        """Scale and flatten."""
        scale = self.get_buffer("scale")
        return (observations.float() * scale).flatten(1)
