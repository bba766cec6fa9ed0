"""The PettingZoo parallel environment: both agents act in every step, and only one of the actions counts.

The agent that waits has one action in its mask, `seen.IGNORED`; whatever it does is ignored.
"""

from collections.abc import Mapping
from typing import Any, Unpack, cast

import gymnasium
import numpy as np
from pettingzoo import ParallelEnv

from ks_env.core.actions import ACTIONS
from ks_env.envs.aec import AGENTS, raw_env
from ks_env.envs.seen import IGNORED, Form, Observation
from ks_env.games import DEFAULT_GAME, GameDefinition
from ks_env.games.keywords import Keywords


class parallel_env(ParallelEnv):  # type: ignore[misc]  # noqa: N801  (PettingZoo has no types; its name)
    """One game, both agents the caller's, in PettingZoo's parallel form.

    Args:
        game: the id of a game, such as "InvisibleChess".
        observation: "dict", "planes" or "flat", see `ks_env.envs.seen`.
        render_mode: None, "human", "rgb_array", "ansi" or "svg".
        viewpoint: "referee", "white" or "black".
        **options: fields of the game's options, `seat` left out.

    An agent that waits is asked in every step, so one that counts its steps learns how many tries the other
    has made, which most rulesets keep secret: leave the steps with `to_play` 0 out of what it remembers.

    Infos have the keys of `aec.raw_env`, and `to_play`: whether the agent's action counts in the next step.
    """

    def __init__(
        self,
        *,
        game: str | GameDefinition = DEFAULT_GAME,
        observation: Form = "dict",
        render_mode: str | None = None,
        viewpoint: str = "referee",
        **options: Unpack[Keywords],
    ) -> None:
        self._turns = raw_env(
            game=game, observation=observation, render_mode=render_mode, viewpoint=viewpoint, **options
        )
        self.metadata = {**self._turns.metadata, "is_parallelizable": True}
        self.render_mode = render_mode
        self.possible_agents = list(AGENTS)
        self.agents: list[str] = []

    def observation_space(self, agent: str) -> gymnasium.spaces.Space[Any]:
        """The space of an agent's observations."""
        return self._turns.observation_space(agent)

    def action_space(self, agent: str) -> gymnasium.spaces.Space[Any]:
        """The space of an agent's actions."""
        return self._turns.action_space(agent)

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Observation], dict[str, dict[str, Any]]]:
        """Begin a new game; there are no options, and any are ignored, as PettingZoo's tests expect."""
        self._turns.reset(seed)
        self.agents = list(AGENTS)
        return self._seen()

    def step(
        self, actions: dict[str, int]
    ) -> tuple[
        dict[str, Observation],
        dict[str, float],
        dict[str, bool],
        dict[str, bool],
        dict[str, dict[str, Any]],
    ]:
        """One try of the agent to act.

        Raises:
            ValueError: it has no action.
            gymnasium.error.ResetNeeded: `reset` was not called.
        """
        if not self._turns.engine.begun:
            raise gymnasium.error.ResetNeeded("call reset() before the first step()")
        turns, mover = self._turns, self._turns.agent_selection
        if self.agents and not isinstance(cast(Any, actions), Mapping):
            raise ValueError(f"actions are {actions!r}; expected those of the agents by name")
        if self.agents and mover not in actions:
            given = ", ".join(sorted(map(str, actions))) or "nobody"
            raise ValueError(f"{mover} is to play, and has no action; got those of {given}")
        rewards = dict.fromkeys(AGENTS, 0.0)  # a game that is over was rewarded when it ended
        if self.agents:
            turns.step(actions[mover])
            rewards = dict(turns.rewards)
        seen, infos = self._seen()
        if self._over():
            self.agents = []
        return seen, rewards, dict(turns.terminations), dict(turns.truncations), infos

    def _over(self) -> bool:
        """Whether the game has ended, for both agents at once."""
        return self._turns.terminations[AGENTS[0]] or self._turns.truncations[AGENTS[0]]

    def _seen(self) -> tuple[dict[str, Observation], dict[str, dict[str, Any]]]:
        turns = self._turns
        seen = {agent: turns.observe(agent) for agent in AGENTS}
        infos = {agent: dict(turns.infos[agent]) for agent in AGENTS}
        for agent in AGENTS:
            infos[agent]["to_play"] = int(agent == turns.agent_selection and not self._over())
            if not infos[agent]["to_play"]:
                _ignore(seen[agent], infos[agent])
        return seen, infos

    def state(self) -> np.ndarray[Any, Any]:
        """The referee's full planes for a privileged critic, u1."""
        return self._turns.state()

    def render(self) -> Any:
        """A picture, as the render mode says; None in a window."""
        return self._turns.render()

    def close(self) -> None:
        """Close the window, if there is one."""
        self._turns.close()


def _ignore(seen: Observation, info: dict[str, Any]) -> None:
    """Give an agent whose action is ignored one that it may make."""
    mask = np.zeros(ACTIONS, np.int8)
    mask[IGNORED] = 1
    if isinstance(seen, dict):
        seen["action_mask"] = mask
        if "tries" in seen:
            seen["tries"][0] = IGNORED
    else:
        info["action_mask"] = mask
