"""PPO on terms of tries, in one file to copy and to change: environment, network, rollout, advantage, loss.

    python examples/ppo.py                          # 150 seconds of processor time; then 400 games each
    python examples/ppo.py --seconds 600 --width 128 --seed 3 --save policy.pt

Each try is described by numbers that say what it would do (`terms="raw"`: engineered knowledge, worked out
from what the seat knows). The network scores each try by its terms and by the terms of the state.
"""

import argparse
import time
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from ks_env import GameVectorEnv
from ks_env.belief.terms import Tries, joined, taken
from ks_env.core.actions import ACTIONS

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
for name, default, meaning in (
    ("seconds", 150.0, "of processor time for training"),
    ("opponents", "random*24,capture*40", "players, and how many games with each at once"),
    ("terms", "raw", "which terms describe the tries"),
    ("width", 64, "of the hidden layers"),
    ("rate", 2e-3, "learning rate at the start; a tenth of it at the end"),
    ("games", 400, "against each opponent at the end"),
    ("temperature", 0.3, "at which these are played"),
    ("seed", 1, "of everything"),
    ("save", "", "file for the network's weights"),
):
    parser.add_argument(f"--{name}", type=type(default), default=default, help=f"{meaning} [{default}]")
STEPS, BATCH, EPOCHS = 32, 512, 3  # tries of each game in a rollout, states in a minibatch, passes over it
GAE, CLIP, ENTROPY = 0.95, 0.2, 0.005  # the weight of the entropy goes down to 0

# ---------------------------------------------------------------- tries of many rows, one after another


class Rows:
    """Tries of B states as tensors: `row` i8[T], the state of each, and `action` i8[T]."""

    def __init__(self, tries: Tries) -> None:
        self.size = len(tries.state)
        self.row = torch.from_numpy(np.repeat(np.arange(self.size), np.diff(tries.offsets)))
        self.action = torch.from_numpy(tries.actions.astype(np.int64))
        self.terms, self.state = torch.from_numpy(tries.terms), torch.from_numpy(tries.state)

    def sum(self, values: Tensor) -> Tensor:
        """f4[B] of values f4[T]."""
        return values.new_zeros(self.size).index_add(0, self.row, values)

    def best(self, values: Tensor) -> Tensor:
        """The greatest of each row: f4[B, ...] of values f4[T, ...]."""
        index = self.row.view(-1, *(1 for _ in values.shape[1:])).expand_as(values)
        least = values.new_full((self.size, *values.shape[1:]), -torch.inf)
        return least.scatter_reduce(0, index, values, "amax")

    def log_softmax(self, logits: Tensor) -> Tensor:
        """Log-probabilities f4[T]."""
        top = self.best(logits.detach())
        return logits - (self.sum((logits - top[self.row]).exp()).log() + top)[self.row]

    def draw(self, log_probs: Tensor, temperature: float = 1.0) -> Tensor:
        """One action a row, i8[B]; the likeliest at temperature 0."""
        scores = log_probs / max(temperature, 1e-6)
        if temperature > 0:  # the greatest of logit + Gumbel noise is drawn by its probability
            scores = scores - torch.empty_like(scores).exponential_().log()
        table = torch.full((self.size, ACTIONS), -torch.inf)
        table[self.row, self.action] = scores
        return table.argmax(1)

    def of(self, log_probs: Tensor, actions: Tensor) -> Tensor:
        """The log-probabilities f4[B] of one action a row."""
        return self.sum(log_probs * (self.action == actions[self.row]))


# ---------------------------------------------------------------- network


class Network(nn.Module):
    """Scores of tries and values of states, from terms alone."""

    def __init__(self, tries: int, states: int, width: int) -> None:
        super().__init__()
        self.state = nn.Sequential(nn.Linear(states + 2 * tries, width), nn.ReLU())
        self.value = nn.Sequential(nn.Linear(width, 32), nn.ReLU(), nn.Linear(32, 1))
        self.of_state, self.of_try = nn.Linear(width, width), nn.Linear(tries, width)
        self.score, self.direct = nn.Linear(width, 1), nn.Linear(tries, 1, bias=False)
        for layer in (self.score, self.direct):
            nn.init.zeros_(layer.weight)

    def forward(self, rows: Rows) -> tuple[Tensor, Tensor]:
        """Logits f4[T] of tries; values f4[B], of which tanh(v / 2) is the expected return."""
        best, worst = rows.best(rows.terms), -rows.best(-rows.terms)
        state = self.state(torch.cat([rows.state, best, worst], 1))
        hidden = torch.relu(self.of_try(rows.terms) + self.of_state(state)[rows.row])
        logits = self.score(hidden) + self.direct(rows.terms)
        return logits[:, 0], self.value(state)[:, 0]


def make_env(rows: int, opponent: str, terms: str, **options: Any) -> GameVectorEnv:
    """Games whose tries come as they are, not padded."""
    return GameVectorEnv(
        rows, opponent, terms=terms, ragged_tries=True, copy=False, autoreset_mode="SameStep", **options
    )


def results_of(info: dict[str, Any]) -> dict[int, int]:
    """1 won, 0 drawn, -1 lost, by row, of the games that ended in this step."""
    ends = info.get("final_info", {})
    winners = {int(row): int(ends["winner"][row]) for row in np.flatnonzero(info.get("_final_info", ()))}
    return {row: 0 if who < 0 else 1 if who == ends["seat"][row] else -1 for row, who in winners.items()}


class Games:
    """Games against several opponents, stepped as one batch."""

    def __init__(self, opponents: str, seed: int, terms: str) -> None:
        parts = [part.rpartition("*") for part in opponents.split(",")]
        self.names = [name for name, _, _ in parts]
        self.cuts = np.cumsum([0, *(int(count) for _, _, count in parts)])
        self.envs = [make_env(int(count), name, terms, shaping="material") for name, _, count in parts]
        for i, env in enumerate(self.envs):
            env.reset(seed=seed + 10_000 * i)
        self.results: list[list[int]] = [[] for _ in self.envs]  # 1, 0, -1

    def tries(self) -> Tries:
        """What all learners may try, as a copy."""
        tries = joined([env.tries() for env in self.envs])
        return taken(tries, np.arange(len(tries.state)))

    def step(self, actions: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Rewards f4[N] and ends bool[N]."""
        rewards, ends = [], []
        for i, env in enumerate(self.envs):
            _, reward, ended, cut, info = env.step(actions[self.cuts[i] : self.cuts[i + 1]])
            rewards.append(reward.copy())
            ends.append(ended | cut)  # a game that is cut short, after 1,000 half-moves, counts as drawn
            self.results[i] += results_of(info).values()
        return np.concatenate(rewards), np.concatenate(ends)


# ---------------------------------------------------------------- training


def train(args: argparse.Namespace) -> Network:
    """PPO until the time is spent."""
    torch.manual_seed(args.seed)
    rng = np.random.default_rng(args.seed)
    games = Games(args.opponents, args.seed, args.terms)
    tries = games.tries()
    network = Network(tries.terms.shape[1], tries.state.shape[1], args.width)
    optimiser = torch.optim.Adam(network.parameters(), args.rate, eps=1e-5)
    begun, updates = time.process_time(), 0
    while (spent := (time.process_time() - begun) / args.seconds) < 1:
        for group in optimiser.param_groups:
            group["lr"] = args.rate * (1 - 0.9 * spent)

        # A rollout: every game is played for some tries.
        seen, actions, log_probs, values, rewards, ends = [], [], [], [], [], []
        for _ in range(STEPS):
            rows = Rows(tries)
            with torch.no_grad():
                logits, value = network(rows)
                all_log_probs = rows.log_softmax(logits)
                action = rows.draw(all_log_probs)
            reward, end = games.step(action.numpy())
            seen.append(tries)
            actions.append(action)
            log_probs.append(rows.of(all_log_probs, action))
            values.append(torch.tanh(value / 2).numpy())
            rewards.append(reward)
            ends.append(end)
            tries = games.tries()
        with torch.no_grad():
            values.append(torch.tanh(network(Rows(tries))[1] / 2).numpy())

        # Generalised advantages, without a discount: a refused try costs nothing.
        advantages = np.zeros((STEPS, len(reward)), np.float32)
        following = np.zeros(len(reward), np.float32)
        for t in reversed(range(STEPS)):
            goes_on = ~ends[t]
            error = rewards[t] + goes_on * values[t + 1] - values[t]
            following = advantages[t] = error + GAE * goes_on * following
        returns = torch.from_numpy((advantages + np.stack(values[:-1])).ravel())
        advantage = torch.from_numpy(((advantages - advantages.mean()) / (advantages.std() + 1e-8)).ravel())
        action, old = torch.cat(actions), torch.cat(log_probs)
        rollout = joined(seen)

        # The update: some passes over the rollout.
        for _ in range(EPOCHS):
            for chosen in np.array_split(rng.permutation(len(action)), max(1, len(action) // BATCH)):
                rows = Rows(taken(rollout, chosen))
                logits, value = network(rows)
                all_log_probs = rows.log_softmax(logits)
                ratio = (rows.of(all_log_probs, action[chosen]) - old[chosen]).exp()
                gain, clipped = advantage[chosen], ratio.clamp(1 - CLIP, 1 + CLIP)
                policy_loss = -torch.min(ratio * gain, clipped * gain).mean()
                value_loss = (torch.tanh(value / 2) - returns[chosen]).square().mean()
                entropy = -rows.sum(all_log_probs.exp() * all_log_probs).mean()
                loss = policy_loss + 0.5 * value_loss - ENTROPY * (1 - spent) * entropy
                optimiser.zero_grad()
                loss.backward()
                nn.utils.clip_grad_norm_(network.parameters(), 0.5)
                optimiser.step()

        updates += 1
        if updates % 20 == 0:
            seconds = time.process_time() - begun
            rate = updates * STEPS * len(reward) / seconds
            print(f"{seconds:5.0f} s  {rate:,.0f} tries/s  entropy {entropy.item():.2f}  wins", end="")
            for name, results in zip(games.names, games.results, strict=True):
                print(f"  {name} {np.mean(np.array(results[-200:]) > 0):.0%}", end="")
            print(flush=True)
    return network


@torch.no_grad()
def evaluate(network: Network, opponent: str, args: argparse.Namespace) -> None:
    """Play games, half with each colour; as many in each row, so that short games count no more than long."""
    results: list[int] = []
    for seat in ("white", "black"):
        half = max(1, args.games // 2)
        left = np.diff(np.linspace(0, half, min(100, half) + 1).astype(int))
        env = make_env(len(left), opponent, args.terms, seat=seat)
        env.reset(seed=1_000_000 + args.seed)
        while left.any():
            tries = Rows(env.tries())
            *_, info = env.step(tries.draw(tries.log_softmax(network(tries)[0]), args.temperature).numpy())
            for row, result in results_of(info).items():
                if left[row]:
                    left[row] -= 1
                    results.append(result)
    n, wins, losses = len(results), results.count(1), results.count(-1)
    spread = 1.96 * (wins / n * (1 - wins / n) / n) ** 0.5
    print(
        f"{opponent}: won {wins / n:.1%} ± {spread:.1%}: {wins} won, {n - wins - losses} drawn, {losses} lost"
    )


if __name__ == "__main__":
    args = parser.parse_args()
    torch.set_num_threads(1)
    network = train(args)
    for part in args.opponents.split(","):
        evaluate(network, part.rpartition("*")[0], args)
    if args.save:
        torch.save(network.state_dict(), args.save)
