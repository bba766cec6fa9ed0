"""The games of a league: who plays at them, and what a policy can learn from some tries of each."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import torch
from ks_arena.match.result import reason_name
from torch import Tensor

from ks_env.belief.terms import Tries, joined, taken
from ks_env.envs.vector import GameVectorEnv, SelfPlayVectorEnv
from ks_train.data.starts import quiet_starts
from ks_train.learn.checkpoint import Arrays, named, part
from ks_train.learn.config import Experiment
from ks_train.learn.episodes import Episode
from ks_train.policy.legal import LegalTries
from ks_train.policy.terms import Rows, TermsNetwork

LEARNER = -1  # who moves: the policy that learns; else the number of a past self
Floats = npt.NDArray[np.float32]
Numbers = npt.NDArray[np.int64]


class Answer(NamedTuple):
    """What a step brought to the seats of some games, each of which is a stream of tries.

    Attributes:
        rewards: f4[S].
        ends: bool[S]; a game cut short is one that ended.
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
        self.env = SelfPlayVectorEnv(rows, **_options(config, starts))
        self.env.reset(seed=seed)
        self.streams = 2 * rows
        self.who = np.full((rows, 2), LEARNER)
        self._past = past

    def begin(self, pool: int, rng: np.random.Generator) -> None:
        """Draw who plays the first games, with so many past selves to choose from."""
        self.draw_seats(np.arange(len(self.who)), pool, rng)

    def draw_seats(self, rows: Numbers, pool: int, rng: np.random.Generator) -> None:
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
        self.draw_seats(rows, pool, rng)
        return Answer(self.env.engine.buffers.rewards.ravel().copy(), np.repeat(done, 2), episodes)

    def arrays(self, tries: int) -> Arrays:
        """What later steps depend on, after so many tries of the policy."""
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
        self.env = GameVectorEnv(rows, player, **_options(config, starts))
        self.env.reset(seed=seed)
        self.streams = rows
        self._seed = seed

    def begin(self, pool: int, rng: np.random.Generator) -> None:
        """Nothing to draw: the opponent is always the same."""

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
        """See `SelfPlay.arrays`; players that are not compiled start over, seeded by the tries."""
        if self.env.engine.opponent is None:
            return self.env.engine.get_state()
        seed = self._seed + tries
        self.env.reset(seed=seed)
        return {"seed": np.array(seed)}

    def restore(self, arrays: Arrays) -> None:
        """See `SelfPlay.restore`."""
        if "seed" in arrays:
            self.env.reset(seed=int(arrays["seed"]))
        else:
            self.env.engine.set_state(arrays)


def _options(config: Experiment, starts: list[str]) -> dict[str, Any]:
    own = {"threads": config.env.threads, "start": starts, "ragged_tries": True, "copy": False}
    return config.env.options() | own | {"autoreset_mode": "SameStep"}


def _episode(ends: dict[str, Any], row: int, seat: int) -> Episode:
    """The game of a row as one seat sees it; its length is that of both seats."""
    winner = int(ends["winner"][row])
    result = 0 if winner < 0 else 1 if winner == seat else -1
    tries = int(np.sum(ends["tries"][row]))
    return Episode(result, reason_name(int(ends["reason"][row])), float(result), tries)


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
    """What is learnt from in one update, B tries of the policy; tensors on the processor.

    Attributes:
        tries: what it could choose from.
        actions: i8[B].
        log_probs: f4[B], of the actions.
        advantages: f4[B].
        returns: f4[B], from -1 to 1.
        values: f4[B], as predicted.
    """

    tries: Tries
    actions: Tensor
    log_probs: Tensor
    advantages: Tensor
    returns: Tensor
    values: Floats


class LeagueGames:
    """Some of a league's games, and the networks that play at them.

    Args:
        config: an experiment with a `league`.
        rows: how many games.
        number: which of several such; each plays other games.
        rng: draws who plays; shared with the caller.

    Attributes:
        network: the policy that learns.
        pool: past selves.
    """

    network: TermsNetwork
    pool: Sequence[TermsNetwork] = ()

    def __init__(self, config: Experiment, rows: int, number: int, rng: np.random.Generator) -> None:
        assert config.league is not None
        self.config, self.settings, self.rng = config, config.league, rng
        shares, seed, starts = self.settings.divided(rows), config.seed + 10_000_000 * number, _starts(config)
        self.parts: list[SelfPlay | Against] = []
        if own := shares.itself + shares.past:
            self.parts.append(SelfPlay(config, own, shares.past, starts, seed))
        for i, (player, count) in enumerate(shares.players.items(), 1):
            self.parts.append(Against(config, count, player, starts, seed + 100_000 * i))
        self._offsets = np.cumsum([0, *(games.streams for games in self.parts)])
        self.streams = int(self._offsets[-1])
        self._begun = False

    def set_networks(self, network: TermsNetwork, pool: Sequence[TermsNetwork]) -> None:
        """Let these networks play; who sits where is drawn when games begin."""
        self.network, self.pool = network, pool
        for games in () if self._begun else self.parts:
            games.begin(len(pool), self.rng)
        self._begun = True

    def play(self) -> tuple[Rollout, list[Episode]]:
        """Play every game for `learner.steps` tries."""
        moves: list[Moves] = []
        answers: list[tuple[Floats, npt.NDArray[np.bool_]]] = []
        episodes: list[Episode] = []
        for _ in range(self.config.learner.steps):
            move, actions = self._choose()
            moves.append(move)
            rewards, ends, begun = [], [], 0
            for games in self.parts:
                own = actions[begun : begun + games.env.num_envs]
                answer = games.step(own, len(self.pool), self.rng)
                begun += len(own)
                drawn = answer.ends & (answer.rewards == 0)
                rewards.append(np.where(drawn, np.float32(self.settings.draw), answer.rewards))
                ends.append(answer.ends)
                episodes += answer.episodes
            answers.append((np.concatenate(rewards), np.concatenate(ends)))
        last, _ = self._choose()
        return self._rollout(moves, answers, last), episodes

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
        log_probs = chances.log_prob(action).cpu()
        return Moves(mine, streams[rows], action.cpu(), log_probs, values), actions

    def _rollout(
        self, moves: list[Moves], answers: list[tuple[Floats, npt.NDArray[np.bool_]]], last: Moves
    ) -> Rollout:
        """Generalised advantages by stream; one that moves no more is bootstrapped from its last value."""
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
            torch.from_numpy(advantages),
            torch.from_numpy(np.clip(advantages + values, -1, 1)),
            values,
        )

    def arrays(self, tries: int) -> Arrays:
        """What later steps depend on, but the networks and the generator."""
        out: Arrays = {}
        for i, games in enumerate(self.parts):
            out |= named(f"{i}.", games.arrays(tries))
        return out

    def restore(self, arrays: Arrays) -> None:
        """Go on from there."""
        self._begun = True
        for i, games in enumerate(self.parts):
            games.restore(part(arrays, f"{i}."))


def _starts(config: Experiment) -> list[str]:
    assert config.league is not None
    if config.env.start:
        return list(config.env.start)
    rng = np.random.default_rng([config.seed, 2])
    return quiet_starts(rng, config.league.starts, config.league.quiet_plies)


def merged(rollouts: Sequence[Rollout]) -> Rollout:
    """Several rollouts as one."""
    if len(rollouts) == 1:
        return rollouts[0]
    tries, *tensors, values = zip(*rollouts, strict=True)
    return Rollout._make([joined(tries), *map(torch.cat, tensors), np.concatenate(values)])


def judge(network: TermsNetwork, tries: Tries) -> tuple[LegalTries, Tensor]:
    """The distribution over tries, and values f4[B] as log odds."""
    rows = Rows.of(tries).to(network.score.weight.device)
    logits, odds = network(rows)
    return LegalTries(len(rows.state), rows.row, rows.actions, logits), odds
