"""Trained models as functions from what a seat sees to scores of its tries; loaded once a process."""

import pkgutil
import random
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from gymnasium import spaces
from ks_arena.names import config_file, model_file
from ks_arena.sections import ConfigError, Section, load_section
from pydantic import ConfigDict, Field
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.policies import ActorCriticPolicy

from ks_env.belief.encoders import Encoder, make_encoder
from ks_env.belief.inputs import plane_count
from ks_env.belief.terms import Terms, Tries, make_terms
from ks_env.core.actions import ACTIONS
from ks_env.games.kriegspiel import KRIEGSPIEL
from ks_train.learn.config import Environment
from ks_train.policy.network import BoardPolicy
from ks_train.policy.terms import Rows, TermsPolicy

Planes = npt.NDArray[np.uint8]
Actions = npt.NDArray[np.int64]
Scores = npt.NDArray[np.float64]
Policy = ActorCriticPolicy | MaskableActorCriticPolicy

KEPT = 16  # models that a process keeps in memory


class _Judged(Section):
    model_config = ConfigDict(extra="ignore")

    temperature: float = Field(default=1.0, ge=0)


class Played(Section):
    """The parts of a run's config that its model's play depends on; the others are not read.

    So a model can be played where the opponents that it was trained against are not installed.

    Attributes:
        env: mask and encoder count here.
        evaluation: its temperature.
    """

    model_config = ConfigDict(extra="ignore")

    env: Environment = Environment()
    evaluation: _Judged = _Judged()


@dataclass(frozen=True)
class Network:
    """A trained policy, and how it is to be asked.

    Attributes:
        policy: actor and critic of Stable-Baselines3 or sb3-contrib, on the processor.
        encoder: whose planes follow the base planes.
        terms: what its tries are described by, if it rests on terms.
        env: the environment that it was trained in.
        temperature: at which it is judged.
    """

    policy: Policy
    encoder: Encoder | None
    terms: Terms | None
    env: Environment
    temperature: float

    def scores(self, planes: Planes, tries: Actions) -> Scores:
        """Logits of tries, up to a number added to all of them.

        One position at a time and in one thread, so that they depend on nothing but the position.

        Args:
            planes: u1[C, 8, 8].
            tries: i8[K], those that the seat may make.

        Returns:
            f8[K].
        """
        with torch.inference_mode(), one_thread():
            logits = self._logits(planes, tries)
        return logits.numpy().astype(np.float64)

    def scores_of_terms(self, tries: Tries) -> Scores:
        """Logits f8[K] of the K tries of one state, for a policy that rests on terms."""
        assert isinstance(self.policy, TermsPolicy)
        with torch.inference_mode(), one_thread():
            logits: torch.Tensor = self.policy.network(Rows.of(tries))[0]
        return logits.numpy().astype(np.float64)

    def _logits(self, planes: Planes, tries: Actions) -> torch.Tensor:
        if isinstance(self.policy, BoardPolicy):
            features = self.policy.features(torch.from_numpy(planes[None]))
            actions = torch.from_numpy(tries)
            return self.policy.action_net.legal(features, torch.zeros_like(actions), actions)
        mask = np.zeros((1, ACTIONS), np.int8)
        mask[0, tries] = 1
        seen: Any = planes[None]
        if isinstance(self.policy.observation_space, spaces.Dict):
            seen = {"observation": seen, "action_mask": mask}
            seen = {key: seen[key] for key in self.policy.observation_space.spaces}
        tensors, _ = self.policy.obs_to_tensor(seen)
        if isinstance(self.policy, MaskableActorCriticPolicy):
            chances: Any = self.policy.get_distribution(tensors, action_masks=mask)
        else:
            chances = self.policy.get_distribution(tensors)
        logits: torch.Tensor = chances.distribution.logits[0, torch.from_numpy(tries)]
        return logits


@contextmanager
def one_thread() -> Iterator[None]:
    """One thread for torch: nets this small gain nothing from a second, and lose much on a busy machine."""
    before = torch.get_num_threads()
    if before == 1:
        yield
        return
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)


def load_network(path: str, algorithm: str) -> Network:
    """A trained model, read from its file once a process, and again when the file has changed.

    Args:
        path: a model's file, or the folder of a run or checkpoint. Mask, encoder and temperature are those
            of the run's config, or the defaults without one.
        algorithm: class that loads it, `"module:name"`.

    Raises:
        ConfigError: there is no such file, it is damaged, or what it holds cannot play here.
    """
    file = model_file(path)
    read = [each for each in (file, config_file(file)) if each is not None]
    return _load(file, algorithm, tuple((each.absolute(), _stamp(each)) for each in read))


def _stamp(file: Path) -> tuple[int, int]:
    found = file.stat()
    return found.st_mtime_ns, found.st_size


@lru_cache(KEPT)
def _load(file: Path, algorithm: str, stamps: tuple[Any, ...]) -> Network:
    played = read_played(file)
    policy = load_learner(file, algorithm).policy
    encoder, terms = make_encoder(played.env.encoder), make_terms(played.env.terms)
    if isinstance(policy, TermsPolicy):
        _check_terms(policy, terms, f"{file}")
    else:
        terms = None
        _check(policy, plane_count(encoder, KRIEGSPIEL), f"{file}")
    policy.set_training_mode(False)
    return Network(policy, encoder, terms, played.env, played.evaluation.temperature)


def read_played(file: Path) -> Played:
    """What the config of the model's run says of playing it; the defaults where no run made it.

    Raises:
        ConfigError: the config has a wrong value.
    """
    config = config_file(file)
    return Played() if config is None else load_section(Played, config)


def load_learner(file: Path, algorithm: str) -> Any:
    """What the algorithm's `load` makes of a model's file, on the processor.

    The random generators that all share stay as they are.

    Raises:
        ConfigError: there is no such algorithm, or the file is damaged.
    """
    kind = _algorithm(algorithm)
    try:
        with _same_random_numbers():
            return kind.load(file, device="cpu")
    except Exception as error:  # a damaged file may raise anything, as it holds pickled objects
        raise ConfigError(
            f"{file}: is not a model or is damaged; {algorithm} says {type(error).__name__}: {error}"
        ) from error


def _algorithm(name: str) -> Any:
    try:
        kind = pkgutil.resolve_name(name)
    except (ImportError, AttributeError, ValueError) as error:
        raise ConfigError(
            f"algorithm {name!r}: {error}; expected module:name, such as sb3_contrib:MaskablePPO"
        ) from error
    if not callable(getattr(kind, "load", None)):
        raise ConfigError(f"algorithm {name!r}: has no method load; expected a learner of Stable-Baselines3")
    return kind


@contextmanager
def _same_random_numbers() -> Iterator[None]:
    """Leave the generators that all share as they are: Stable-Baselines3 seeds them when it loads a model."""
    python, numpy, of_torch = random.getstate(), np.random.get_state(), torch.get_rng_state()
    try:
        yield
    finally:
        random.setstate(python)
        np.random.set_state(numpy)
        torch.set_rng_state(of_torch)


def _check_terms(policy: TermsPolicy, terms: Terms | None, name: str) -> None:
    """Refuse a policy that was trained on other terms than its config says.

    Raises:
        ConfigError: no terms are named, or the numbers of terms differ.
    """
    network = policy.network
    if terms is None or (network.tries, network.states) != (len(terms.tries), len(terms.states)):
        raise ConfigError(
            f"{name}: was trained on {network.tries} terms of a try and {network.states} of a state; "
            "expected the config.yaml of its run beside it, with the same env.terms"
        )


def _check(policy: Any, planes: int, name: str) -> None:
    """Refuse a policy that cannot be asked about a seat of this game.

    Raises:
        ConfigError: it is no actor, or was trained on other planes or actions.
    """
    if not isinstance(policy, Policy):
        raise ConfigError(f"{name}: holds a {type(policy).__name__}; expected a policy with a distribution")
    if policy.action_space != spaces.Discrete(ACTIONS):
        raise ConfigError(f"{name}: was trained on actions {policy.action_space}; expected {ACTIONS} tries")
    space = policy.observation_space
    if isinstance(space, spaces.Dict) and "observation" in space.spaces:
        _check_keys(space, name)
        space = space["observation"]
    if not isinstance(space, spaces.Box) or space.shape != (planes, 8, 8) or space.dtype != np.uint8:
        raise ConfigError(
            f"{name}: was trained on {space.dtype}{list(space.shape or ())}; expected planes"
            f" uint8{[planes, 8, 8]} of the ruleset and encoder in the config.yaml of its run"
        )


def _check_keys(space: spaces.Dict, name: str) -> None:
    unknown = set(space.spaces) - {"observation", "action_mask"}
    if unknown:
        raise ConfigError(f"{name}: was trained on {sorted(unknown)}; expected observation and action_mask")
