"""Where a network learns, and that what it learns from follows it there.

No GPU is needed: the device "meta" keeps shapes alone, and refuses, as a GPU does, to be mixed with the
processor's memory.
"""

from typing import Any

import numpy as np
import pytest
import torch
from ks_arena.sections import ConfigError
from ks_train.learn import clone
from ks_train.learn.config import Experiment
from ks_train.learn.ppo import device_of, make_env, make_model
from ks_train.learn.rollout import judge
from ks_train.policy.terms import Rows
from torch.fx.experimental import _config

from ks_env.belief.terms import Tries, joined

ELSEWHERE = torch.device("meta")
SIZES = {"steps": 8, "batch_size": 16}


def config(device: str = "cpu", **env: Any) -> Experiment:
    return Experiment.model_validate(
        {
            "name": "device",
            "seed": 3,
            "budget": {"timesteps": 64},
            "device": device,
            "env": {"num_envs": 4} | env,
            "opponents": [{"opponent": "random"}],
            "learner": SIZES,
        }
    )


@pytest.mark.parametrize(
    ("asked", "there", "wanted"),
    [("auto", True, "cuda"), ("auto", False, "cpu"), ("cpu", True, "cpu"), ("cuda", True, "cuda")],
)
def test_a_gpu_is_used_where_there_is_one_and_it_is_wanted(
    monkeypatch: pytest.MonkeyPatch, asked: str, there: bool, wanted: str
) -> None:
    monkeypatch.setattr("torch.cuda.is_available", lambda: there)
    assert device_of(config(asked)) == wanted


def test_a_gpu_that_is_not_there_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("torch.cuda.is_available", lambda: False)
    with pytest.raises(ConfigError, match="finds no GPU; expected auto or cpu"):
        device_of(config("cuda"))


def tries_of_a_game() -> Tries:
    env: Any = make_env(config(terms="raw"), 0).unwrapped
    env.reset()
    return joined([env.engine.tries])


def test_the_two_kinds_of_memory_do_not_mix() -> None:
    tries, network = tries_of_a_game(), torch.nn.Linear(3, 2).to(ELSEWHERE)
    with pytest.raises(RuntimeError, match="device"):
        network(Rows.of(tries).state[:, :3])


@pytest.mark.parametrize("terms", ["raw", None])
def test_an_update_of_ppo_is_made_where_the_network_is(terms: str | None) -> None:
    settings = config(terms=terms)
    model = make_model(settings, make_env(settings, 0), None)
    _, callback = model._setup_learn(64)
    buffer: Any = model.rollout_buffer
    assert model.env is not None
    model.collect_rollouts(model.env, callback, buffer, settings.learner.steps)
    policy: Any = model.policy.to(ELSEWHERE)
    buffer.device = ELSEWHERE
    samples = next(buffer.get(16))
    assumed: Any = _config  # without values nobody knows which tries the masks allow
    with assumed.patch("meta_nonzero_assume_all_nonzero", True):
        values, log_probs, entropy = policy.evaluate_actions(
            samples.observations, samples.actions.flatten(), action_masks=samples.action_masks
        )
    ratio = torch.exp(log_probs - samples.old_log_prob)
    loss = (samples.advantages * ratio).mean() + (samples.returns - values.flatten()).square().mean()
    (loss - entropy.mean()).backward()
    torch.optim.Adam(policy.parameters()).step()
    devices = {each.grad.device for each in policy.parameters() if each.grad is not None}
    assert devices == {ELSEWHERE}


def test_cloning_and_the_league_judge_where_the_network_is() -> None:
    tries = tries_of_a_game()
    settings = config(terms="raw")
    policy: Any = make_model(settings, make_env(settings, 0), None).policy.to(ELSEWHERE)
    count = len(tries.state)
    labels = torch.from_numpy(tries.actions[tries.offsets[:-1]].astype(np.int64))
    data = clone.Decisions(tries, labels, torch.full((count,), 0.5), np.zeros(count, bool))
    found = clone.losses(policy, data, np.arange(count))
    found.sum().backward()
    chances, odds = judge(policy.network, tries)
    pull = chances.divergence(chances.log_probs.detach()).mean() + odds.mean()
    pull.backward()
    assert {found.device, pull.device, chances.log_probs.device} == {ELSEWHERE}
