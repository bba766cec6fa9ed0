"""What happens in a rollout: games finished, and the time that the environment took."""

from collections.abc import Callable
from dataclasses import dataclass
from time import perf_counter
from typing import Any

from ks_arena.match.result import reason_name
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.vec_env import VecEnv, VecEnvWrapper
from stable_baselines3.common.vec_env.base_vec_env import VecEnvObs, VecEnvStepReturn


@dataclass(frozen=True)
class Episode:
    """One finished game of the learner.

    Attributes:
        result: +1 won, 0 drawn or cut short, -1 lost.
        reason: why it ended, in words.
        reward: sum of the rewards, shaping included.
        length: the learner's tries; in a league those of both seats.
    """

    result: int
    reason: str
    reward: float
    length: int


def episode_of(info: dict[str, Any]) -> Episode:
    """The game that the info of its last step tells about."""
    winner = int(info["winner"])
    return Episode(
        result=0 if winner < 0 else 1 if winner == info["seat"] else -1,
        reason=reason_name(int(info["reason"])),
        reward=float(info["episode"]["r"]),
        length=int(info["episode"]["l"]),
    )


class EpisodeRecorder(BaseCallback):
    """Collects the games that end in a rollout."""

    def __init__(self) -> None:
        super().__init__()
        self.episodes: list[Episode] = []

    def _on_step(self) -> bool:
        infos, dones = self.locals["infos"], self.locals["dones"]
        self.episodes += [episode_of(infos[slot]) for slot in dones.nonzero()[0]]
        return True


class TimedVecEnv(VecEnvWrapper):
    """Adds up the seconds spent in the environment under it."""

    def __init__(self, venv: VecEnv) -> None:
        super().__init__(venv)
        self.seconds = 0.0

    def reset(self) -> VecEnvObs:
        """Reset every game."""
        observations: VecEnvObs = self._timed(self.venv.reset)
        return observations

    def step_wait(self) -> VecEnvStepReturn:
        """One try in every game."""
        outcome: VecEnvStepReturn = self._timed(self.venv.step_wait)
        return outcome

    def env_method(self, method_name: str, *args: Any, indices: Any = None, **kwargs: Any) -> list[Any]:
        """Call a method of the environment, masks among them."""
        answers: list[Any] = self._timed(
            lambda: self.venv.env_method(method_name, *args, indices=indices, **kwargs)
        )
        return answers

    def _timed(self, call: Callable[[], Any]) -> Any:
        begun = perf_counter()
        try:
            return call()
        finally:
            self.seconds += perf_counter() - begun
