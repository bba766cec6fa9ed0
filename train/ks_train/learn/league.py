"""A league: one policy learns by PPO from games against itself, its past selves and other players.

    a rollout      every game is played for some tries; where the policy has both seats, it learns from both
    advantages     of each seat's own tries, one after another
    an update      PPO, and a pull towards the magnet: the policy as it was a while ago

Self-play by plain policy gradients runs in circles where games are of imperfect information; the pull
towards a magnet that follows slowly keeps it from that (magnetic mirror descent, Sokota et al. 2023).
"""

import json
from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import torch
from ks_arena.match.result import reason_name
from ks_arena.names import model_file
from ks_arena.sections import ConfigError
from torch import Tensor, nn
from torch.nn import functional

from ks_env.belief.terms import Tries, joined, taken
from ks_env.envs.sb3 import GameVecEnv
from ks_env.envs.vector import GameVectorEnv, SelfPlayVectorEnv
from ks_train.data.starts import quiet_starts
from ks_train.learn.checkpoint import Arrays, named, part
from ks_train.learn.config import Experiment
from ks_train.learn.episodes import Episode
from ks_train.learn.ppo import make_model
from ks_train.learn.turn import Turn, due
from ks_train.policy.files import load_learner
from ks_train.policy.network import LegalTries
from ks_train.policy.terms import Rows, TermsNetwork, TermsPolicy

LEARNER = -1  # who moves: the policy that learns; else the number of a past self
Floats = npt.NDArray[np.float32]
Numbers = npt.NDArray[np.int64]
Array = npt.NDArray[Any]


class Answer(NamedTuple):
    """What a step brought to the seats of some games, each of which is a stream of tries.

    Attributes:
        rewards: f4[S].
        ends: bool[S].
        episodes: the games that ended, as the policy saw them; not those against itself.
    """

    rewards: Floats
    ends: npt.NDArray[np.bool_]
    episodes: list[Episode]


class SelfPlay:
    """Games in both seats of which the league moves; the streams of row r are 2 r (White) and 2 r + 1.

    Args:
        config: of the experiment.
        rows: how many games.
        past: in how many of them one seat is a past self's.
        starts: positions to begin from.
        seed: of the games.
    """

    def __init__(self, config: Experiment, rows: int, past: int, starts: list[str], seed: int) -> None:
        options = _options(config) | {"start": starts}
        self.env = SelfPlayVectorEnv(
            rows, ragged_tries=True, copy=False, autoreset_mode="SameStep", **options
        )
        self.env.reset(seed=seed)
        self.streams = 2 * rows
        self.who = np.full((rows, 2), LEARNER)
        self._past = past

    def seat_past(self, rows: Numbers, pool: int, rng: np.random.Generator) -> None:
        """Draw who plays these games, which begin."""
        self.who[rows] = LEARNER
        if pool:
            chosen = rows[rows < self._past]
            self.who[chosen, rng.integers(2, size=len(chosen))] = rng.integers(pool, size=len(chosen))

    def movers(self) -> tuple[Numbers, Numbers]:
        """The streams i8[rows] whose turn it is, and who they are."""
        seats = self.env.engine.batch.seats.astype(np.int64)
        rows = np.arange(len(seats))
        return 2 * rows + seats, self.who[rows, seats]

    def step(self, actions: Numbers, pool: int, rng: np.random.Generator) -> Answer:
        """One try in each game."""
        *_, info = self.env.step(actions)
        done = info.get("_final_info", np.zeros(len(self.who), np.bool_))
        rows = np.flatnonzero(done)
        episodes = []
        for row in rows[(self.who[rows] != LEARNER).any(1)].tolist():
            seat = int(self.who[row, 0] != LEARNER)
            episodes.append(_episode(info["final_info"], row, seat))
        self.seat_past(rows, pool, rng)
        return Answer(self.env.engine.buffers.rewards.ravel().copy(), np.repeat(done, 2), episodes)

    def arrays(self, tries: int) -> Arrays:
        """What later steps depend on."""
        return self.env.engine.get_state() | {"who": self.who.copy()}

    def restore(self, arrays: Arrays) -> None:
        """Go on from there."""
        self.who = arrays.pop("who")
        self.env.engine.set_state(arrays)


class Against:
    """Games against a player of the registry; each row is a stream, the policy's.

    Args:
        config: of the experiment.
        rows: how many games.
        player: its name.
        starts: positions to begin from.
        seed: of the games.
    """

    def __init__(self, config: Experiment, rows: int, player: str, starts: list[str], seed: int) -> None:
        options = _options(config) | {"start": starts}
        self.env = GameVectorEnv(
            rows, player, ragged_tries=True, copy=False, autoreset_mode="SameStep", **options
        )
        self.env.reset(seed=seed)
        self.streams = rows
        self._seed = seed

    def movers(self) -> tuple[Numbers, Numbers]:
        """See `SelfPlay.movers`."""
        return np.arange(self.streams), np.full(self.streams, LEARNER)

    def step(self, actions: Numbers, pool: int, rng: np.random.Generator) -> Answer:
        """See `SelfPlay.step`."""
        *_, info = self.env.step(actions)
        done = info.get("_final_info", np.zeros(self.streams, np.bool_))
        ends = info.get("final_info", {})
        episodes = [_episode(ends, row, int(ends["seat"][row])) for row in np.flatnonzero(done).tolist()]
        return Answer(self.env.engine.buffers.rewards[:, 0].copy(), done, episodes)

    def arrays(self, tries: int) -> Arrays:
        """What later steps depend on; a player that is no kernel begins anew, seeded by the tries so far."""
        if self.env.engine.opponent is None:
            return self.env.engine.get_state()
        seed = self._seed + tries
        self.env.reset(seed=seed)
        return {"seed": np.array(seed)}

    def restore(self, arrays: Arrays) -> None:
        """Go on from there."""
        if "seed" in arrays:
            self.env.reset(seed=int(arrays["seed"]))
        else:
            self.env.engine.set_state(arrays)


def _options(config: Experiment) -> dict[str, Any]:
    options = config.env.options()
    return options | {"threads": config.env.threads}


def _episode(ends: dict[str, Any], row: int, seat: int) -> Episode:
    """The game of a row as one seat sees it; its length is that of both seats."""
    winner = int(ends["winner"][row])
    result = 0 if winner < 0 else 1 if winner == seat else -1
    return Episode(result, reason_name(int(ends["reason"][row])), float(result), int(ends["tries"][row]))


class Moves(NamedTuple):
    """Tries of the policy in one step of all games, M of them.

    Attributes:
        tries: what it could choose from.
        streams: i8[M].
        actions: i8[M].
        log_probs: f4[M], of them.
        values: f4[M], expected returns from -1 to 1.
    """

    tries: Tries
    streams: Numbers
    actions: Tensor
    log_probs: Tensor
    values: Floats


class Rollout(NamedTuple):
    """What is learnt from in one update, B tries of the policy.

    Attributes:
        tries: what it could choose from.
        actions: i8[B].
        log_probs: f4[B], of the actions.
        advantages: f4[B], of mean 0 and deviation 1.
        returns: f4[B], from -1 to 1.
        values: f4[B], as they were foreseen.
    """

    tries: Tries
    actions: Tensor
    log_probs: Tensor
    advantages: Tensor
    returns: Tensor
    values: Floats


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
        games = self.settings.divided(config.env.num_envs)
        starts = self._starts()
        self.parts: list[SelfPlay | Against] = []
        if rows := games.itself + games.past:
            own = SelfPlay(config, rows, games.past, starts, config.seed)
            own.seat_past(np.arange(rows), len(self.pool), self.rng)
            self.parts.append(own)
        for number, (player, count) in enumerate(games.players.items(), 1):
            self.parts.append(Against(config, count, player, starts, config.seed + 100_000 * number))
        self._offsets = np.cumsum([0, *(games.streams for games in self.parts)])
        self.streams = int(self._offsets[-1])

    def _starts(self) -> list[str]:
        if self.config.env.start:
            return list(self.config.env.start)
        rng = np.random.default_rng([self.config.seed, 2])
        return quiet_starts(rng, self.settings.starts, self.settings.quiet_plies)

    def turn(self, progress: float) -> Turn:
        """A rollout and an update with it; a snapshot, and the magnet's move, when they are due."""
        learner, begun = self.config.learner, perf_counter()
        rollout, episodes = self.play()
        played = perf_counter() - begun
        losses = self.learn(rollout, learner.learning_rate.at(progress), learner.entropy.at(progress))
        before, tries = self.model.num_timesteps, len(rollout.values)
        now = self.model.num_timesteps = before + tries
        if due(self.settings.every, before, now):
            self.remember()
        if due(self.settings.magnet_every, before, now):
            self.magnet.load_state_dict(self.network.state_dict())
        return Turn("the league", tries, episodes, played / (perf_counter() - begun), losses)

    def play(self) -> tuple[Rollout, list[Episode]]:
        """Play every game for `learner.steps` tries."""
        moves: list[Moves] = []
        answers: list[tuple[Floats, npt.NDArray[np.bool_]]] = []
        episodes: list[Episode] = []
        for _ in range(self.config.learner.steps):
            move, actions = self._choose()
            moves.append(move)
            rewards, ends, begun = [], [], 0
            for games, rows in zip(self.parts, self._rows(), strict=True):
                answer = games.step(actions[begun : begun + rows], len(self.pool), self.rng)
                begun += rows
                rewards.append(answer.rewards)
                ends.append(answer.ends)
                episodes += answer.episodes
            answers.append((np.concatenate(rewards), np.concatenate(ends)))
        last, _ = self._choose()
        return self._rollout(moves, answers, last), episodes

    def _rows(self) -> Iterator[int]:
        return (games.env.num_envs for games in self.parts)

    @torch.no_grad()
    def _choose(self) -> tuple[Moves, Numbers]:
        """The policy's tries, and the actions i8[N] of all rows."""
        asked = [games.movers() for games in self.parts]
        streams = np.concatenate([s + o for (s, _), o in zip(asked, self._offsets, strict=False)])
        who = np.concatenate([w for _, w in asked])
        tries = joined([games.env.tries() for games in self.parts])
        actions = np.zeros(len(who), np.int64)
        for number in np.unique(who[who != LEARNER]).tolist():
            rows = np.flatnonzero(who == number)
            chosen, _ = judge(self.pool[number], taken(tries, rows))
            actions[rows] = chosen.sample(self.settings.temperature).cpu().numpy()
        rows = np.flatnonzero(who == LEARNER)
        mine = taken(tries, rows)
        chances, odds = judge(self.network, mine)
        action = chances.sample()
        actions[rows] = action.cpu().numpy()
        values = torch.tanh(odds / 2).cpu().numpy()
        return Moves(mine, streams[rows], action, chances.log_prob(action), values), actions

    def _rollout(
        self, moves: list[Moves], answers: list[tuple[Floats, npt.NDArray[np.bool_]]], last: Moves
    ) -> Rollout:
        """Generalised advantages by stream; a stream whose next try is yet to come stands as at its last."""
        decay = self.config.learner.gae_lambda
        value, advantage = np.zeros(self.streams, np.float32), np.zeros(self.streams, np.float32)
        earned = np.zeros(self.streams, np.float32)
        for move in moves:
            value[move.streams] = move.values
        value[last.streams] = last.values
        found: list[Floats] = []
        for move, (rewards, ends) in zip(reversed(moves), reversed(answers), strict=True):
            value[ends] = advantage[ends] = earned[ends] = 0
            earned += rewards
            mine = move.streams
            advantage[mine] = earned[mine] + value[mine] - move.values + decay * advantage[mine]
            value[mine], earned[mine] = move.values, 0
            found.append(advantage[mine])
        advantages = np.concatenate(found[::-1])
        values = np.concatenate([move.values for move in moves])
        return Rollout(
            joined([move.tries for move in moves]),
            torch.cat([move.actions for move in moves]),
            torch.cat([move.log_probs for move in moves]),
            self._tensor((advantages - advantages.mean()) / (advantages.std() + 1e-8)),
            self._tensor(np.clip(advantages + values, -1, 1)),
            values,
        )

    def _tensor(self, array: Floats) -> Tensor:
        return torch.from_numpy(array).to(self.model.device)

    def learn(self, rollout: Rollout, rate: float, entropy_weight: float) -> dict[str, float]:
        """Some passes over a rollout; means of what was seen in them."""
        learner, size = self.config.learner, len(rollout.values)
        for group in self.optimiser.param_groups:
            group["lr"] = rate
        magnet = self._magnet(rollout.tries) if self.settings.magnet else None
        seen: list[list[float]] = []
        for _ in range(learner.epochs):
            for rows in np.array_split(self.rng.permutation(size), max(1, size // learner.batch_size)):
                tries = taken(rollout.tries, rows)
                chances, odds = judge(self.network, tries)
                ratio = (chances.log_prob(rollout.actions[rows]) - rollout.log_probs[rows]).exp()
                gain = rollout.advantages[rows]
                clipped = ratio.clamp(1 - learner.clip, 1 + learner.clip)
                policy_loss = -torch.min(ratio * gain, clipped * gain).mean()
                won = (rollout.returns[rows] + 1) / 2
                value_loss = functional.binary_cross_entropy_with_logits(odds, won)
                entropy = chances.entropy().mean()
                loss = policy_loss + learner.value * value_loss - entropy_weight * entropy
                pull = torch.zeros(())
                if magnet is not None:
                    pull = chances.divergence(magnet[_places(rollout.tries, rows).to(magnet.device)]).mean()
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
        error = float((rollout.returns.cpu().numpy() - rollout.values).var())
        return dict(zip(names, np.mean(seen, 0).tolist(), strict=True)) | {
            "explained_variance": 1 - error / spread if spread > 0 else 0.0
        }

    @torch.no_grad()
    def _magnet(self, tries: Tries) -> Tensor:
        """Log-probabilities f4[T] by the magnet."""
        return judge(self.magnet, tries)[0].log_probs

    def remember(self) -> None:
        """Take the policy as it is into the pool; if that is full, in the place of a random past self."""
        fixed, network = len(self.settings.fixed), deepcopy(self.network)
        if len(self.pool) < fixed + self.settings.keep:
            self.pool.append(network)
        else:
            self.pool[self.rng.integers(fixed, len(self.pool))] = network

    def arrays(self) -> Arrays:
        """Games, past selves, the magnet and the generator.

        Games against players that are no kernels cannot be saved: they are begun anew here and in `restore`.
        """
        out: Arrays = {"rng": np.array(json.dumps(self.rng.bit_generator.state))}
        for i, network in enumerate([self.magnet, *self.pool]):
            weights = {name: tensor.cpu().numpy() for name, tensor in network.state_dict().items()}
            out |= named(f"network.{i}.", weights)
        for i, games in enumerate(self.parts):
            out |= named(f"games.{i}.", games.arrays(self.model.num_timesteps))
        return out

    def restore(self, arrays: Arrays) -> None:
        """Go on from there.

        Raises:
            ValueError, KeyError, RuntimeError: they are of another league.
        """
        self.rng.bit_generator.state = json.loads(str(arrays["rng"]))
        networks = part(arrays, "network.")
        numbers = sorted({int(name.partition(".")[0]) for name in networks})
        self.pool = [deepcopy(self.network) for _ in numbers[1:]]
        for i, network in zip(numbers, [self.magnet, *self.pool], strict=True):
            weights = part(networks, f"{i}.")
            network.load_state_dict({name: torch.from_numpy(array) for name, array in weights.items()})
        for i, games in enumerate(self.parts):
            games.restore(part(arrays, f"games.{i}."))


def network_of(name: str, like: TermsNetwork) -> TermsNetwork:
    """The network of a model's file, which has to be of the same terms and sizes as the policy's.

    Raises:
        ConfigError: it is not, or cannot be read.
    """
    policy = load_learner(model_file(name), "sb3_contrib:MaskablePPO").policy
    if isinstance(policy, TermsPolicy):
        network = policy.network
        if (network.tries, network.states) == (like.tries, like.states):
            return network
    raise ConfigError(f"league.fixed: {name} does not rest on the same terms of tries")


def judge(network: TermsNetwork, tries: Tries) -> tuple[LegalTries, Tensor]:
    """The distribution over tries, and values f4[B] as log odds."""
    rows = Rows.of(tries).to(network.score.weight.device)
    logits, odds = network(rows)
    return LegalTries(len(rows.state), rows.row, rows.actions, logits), odds


def _places(tries: Tries, rows: Numbers) -> Tensor:
    """Where the tries of these rows are among all, i8[T]."""
    first, counts = tries.offsets[rows], np.diff(tries.offsets)[rows]
    ends = np.cumsum(counts)
    return torch.from_numpy(np.repeat(first - ends + counts, counts) + np.arange(ends[-1]))
