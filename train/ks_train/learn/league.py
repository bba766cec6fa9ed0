"""A league: one policy learns by PPO from games against itself, its past selves and other players.

    a rollout      every game is played for some tries; where the policy has both seats, it learns from both
    advantages     of each seat's own tries, one after another
    an update      PPO, and a pull towards the magnet: the policy as it was a while ago

Self-play by plain policy gradients may run in circles where games are of imperfect information; the pull
towards a magnet that follows slowly is meant to keep it from that (after Sokota et al. 2023). A game that is
cut short by the limit on half-moves counts as drawn.
"""

import json
from copy import deepcopy
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING

import numpy as np
import torch
from ks_arena.names import model_file
from ks_arena.sections import ConfigError
from torch import Tensor, nn
from torch.nn import functional

from ks_env.belief.terms import Tries, places, taken
from ks_env.envs.sb3 import GameVecEnv
from ks_train.learn.checkpoint import Arrays, named, part
from ks_train.learn.config import Experiment
from ks_train.learn.ppo import make_model
from ks_train.learn.rollout import LeagueGames, Rollout, judge
from ks_train.learn.turn import Turn, due
from ks_train.policy.files import load_learner
from ks_train.policy.terms import TermsNetwork, TermsPolicy

if TYPE_CHECKING:
    from ks_train.learn.remote import RemoteGames


class League:
    """The games of a league, the policy that learns from them and those that it meets.

    Args:
        config: an experiment with a `league`.
        folder: for TensorBoard's log; None for no log.
        fresh: whether training begins, with the model that the config names if it names one.

    Attributes:
        model: the policy and its optimiser.
        pool: its past selves.
    """

    def __init__(self, config: Experiment, folder: Path | None, *, fresh: bool = True) -> None:
        assert config.league is not None
        self.config, self.settings = config, config.league
        shapes = GameVecEnv(1, "random", **config.env.options())
        self.model = make_model(config, shapes, folder, fresh=fresh)
        policy = self.model.policy
        assert isinstance(policy, TermsPolicy)
        self.network, self.optimiser = policy.network, policy.optimizer
        self.magnet = deepcopy(self.network)
        self.pool = [network_of(name, self.network) for name in self.settings.fixed]
        self.rng = np.random.default_rng([config.seed, 1])
        self.games: LeagueGames | RemoteGames
        if self.settings.ray:
            from ks_train.learn import remote

            self.games = remote.RemoteGames(config, self.settings.ray)
        else:
            self.games = LeagueGames(config, config.env.num_envs, 0, self.rng)
        self.games.set_networks(self.network, self.pool)

    def turn(self, progress: float) -> Turn:
        """A rollout and an update with it; a snapshot, and the magnet's move, when they are due."""
        learner, begun = self.config.learner, perf_counter()
        rollout, episodes = self.games.play()
        played = perf_counter() - begun
        losses = self.learn(rollout, learner.learning_rate.at(progress), learner.entropy.at(progress))
        before, tries = self.model.num_timesteps, len(rollout.values)
        now = self.model.num_timesteps = before + tries
        if self.settings.past and due(self.settings.every, before, now):
            self.remember()
        if due(self.settings.magnet_every, before, now):
            self.magnet.load_state_dict(self.network.state_dict())
        return Turn("the league", tries, episodes, played / (perf_counter() - begun), losses)

    def learn(self, rollout: Rollout, rate: float, entropy_weight: float) -> dict[str, float]:
        """Some passes over a rollout; means of what was seen in them."""
        learner, size = self.config.learner, len(rollout.values)
        for group in self.optimiser.param_groups:
            group["lr"] = rate
        device = self.model.device
        raw = rollout.advantages.numpy()
        advantages = torch.from_numpy((raw - raw.mean()) / (raw.std() + 1e-8)).to(device)
        actions, log_probs = rollout.actions.to(device), rollout.log_probs.to(device)
        returns = rollout.returns.to(device)
        magnet = self._magnet(rollout.tries) if self.settings.magnet else None
        seen: list[list[float]] = []
        for _ in range(learner.epochs):
            for rows in np.array_split(self.rng.permutation(size), max(1, size // learner.batch_size)):
                tries = taken(rollout.tries, rows)
                chances, odds = judge(self.network, tries)
                ratio = (chances.log_prob(actions[rows]) - log_probs[rows]).exp()
                gain = advantages[rows]
                clipped = ratio.clamp(1 - learner.clip, 1 + learner.clip)
                policy_loss = -torch.min(ratio * gain, clipped * gain).mean()
                won = (returns[rows] + 1) / 2
                value_loss = functional.binary_cross_entropy_with_logits(odds, won)
                entropy = chances.entropy().mean()
                loss = policy_loss + learner.value * value_loss - entropy_weight * entropy
                pull = torch.zeros(())
                if magnet is not None:
                    _, index = places(rollout.tries, rows)
                    pull = chances.divergence(magnet[torch.from_numpy(index).to(magnet.device)]).mean()
                    loss = loss + self.settings.magnet * pull
                self.optimiser.zero_grad()
                loss.backward()
                nn.utils.clip_grad_norm_(self.network.parameters(), learner.max_grad_norm)
                self.optimiser.step()
                with torch.no_grad():
                    kl = (ratio - 1 - ratio.log()).mean()
                    seen.append([float(each) for each in (policy_loss, value_loss, entropy, kl, pull)])
        spread = float(rollout.returns.var())
        names = ("policy_loss", "value_loss", "entropy", "kl", "magnet_kl")
        error = float((rollout.returns.numpy() - rollout.values).var())
        return dict(zip(names, np.mean(seen, 0).tolist(), strict=True)) | {
            "explained_variance": 1 - error / spread if spread > 0 else 0.0
        }

    @torch.no_grad()
    def _magnet(self, tries: Tries) -> Tensor:
        """Log-probabilities f4[T] by the magnet."""
        return judge(self.magnet, tries)[0].log_probs

    def remember(self) -> None:
        """Add a copy of the policy to the pool; if that is full, it replaces a random past self."""
        fixed, network = len(self.settings.fixed), deepcopy(self.network)
        if len(self.pool) < fixed + self.settings.keep:
            self.pool.append(network)
        else:
            self.pool[self.rng.integers(fixed, len(self.pool))] = network

    def arrays(self) -> Arrays:
        """Games, past selves, the magnet and the generator.

        Games against players that are not compiled cannot be saved; they start over here and in `restore`.
        """
        out: Arrays = {"rng": np.array(json.dumps(self.rng.bit_generator.state))}
        for i, network in enumerate([self.magnet, *self.pool]):
            weights = {name: tensor.cpu().numpy() for name, tensor in network.state_dict().items()}
            out |= named(f"network.{i}.", weights)
        return out | named("games.", self.games.arrays(self.model.num_timesteps))

    def restore(self, arrays: Arrays) -> None:
        """Go on from there.

        Raises:
            ValueError, KeyError, RuntimeError: they are of another league.
        """
        self.rng.bit_generator.state = json.loads(str(arrays["rng"]))
        networks = part(arrays, "network.")
        numbers = sorted({int(name.partition(".")[0]) for name in networks})
        fixed = len(self.settings.fixed)
        self.pool[fixed:] = [deepcopy(self.network) for _ in numbers[1 + fixed :]]
        for i, network in zip(numbers, [self.magnet, *self.pool], strict=True):
            weights = part(networks, f"{i}.")
            network.load_state_dict({name: torch.from_numpy(array) for name, array in weights.items()})
        self.games.restore(part(arrays, "games."))


def network_of(name: str, like: TermsNetwork) -> TermsNetwork:
    """The network of a model's file, which has to be of the same terms as the policy's.

    Raises:
        ConfigError: it is not, or cannot be read.
    """
    policy = load_learner(model_file(name), "sb3_contrib:MaskablePPO").policy
    if isinstance(policy, TermsPolicy):
        network = policy.network
        if (network.tries, network.states) == (like.tries, like.states):
            return network
    raise ConfigError(f"league.fixed: {name} does not rest on the same terms of tries")
