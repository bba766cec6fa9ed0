from typing import Any

import numpy as np
import pytest
import torch
from gymnasium import spaces
from ks_train.policy.legal import LegalTries
from ks_train.policy.network import BoardPolicy, ByteMaskBuffer
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.distributions import MaskableCategorical

from ks_env.core.actions import ACTIONS
from ks_env.core.tables import ANY
from ks_env.envs.sb3 import GameVecEnv

SIZES = {"channels": 8, "layers": 2, "embedding": 4, "value_hidden": 8}


@pytest.fixture(scope="module")
def env() -> GameVecEnv:
    return GameVecEnv(6, "random", ruleset="english", seed=1)


def planes_of(env: GameVecEnv) -> spaces.Box:
    assert isinstance(env.observation_space, spaces.Box)
    return env.observation_space


def new_policy(env: GameVecEnv, **sizes: int) -> BoardPolicy:
    assert isinstance(env.action_space, spaces.Discrete)
    return BoardPolicy(planes_of(env), env.action_space, lambda _: 1e-3, **sizes)


@pytest.fixture(scope="module")
def policy(env: GameVecEnv) -> BoardPolicy:
    torch.manual_seed(3)
    policy = new_policy(env, **SIZES)
    with torch.no_grad():  # away from the zeros it begins with
        for parameter in policy.parameters():
            parameter.add_(0.1 * torch.randn_like(parameter))
    return policy


@pytest.fixture(scope="module")
def batch(env: GameVecEnv) -> tuple[torch.Tensor, torch.Tensor]:
    observations: Any = env.reset()
    random = np.random.default_rng(5)
    for _ in range(30):
        actions = [random.choice(np.flatnonzero(mask)) for mask in env.action_masks()]
        observations = env.step(np.array(actions))[0]
    masks = np.array(env.action_masks())
    masks[:, ANY] = [1, 0, 1, 0, 1, 0]
    return torch.from_numpy(observations.copy()), torch.from_numpy(masks)


def test_packed_logits_are_the_dense_ones(
    policy: BoardPolicy, batch: tuple[torch.Tensor, torch.Tensor]
) -> None:
    observations, masks = batch
    features = policy.features(observations)
    rows, actions = masks.nonzero(as_tuple=True)
    packed = policy.action_net.legal(features, rows, actions)
    dense = policy.action_net(features)
    assert dense.shape == (len(masks), ACTIONS)
    torch.testing.assert_close(packed, dense[rows, actions])


def test_legal_tries_agree_with_the_library(
    policy: BoardPolicy, batch: tuple[torch.Tensor, torch.Tensor]
) -> None:
    observations, masks = batch
    features = policy.features(observations).detach()
    rows, actions = masks.nonzero(as_tuple=True)
    mine = LegalTries(len(masks), rows, actions, policy.action_net.legal(features, rows, actions))
    theirs: Any = MaskableCategorical(logits=policy.action_net(features), masks=masks)
    chosen = masks.float().multinomial(1).flatten()
    torch.testing.assert_close(mine.log_prob(chosen), theirs.log_prob(chosen))
    torch.testing.assert_close(mine.entropy(), theirs.entropy())

    gradients = []
    for each in (mine, theirs):
        policy.zero_grad()
        (each.log_prob(chosen).sum() + 0.3 * each.entropy().sum()).backward()
        gradients.append([p.grad.clone() for p in policy.action_net.parameters() if p.grad is not None])
    for one, other in zip(*gradients, strict=True):
        torch.testing.assert_close(one, other, rtol=1e-3, atol=1e-5)


def test_draws_have_the_probabilities(policy: BoardPolicy, batch: tuple[torch.Tensor, torch.Tensor]) -> None:
    observations, masks = batch
    with torch.no_grad():
        tries = policy.tries(observations[:1].repeat(4000, 1, 1, 1), masks[:1].repeat(4000, 1))
    torch.manual_seed(1)
    counts = torch.bincount(tries.sample(), minlength=ACTIONS) / 4000
    assert not counts[masks[0] == 0].any()
    of_first = tries.rows == 0
    wanted = torch.zeros(ACTIONS).index_put((tries.actions[of_first],), tries.log_probs[of_first].exp())
    assert (counts - wanted).abs().max() < 0.03
    assert tries.best(tries.log_probs)[0] == wanted.argmax()


def test_a_new_policy_is_nearly_uniform(env: GameVecEnv, batch: tuple[torch.Tensor, torch.Tensor]) -> None:
    torch.manual_seed(1)
    fresh = new_policy(env)
    observations, masks = batch
    with torch.no_grad():
        entropy = fresh.tries(observations, masks).entropy()
    assert (entropy > 0.8 * masks.sum(1).float().log()).all()


def test_the_library_can_learn_predict_save_and_load(env: GameVecEnv, tmp_path: object) -> None:
    model = MaskablePPO(
        BoardPolicy,
        env,
        n_steps=4,
        batch_size=8,
        n_epochs=1,
        rollout_buffer_class=ByteMaskBuffer,
        policy_kwargs=SIZES,
        device="cpu",
    )
    model.learn(24)
    assert model.rollout_buffer.action_masks.dtype == np.bool_
    observations = env.reset()
    model.save(f"{tmp_path}/model.zip")
    again = MaskablePPO.load(f"{tmp_path}/model.zip", device="cpu")
    for masks in (None, env.action_masks()):
        actions = model.predict(observations, action_masks=masks, deterministic=True)[0]
        np.testing.assert_array_equal(
            actions, again.predict(observations, action_masks=masks, deterministic=True)[0]
        )
        if masks is not None:
            assert masks[np.arange(len(actions)), actions].all()


def test_another_action_space_is_refused(env: GameVecEnv) -> None:
    with pytest.raises(ValueError, match=r"expected the action space Discrete\(1859\)"):
        BoardPolicy(planes_of(env), spaces.Discrete(4672), lambda _: 1e-3)
