"""The policy over terms: its distribution, its buffer, a run that is stopped, and its play."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from ks_arena.sections import ConfigError, dump_section
from ks_train.judge.evaluate import ModelPlayer, load_model
from ks_train.learn import ppo
from ks_train.learn import run as training
from ks_train.learn.config import Experiment
from ks_train.policy.terms import Rows, TermsPolicy, TriesBuffer
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.distributions import MaskableCategorical
from stable_baselines3.common.utils import obs_as_tensor

from ks_env.core.ruleset import ICC
from ks_env.envs.sb3 import GameVecEnv
from ks_env.games import kriegspiel
from ks_env.players.registry import make_player

CPU = torch.device("cpu")


def shaken(policy: TermsPolicy) -> TermsPolicy:
    """Away from the zeros it begins with."""
    torch.manual_seed(3)
    with torch.no_grad():
        for parameter in policy.parameters():
            parameter.add_(0.3 * torch.randn_like(parameter))
    return policy


@pytest.fixture(scope="module")
def env() -> GameVecEnv:
    return GameVecEnv(6, "random", ruleset="english", terms="raw", seed=1)


@pytest.fixture(scope="module")
def model(env: GameVecEnv) -> MaskablePPO:
    sizes = {"width": 16, "value_hidden": 8}
    settings: Any = {"n_steps": 8, "batch_size": 16, "n_epochs": 1, "rollout_buffer_class": TriesBuffer}
    model = MaskablePPO(TermsPolicy, env, policy_kwargs=sizes, device="cpu", **settings)
    assert isinstance(model.policy, TermsPolicy)
    shaken(model.policy)
    return model


@pytest.fixture(scope="module")
def seen(env: GameVecEnv) -> tuple[dict[str, torch.Tensor], np.ndarray]:
    observations = env.reset()
    random = np.random.default_rng(5)
    for _ in range(30):
        observations, *_ = env.step(
            np.array([random.choice(np.flatnonzero(mask)) for mask in env.action_masks()])
        )
    tensors: Any = obs_as_tensor({key: array.copy() for key, array in observations.items()}, CPU)
    return tensors, np.array(env.action_masks())


def policy_of(model: MaskablePPO) -> TermsPolicy:
    assert isinstance(model.policy, TermsPolicy)
    return model.policy


def test_padding_changes_nothing(
    model: MaskablePPO, env: GameVecEnv, seen: tuple[dict[str, torch.Tensor], np.ndarray]
) -> None:
    ragged = Rows.of(env.engine.tries)
    logits, odds = policy_of(model).network(ragged)
    others, other_odds = policy_of(model).network(Rows.unpadded(seen[0]))
    torch.testing.assert_close(logits, others)
    torch.testing.assert_close(odds, other_odds)


def test_the_distribution_is_the_librarys(
    model: MaskablePPO, seen: tuple[dict[str, torch.Tensor], np.ndarray]
) -> None:
    observations, masks = seen
    tries, values = policy_of(model).judge(Rows.unpadded(observations))
    dense = torch.zeros(masks.shape)
    dense[tries.rows, tries.actions] = tries.log_probs.detach()
    theirs: Any = MaskableCategorical(logits=dense, masks=torch.from_numpy(masks))
    chosen = torch.from_numpy(masks).float().multinomial(1).flatten()
    torch.testing.assert_close(tries.log_prob(chosen), theirs.log_prob(chosen))
    torch.testing.assert_close(tries.entropy(), theirs.entropy())
    assert values.shape == (6, 1)
    assert values.abs().max() <= 1
    distribution: Any = policy_of(model).get_distribution(observations, masks)
    torch.testing.assert_close(distribution.log_prob(chosen), theirs.log_prob(chosen))


def test_a_row_without_tries_has_a_value(model: MaskablePPO, env: GameVecEnv) -> None:
    ended = {key: array[:1].copy() for key, array in env.reset().items()}
    ended["tries"][:], ended["terms"][:] = -1, 0
    tensors: Any = obs_as_tensor(ended, CPU)
    assert torch.isfinite(policy_of(model).predict_values(tensors)).all()


def test_the_buffer_gives_back_what_was_tried(model: MaskablePPO, monkeypatch: pytest.MonkeyPatch) -> None:
    """Before the first step of an update, every try has the probability that it was drawn with."""
    policy = policy_of(model)
    first: list[Any] = []

    def evaluate(obs: Any, actions: torch.Tensor, action_masks: Any = None) -> Any:
        found = TermsPolicy.evaluate_actions(policy, obs, actions, action_masks)
        first.append((obs.state, actions, found[1].detach()))
        return found

    monkeypatch.setattr(policy, "evaluate_actions", evaluate)
    model.learn(48)
    (sample,) = model.rollout_buffer.get(48)
    rows: Any = sample.observations
    chosen = sample.actions.long().flatten().tolist()
    keys = [(state.numpy().tobytes(), action) for state, action in zip(rows.state, chosen, strict=True)]
    drawn = dict(zip(keys, sample.old_log_prob.tolist(), strict=True))
    for state, action, log_prob in zip(*first[0], strict=True):
        assert drawn[state.numpy().tobytes(), int(action)] == pytest.approx(float(log_prob), abs=1e-5)


def test_planes_alone_are_refused() -> None:
    with pytest.raises(ValueError, match='make the environment with terms="raw"'):
        MaskablePPO(TermsPolicy, GameVecEnv(1), device="cpu")


SMALL: dict[str, Any] = {
    "name": "small",
    "torch_threads": 1,
    "env": {"num_envs": 4, "terms": "raw", "shaping": "material", "ruleset_options": {"max_plies": 40}},
    "opponents": [{"opponent": "random", "share": 0.5}, {"opponent": "capture", "share": 0.5}],
    "learner": {"steps": 16, "batch_size": 32, "epochs": 1, "learning_rate": 0.01},
    "network": {"width": 8, "value_hidden": 8},
    "budget": {"timesteps": 640},
    "evaluation": {"games": 2, "temperature": 0.5},
    "checkpoints": {"every": 128, "keep": 2},
}


def weights(folder: Path) -> dict[str, torch.Tensor]:
    learner, *_ = load_model(folder)
    return dict(learner.policy.state_dict())


def test_a_run_that_was_stopped_ends_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = Experiment.model_validate(SMALL | {"folder": str(tmp_path / "whole")})
    training.train(whole)
    stopped = Experiment.model_validate(SMALL | {"folder": str(tmp_path / "stopped")})
    updates = training.row_of

    def stop(*arguments: Any) -> Any:
        if len(arguments[2].history) == 6:
            raise KeyboardInterrupt
        return updates(*arguments)

    with monkeypatch.context() as patch:
        patch.setattr(training, "row_of", stop)
        with pytest.raises(KeyboardInterrupt):
            training.train(stopped)
    training.train(stopped)
    one, other = weights(tmp_path / "whole"), weights(tmp_path / "stopped")
    assert all(torch.equal(one[name], other[name]) for name in one)


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An untrained model of terms with its config, as a run leaves them."""
    folder = tmp_path_factory.mktemp("run")
    config = Experiment.model_validate(SMALL)
    model = ppo.make_model(config, ppo.make_env(config, 0), folder)
    assert isinstance(model.policy, TermsPolicy)
    shaken(model.policy)
    model.save(folder / "model.zip")
    (folder / "config.yaml").write_text(dump_section(config))
    return folder


def test_it_plays_as_it_is_judged(run: Path) -> None:
    """The player, one position at a time, likes best what the vector environment's player does."""
    learner, *_ = load_model(run)
    env = GameVecEnv(1, "random", seat="white", terms="raw", seed=4)
    judged, player = ModelPlayer(learner, 0.0, 1), make_player(f"model:file={run},temperature=0")
    observations = env.reset()
    player.begin(kriegspiel.opening(True, ICC))
    for _ in range(40):
        expected = int(judged.choose(observations, np.array(env.action_masks()))[0])
        assert player.choose(env.engine.batch.games["views"][0, 0]) == expected
        observations, _, done, _ = env.step(np.array([expected]))
        if done[0]:
            break


def test_a_model_of_terms_needs_its_config(run: Path, tmp_path: Path) -> None:
    (tmp_path / "model.zip").write_bytes((run / "model.zip").read_bytes())
    with pytest.raises(ConfigError, match=r"expected the config\.yaml of its run beside it"):
        make_player(f"model:file={tmp_path / 'model.zip'}")


def test_unknown_terms_are_named() -> None:
    with pytest.raises(ValueError, match="unknown terms 'row'; expected one of"):
        Experiment.model_validate(SMALL | {"env": {"terms": "row"}})


def test_the_engine_gives_the_tries_of_all_rows(env: GameVecEnv) -> None:
    env.reset()
    tries = env.engine.tries
    rows, actions = np.nonzero(env.action_masks())
    assert np.array_equal(tries.actions, actions)
    assert np.array_equal(np.repeat(np.arange(6), np.diff(tries.offsets)), rows)
