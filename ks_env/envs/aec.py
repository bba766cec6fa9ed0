"""The PettingZoo AEC environment: one game, both agents the caller's.

Agents are `white` and `black`. A refused try leaves the same agent to act, with reward 0. Rewards are those
of the end of the game, once, to both; both agents get their terminal turn.
"""

from typing import Any, ClassVar, cast

import gymnasium
import numpy as np
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from ks_env.core.actions import ACTIONS
from ks_env.envs.batch import DISABLED
from ks_env.envs.engine import Array, Engine
from ks_env.envs.options import GameOptions, InvisibleOptions, Options
from ks_env.envs.pictures import Pictures
from ks_env.envs.variant import AnyGame
from ks_env.envs.vector import seat_space
from ks_env.games.invisible.game import InvisibleGame
from ks_env.games.kriegspiel.game import Game

Observation = dict[str, Array]
AGENTS = ("white", "black")


class TwoAgentsEnv(AECEnv):  # type: ignore[misc]  # (PettingZoo has no types)
    """The environment of one game, without wrappers; of which game, its subclasses say.

    Args:
        render_mode: None, "human", "rgb_array", "ansi" or "svg".
        viewpoint: "referee", "white" or "black".
        **options: fields of `options_kind`, `seat` left out.

    A masked-out action is answered as the ruleset says.
    """

    options_kind: ClassVar[type[GameOptions]]
    metadata: dict[str, Any] = {  # noqa: RUF012  (the base class declares it so)
        "render_modes": ["human", "rgb_array", "ansi", "svg"],
        "is_parallelizable": False,
        "render_fps": 2,
    }

    def __init__(self, *, render_mode: str | None = None, viewpoint: str = "referee", **options: Any) -> None:
        super().__init__()
        self.render_mode = render_mode
        self._pictures = Pictures(render_mode, self.metadata["render_modes"])
        if viewpoint not in ("referee", *AGENTS):
            raise ValueError(f"unknown viewpoint {viewpoint!r}; expected 'referee', 'white' or 'black'")
        self._viewpoint = viewpoint
        self.engine = Engine(
            1,
            self.options_kind.of_both_seats(**options),
            None,
            autoreset=DISABLED,
            keep_log=render_mode is not None,
        )
        self.possible_agents = list(AGENTS)
        self.agents: list[str] = []
        self.observation_spaces = {agent: seat_space(self.engine) for agent in AGENTS}
        self.action_spaces = {agent: gymnasium.spaces.Discrete(ACTIONS) for agent in AGENTS}
        self.state_space = gymnasium.spaces.Box(0, 255, self.engine.variant.state_shape, np.uint8)

    def observation_space(self, agent: str) -> gymnasium.spaces.Space[Any]:
        """The space of an agent's observations."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> gymnasium.spaces.Space[Any]:
        """The space of an agent's actions."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a new game."""
        if seed is not None:
            self.engine.seed(seed)
        self.engine.reset()
        self.agents = list(AGENTS)
        self.rewards = dict.fromkeys(AGENTS, 0.0)
        self._cumulative_rewards = dict.fromkeys(AGENTS, 0.0)
        self.terminations = dict.fromkeys(AGENTS, False)
        self.truncations = dict.fromkeys(AGENTS, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in AGENTS}
        self._select()
        if self.render_mode == "human":
            self.render()

    def _select(self) -> None:
        """The agent to act and its mask; the one that waits has an empty one."""
        seat = int(self.engine.batch.seats[0])
        self.agent_selection = AGENTS[seat]
        start = int(self.engine.batch.games[0]["views"][0]["start"])
        self.infos[AGENTS[seat]] = {"action_mask": self.engine.buffers.masks[0].copy(), "start": start}
        self.infos[AGENTS[1 - seat]] = {"action_mask": np.zeros(ACTIONS, np.int8), "start": start}

    def observe(self, agent: str) -> Observation:
        """What the agent sees, fresh arrays; the mask is zero unless it is to act."""
        seat = AGENTS.index(agent)
        buffers = self.engine.buffers
        if seat == self.engine.batch.seats[0]:
            planes = buffers.observations.reshape(self.engine.planes, 8, 8)
            return {"observation": planes.copy(), "action_mask": buffers.masks[0].copy()}
        other, mask = self.engine.observe(0, seat)
        return {"observation": other, "action_mask": mask}

    def state(self) -> Array:
        """The referee's full planes for a privileged critic, u1; see `ks_env.games.invisible.observation`."""
        variant = self.engine.variant
        out = np.zeros(variant.state_shape, np.uint8)
        variant.write_state(self.engine.batch.games[0], out)
        return out

    def step(self, action: int | None) -> None:
        """One try of the agent to act; None from an agent whose game is over."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self.engine.step(np.asarray([action]))
        buffers = self.engine.buffers
        self._cumulative_rewards[agent] = 0.0
        self.rewards = {name: float(buffers.rewards[0, i]) for i, name in enumerate(AGENTS)}
        self._accumulate_rewards()
        if buffers.terminations[0] or buffers.truncations[0]:
            self.terminations = dict.fromkeys(AGENTS, bool(buffers.terminations[0]))
            self.truncations = dict.fromkeys(AGENTS, bool(buffers.truncations[0]))
            reason = int(self.engine.batch.tally[0]["end_reason"])
            for name in AGENTS:
                self.infos[name] = {"action_mask": np.zeros(ACTIONS, np.int8), "reason": reason}
        else:
            self._select()
        if self.render_mode == "human":
            self.render()

    def game(self) -> AnyGame:
        """The game under way, for pictures and records; needs a render mode."""
        return self.engine.game(0)

    def render(self) -> Any:
        """A picture, as the render mode says; None in a window."""
        if self.render_mode is None:
            gymnasium.logger.warn(
                'nothing is rendered; make the environment with a render_mode, e.g. "rgb_array"'
            )
            return None
        return self._pictures.draw(self.game(), self._viewpoint)

    def close(self) -> None:
        """Close the window, if there is one."""
        self._pictures.close()


class raw_env(TwoAgentsEnv):  # noqa: N801  (PettingZoo's name)
    """Kriegspiel without wrappers; `**options`: fields of `ks_env.envs.options.Options`, without `seat`."""

    options_kind = Options
    metadata: dict[str, Any] = {**TwoAgentsEnv.metadata, "name": "kriegspiel_v0"}  # noqa: RUF012

    def game(self) -> Game:
        """The game under way, for pictures and records; needs a render mode."""
        return cast(Game, super().game())


class invisible_raw_env(TwoAgentsEnv):  # noqa: N801  (PettingZoo's name)
    """Invisible chess without wrappers; `**options`: fields of `ks_env.envs.options.InvisibleOptions`."""

    options_kind = InvisibleOptions
    metadata: dict[str, Any] = {**TwoAgentsEnv.metadata, "name": "invisible_chess_v0"}  # noqa: RUF012

    def game(self) -> InvisibleGame:
        """The game under way, for pictures and records; needs a render mode."""
        return cast(InvisibleGame, super().game())


def _wrapped(bare: TwoAgentsEnv) -> AECEnv[str, Observation, int]:
    """With PettingZoo's usual wrappers: a masked-out action ends the game as a loss."""
    wrapped = wrappers.TerminateIllegalWrapper(bare, illegal_reward=-1)
    return cast(
        "AECEnv[str, Observation, int]",
        wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(wrapped)),
    )


def env(**arguments: Any) -> AECEnv[str, Observation, int]:
    """`raw_env` with PettingZoo's usual wrappers: a masked-out action ends the game as a loss."""
    return _wrapped(raw_env(**arguments))


def invisible_env(**arguments: Any) -> AECEnv[str, Observation, int]:
    """`invisible_raw_env` with the same wrappers."""
    return _wrapped(invisible_raw_env(**arguments))
