"""The Gymnasium environment: one game against a chosen opponent."""

from typing import Any, Unpack

import gymnasium
import numpy as np

from ks_env.core.actions import ACTIONS
from ks_env.core.record import Array
from ks_env.envs.batch import DISABLED
from ks_env.envs.engine import Engine
from ks_env.envs.opponents import Opponent, check_opponent
from ks_env.envs.options import check_reset, check_seed
from ks_env.envs.pictures import OneGame, Pictures
from ks_env.envs.seen import Form, Observation, Seen
from ks_env.games import DEFAULT_GAME, GameDefinition, game_named
from ks_env.games.keywords import Keywords

Action = int | np.integer[Any]
ENDS = {"reason": 0, "winner": -1, "plies": 0, "tries": 0}  # of a game under way


class GameEnv(OneGame, gymnasium.Env[Observation, Action]):
    """One game of a learner against an opponent that plays inside `step`, and inside `reset` if it begins.

    Observation:
        `{"observation": u1[C, 8, 8], "action_mask": i1[1859]}`, or another form, see `ks_env.envs.seen`.
    Info:
        The same keys in every step. `action_mask`, which is the observation's own array where that has one;
        `start`, which of the start positions was drawn, -1 where that is hidden; `seat`, the learner's; and
        of the game's end `reason` (`answers.Reason`, 0 before it), `winner` (seat, or -1), `plies` and
        `tries` (0 before it).
    Action:
        `Discrete(1859)`. One step is one try; a masked-out action is answered as the ruleset says and
        changes neither position nor turn.
    Reward:
        +1, 0, -1 at the end; with `shaping`, potential-based terms from announced captures as well.
    Termination and truncation:
        The end of the game by the rules; the ruleset's limit on plies truncates.

    Args:
        opponent: a player's name, a player factory or a `BatchPlayer`.
        game: the id of a game, such as "InvisibleChess".
        observation: "dict", "planes", "flat" or "compact".
        render_mode: None, "human", "rgb_array", "ansi" or "svg".
        viewpoint: "referee", or "learner" for what the learner's seat sees.
        **options: fields of the game's options, such as `ks_env.games.kriegspiel.options.Options`.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012  (the base class declares it so)
        "render_modes": ["human", "rgb_array", "ansi", "svg"],
        "render_fps": 2,
    }

    def __init__(
        self,
        opponent: Opponent = "random",
        *,
        game: str | GameDefinition = DEFAULT_GAME,
        observation: Form = "dict",
        render_mode: str | None = None,
        viewpoint: str = "referee",
        **options: Unpack[Keywords],
    ) -> None:
        self.render_mode = render_mode
        self._pictures = Pictures(render_mode, self.metadata["render_modes"], self.metadata["render_fps"])
        if viewpoint not in ("referee", "learner"):
            raise ValueError(f"unknown viewpoint {viewpoint!r}; expected 'referee' or 'learner'")
        self._viewpoint = viewpoint
        played = game_named(game)
        self.engine = Engine(
            1,
            played,
            played.options.made_of(options),
            check_opponent(opponent),
            autoreset=DISABLED,
            keep_log=render_mode is not None,
            compact=observation == "compact",
        )
        self._seen = Seen(self.engine, observation)
        self.observation_space = self._seen.space
        self.action_space = gymnasium.spaces.Discrete(ACTIONS)

    def _info(self, seen: Observation) -> dict[str, Any]:
        batch = self.engine.batch
        start, seat = int(batch.games["views"]["start"][0, 0]), int(batch.seats[0])
        mask = seen.get("action_mask") if isinstance(seen, dict) else None
        return {
            "action_mask": self.action_masks() if mask is None else mask,
            "start": start,
            "seat": seat,
            **ENDS,
        }

    def action_masks(self) -> Array:
        """The mask of the learner's tries: i1[1859]."""
        return self.engine.masks()[0].copy()

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin a new game. There are no options: expected None or {}."""
        check_reset(options)
        if seed is not None:
            seed = check_seed(seed)
            self.engine.seed(seed)
        super().reset(seed=seed)
        self.engine.reset()
        if self.render_mode == "human":
            self.render()
        seen = self._seen.row(0)
        return seen, self._info(seen)

    def step(self, action: Action) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """One try.

        Raises:
            gymnasium.error.ResetNeeded: `reset` was not called.
        """
        self.engine.step(np.asarray([action]))
        buffers = self.engine.buffers
        seen = self._seen.row(0)
        info = self._info(seen)
        if buffers.terminations[0] or buffers.truncations[0]:
            tally = self.engine.batch.tally[0]
            for key in ("reason", "winner", "plies"):
                info[key] = int(tally[f"end_{key}"])
            info["tries"] = int(tally["end_tries"][tally["end_seat"]])
        if self.render_mode == "human":
            self.render()
        reward = float(buffers.rewards[0, 0])
        return seen, reward, bool(buffers.terminations[0]), bool(buffers.truncations[0]), info

    def _shown_to(self) -> str:
        learner = "black" if self.engine.batch.seats[0] else "white"
        return learner if self._viewpoint == "learner" else "referee"
