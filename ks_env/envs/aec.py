"""The PettingZoo AEC environment: one game, both agents the caller's.

Agents are `white` and `black`. A refused try leaves the same agent to act, with reward 0. Rewards are those
of the end of the game, once, to both; both agents get their terminal turn.
"""

from typing import Any, cast

import gymnasium
import numpy as np
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from ks_env.core.actions import ACTIONS
from ks_env.envs.batch import DISABLED
from ks_env.envs.engine import Array, Engine
from ks_env.envs.pictures import Pictures
from ks_env.envs.vector import observations_of, seat_observation, seat_space
from ks_env.games import DEFAULT_GAME, GameDefinition, game_named
from ks_env.games.under_way import GameUnderWay

Observation = dict[str, Array]
AGENTS = ("white", "black")


class raw_env(AECEnv):  # type: ignore[misc]  # noqa: N801  (PettingZoo has no types; its name)
    """The environment of one game, without wrappers.

    Args:
        game: the id of a game, such as "InvisibleChess".
        render_mode: None, "human", "rgb_array", "ansi" or "svg".
        viewpoint: "referee", "white" or "black".
        **options: fields of the game's options, `seat` left out.

    A masked-out action is answered as the ruleset says.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012  (the base class declares it so)
        "render_modes": ["human", "rgb_array", "ansi", "svg"],
        "is_parallelizable": False,
        "render_fps": 2,
    }

    def __init__(
        self,
        *,
        game: str | GameDefinition = DEFAULT_GAME,
        render_mode: str | None = None,
        viewpoint: str = "referee",
        **options: Any,
    ) -> None:
        super().__init__()
        played = game_named(game)
        self.metadata = {**type(self).metadata, "name": f"{played.name.replace(' ', '_').lower()}_v0"}
        self.render_mode = render_mode
        self._pictures = Pictures(render_mode, self.metadata["render_modes"])
        if viewpoint not in ("referee", *AGENTS):
            raise ValueError(f"unknown viewpoint {viewpoint!r}; expected 'referee', 'white' or 'black'")
        self._viewpoint = viewpoint
        self.engine = Engine(
            1,
            played,
            played.options.of_both_seats(**options),
            None,
            autoreset=DISABLED,
            keep_log=render_mode is not None,
        )
        self.possible_agents = list(AGENTS)
        self.agents: list[str] = []
        self.observation_spaces = {agent: seat_space(self.engine) for agent in AGENTS}
        self.action_spaces = {agent: gymnasium.spaces.Discrete(ACTIONS) for agent in AGENTS}
        self.state_space = gymnasium.spaces.Box(0, 255, self.engine.game_played.state_shape, np.uint8)

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
        if seat == self.engine.batch.seats[0]:
            return {key: array[0].copy() for key, array in observations_of(self.engine).items()}
        return seat_observation(self.engine, 0, seat)

    def state(self) -> Array:
        """The referee's full planes for a privileged critic, u1; see `ks_env.core.planes.write_state`."""
        game = self.engine.game_played
        out = np.zeros(game.state_shape, np.uint8)
        game.write_state(self.engine.batch.games[0], out)
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

    def game(self) -> GameUnderWay[Any]:
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


def env(**arguments: Any) -> AECEnv[str, Observation, int]:
    """`raw_env` with PettingZoo's usual wrappers: a masked-out action ends the game as a loss."""
    wrapped = wrappers.TerminateIllegalWrapper(raw_env(**arguments), illegal_reward=-1)
    return cast(
        "AECEnv[str, Observation, int]",
        wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(wrapped)),
    )
