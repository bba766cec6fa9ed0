"""A league on a Ray cluster: each worker plays its share of the games, the learner stays here."""

import json
from collections.abc import Sequence
from copy import deepcopy
from typing import Any

import numpy as np
import torch
from ks_arena.sections import ConfigError
from ks_arena.work.ray_engine import connect

from ks_train.learn.checkpoint import Arrays, named, part
from ks_train.learn.config import Experiment
from ks_train.learn.episodes import Episode
from ks_train.learn.rollout import LeagueGames, Rollout, merged
from ks_train.policy.terms import TermsNetwork


class Worker:
    """A share of the games in another process, with its own random generators."""

    def __init__(self, config: Experiment, rows: int, number: int) -> None:
        torch.set_num_threads(1)
        torch.manual_seed(config.seed + number)
        self._rng = np.random.default_rng([config.seed, 1, number])
        self._games = LeagueGames(config, rows, number, self._rng)

    def play(self, network: TermsNetwork, pool: list[TermsNetwork]) -> tuple[Rollout, list[Episode]]:
        """See `LeagueGames.play`."""
        self._games.set_networks(network, pool)
        return self._games.play()

    def arrays(self, tries: int) -> Arrays:
        """See `LeagueGames.arrays`; generators too."""
        rng = np.array(json.dumps(self._rng.bit_generator.state))
        return self._games.arrays(tries) | {"rng": rng, "torch": torch.get_rng_state().numpy()}

    def restore(self, arrays: Arrays) -> None:
        """Go on from there."""
        self._rng.bit_generator.state = json.loads(str(arrays["rng"]))
        torch.set_rng_state(torch.from_numpy(arrays["torch"].copy()))
        self._games.restore({name: array.copy() for name, array in arrays.items()})


class RemoteGames:
    """`LeagueGames` at each of several workers, used as if they were one.

    Args:
        config: an experiment with a `league`.
        workers: how many, one CPU of the cluster each.

    Raises:
        ConfigError: there are fewer games than each worker needs, or fewer CPUs than workers.
    """

    def __init__(self, config: Experiment, workers: int) -> None:
        assert config.league is not None
        shares = [len(rows) for rows in np.array_split(np.arange(config.env.num_envs), workers)]
        try:
            config.league.divided(min(shares))
        except ValueError as error:
            raise ConfigError(f"env.num_envs: {error} at each of {workers} workers") from error
        connect(workers)
        import ray

        self._ray: Any = ray
        if (found := self._ray.cluster_resources().get("CPU", 0)) < workers:
            raise ConfigError(
                f"league.ray: is {workers}, and the cluster has {found:g} CPUs; expected one each"
            )
        worker: Any = self._ray.remote(num_cpus=1)(Worker)
        self._workers: list[Any] = [
            worker.remote(config, rows, number) for number, rows in enumerate(shares, 1)
        ]
        self._network: TermsNetwork
        self._pool: Sequence[TermsNetwork]

    def set_networks(self, network: TermsNetwork, pool: Sequence[TermsNetwork]) -> None:
        """See `LeagueGames.set_networks`."""
        self._network, self._pool = network, pool

    def play(self) -> tuple[Rollout, list[Episode]]:
        """See `LeagueGames.play`."""
        # Workers have no GPU, and could not read what lies on one.
        network, *pool = (deepcopy(each).cpu() for each in (self._network, *self._pool))
        networks = self._ray.put(network), self._ray.put(pool)
        played = self._ray.get([worker.play.remote(*networks) for worker in self._workers])
        episodes = [episode for _, some in played for episode in some]
        return merged([rollout for rollout, _ in played]), episodes

    def arrays(self, tries: int) -> Arrays:
        """See `LeagueGames.arrays`."""
        out: Arrays = {}
        for i, arrays in enumerate(self._ray.get([worker.arrays.remote(tries) for worker in self._workers])):
            out |= named(f"worker.{i}.", arrays)
        return out

    def restore(self, arrays: Arrays) -> None:
        """See `LeagueGames.restore`."""
        parts = [part(arrays, f"worker.{i}.") for i in range(len(self._workers))]
        self._ray.get(
            [worker.restore.remote(each) for worker, each in zip(self._workers, parts, strict=True)]
        )
