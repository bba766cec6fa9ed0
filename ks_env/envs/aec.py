"""The PettingZoo AEC environment: one game, both agents the caller's.

Agents are `white` and `black`. A refused try leaves the same agent to act, with reward 0. Rewards are those
of the end of the game, once, to both; both agents get their terminal turn.
"""

from typing import Any, Unpack, cast

import gymnasium
import numpy as np
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from ks_env.core.actions import ACTIONS
from ks_env.core.record import Array
from ks_env.envs.batch import DISABLED
from ks_env.envs.engine import Engine
from ks_env.envs.pictures import OneGame, Pictures
from ks_env.envs.seen import Form, Observation, Seen
from ks_env.games import DEFAULT_GAME, GameDefinition, game_named
from ks_env.games.keywords import Keywords

AGENTS = ("white", "black")


class raw_env(OneGame, AECEnv):  # type: ignore[misc]  # noqa: N801  (PettingZoo has no types; its name)
    """The environment of one game, without wrappers.

    Args:
        game: the id of a game, such as "InvisibleChess".
        observation: "dict", "planes" or "flat", see `ks_env.envs.seen`.
        render_mode: None, "human", "rgb_array", "ansi" or "svg".
        viewpoint: "referee", "white" or "black".
        **options: fields of the game's options, `seat` left out.

    A masked-out action is answered as the ruleset says. Infos have the same keys in every step: `start`,
    which of the start positions was drawn, -1 where that is hidden, and `reason` of the game's end
    (`answers.Reason`), 0 before it. The mask is in the observation; where that is an array, it is in the
    infos as `action_mask`.
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
        observation: Form = "dict",
        render_mode: str | None = None,
        viewpoint: str = "referee",
        **options: Unpack[Keywords],
    ) -> None:
        super().__init__()
        played = game_named(game)
        self.metadata = {**type(self).metadata, "name": f"{played.name.replace(' ', '_').lower()}_v0"}
        self.render_mode = render_mode
        self._pictures = Pictures(render_mode, self.metadata["render_modes"], self.metadata["render_fps"])
        if viewpoint not in ("referee", *AGENTS):
            raise ValueError(f"unknown viewpoint {viewpoint!r}; expected 'referee', 'white' or 'black'")
        self._viewpoint = viewpoint
        self.engine = Engine(
            1,
            played,
            played.options.of_both_seats(options),
            None,
            autoreset=DISABLED,
            keep_log=render_mode is not None,
        )
        self.possible_agents = list(AGENTS)
        self.agents: list[str] = []
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in AGENTS}
        self._seen = Seen(self.engine, observation, rests=False)
        self._told = () if observation == "dict" else ("action_mask",)
        self.observation_spaces = dict.fromkeys(AGENTS, self._seen.space)
        self.action_spaces = {agent: gymnasium.spaces.Discrete(ACTIONS) for agent in AGENTS}
        self.state_space = gymnasium.spaces.Box(0, 255, self.engine.game_played.state_shape, np.uint8)

    def observation_space(self, agent: str) -> gymnasium.spaces.Space[Any]:
        """The space of an agent's observations."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> gymnasium.spaces.Space[Any]:
        """The space of an agent's actions."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a new game; there are no options, and any are ignored, as PettingZoo's tests expect."""
        if seed is not None:
            self.engine.seed(seed)
        self.engine.reset()
        self.agents = list(AGENTS)
        self.rewards = dict.fromkeys(AGENTS, 0.0)
        self._cumulative_rewards = dict.fromkeys(AGENTS, 0.0)
        self.terminations = dict.fromkeys(AGENTS, False)
        self.truncations = dict.fromkeys(AGENTS, False)
        self._select()
        if self.render_mode == "human":
            self.render()

    def _select(self) -> None:
        """The agent to act."""
        seat = int(self.engine.batch.seats[0])
        self.agent_selection = AGENTS[seat]
        self._inform(0)

    def _inform(self, reason: int) -> None:
        """The infos of both agents; only the one to act has a mask that is not empty."""
        start = int(self.engine.batch.games[0]["views"][0]["start"])
        self.infos = {agent: {"start": start, "reason": reason} for agent in AGENTS}
        for name in self._told:
            for agent in AGENTS:
                self.infos[agent][name] = np.zeros(ACTIONS, np.int8)
            self.infos[self.agent_selection][name] = self.engine.masks()[0].copy()

    def observe(self, agent: str) -> Observation:
        """What the agent sees, fresh arrays; the mask is zero unless it is to act."""
        seat = AGENTS.index(agent)
        return self._seen.row(0) if seat == self.engine.batch.seats[0] else self._seen.seat(0, seat)

    def state(self) -> Array:
        """The referee's full planes for a privileged critic, u1; see `ks_env.core.planes.write_state`."""
        game = self.engine.game_played
        out = np.zeros(game.state_shape, np.uint8)
        game.write_state(self.engine.batch.games[0], out)
        return out

    def step(self, action: int | None) -> None:
        """One try of the agent to act; None from an agent whose game is over.

        Raises:
            gymnasium.error.ResetNeeded: `reset` was not called.
        """
        if not self.engine.begun:
            raise gymnasium.error.ResetNeeded("call reset() before the first step()")
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
            self._inform(int(self.engine.batch.tally[0]["end_reason"]))
        else:
            self._select()
        if self.render_mode == "human":
            self.render()

    def _shown_to(self) -> str:
        return self._viewpoint


def env(**arguments: Any) -> AECEnv[str, Observation, int]:
    """`raw_env` with PettingZoo's usual wrappers: a masked-out action ends the game as a loss."""
    wrapped = wrappers.TerminateIllegalWrapper(raw_env(**arguments), illegal_reward=-1)
    return cast(
        "AECEnv[str, Observation, int]",
        wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(wrapped)),
    )
