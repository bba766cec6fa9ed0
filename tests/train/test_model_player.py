"""A trained model in a seat: what it sees and draws, files of other kinds, and damaged ones."""

import random
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

import chess
import numpy as np
import pytest
import torch
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from ks_arena.sections import ConfigError
from ks_train.judge.evaluate import play_names
from ks_train.learn.config import Environment
from ks_train.policy import files as model_network
from ks_train.policy.files import load_network
from ks_train.policy.player import NetworkPlayer
from sb3_contrib import MaskablePPO
from stable_baselines3 import DQN, PPO

from ks_env.belief import encoders
from ks_env.belief.inputs import base_planes
from ks_env.core.ruleset import RULESETS
from ks_env.envs.sb3 import GameVecEnv, PlanesExtractor
from ks_env.envs.solo import GameEnv
from ks_env.games import kriegspiel
from ks_env.games.kriegspiel import KRIEGSPIEL
from ks_env.games.kriegspiel.game import Game
from ks_env.games.opening import Opening
from ks_env.players import CountsWork, Player, make_player
from ks_env.players.protocol import View
from tests.envs.test_encoders import OwnMen
from tests.train.models import save_run

SMALL = {"features_extractor_class": PlanesExtractor, "net_arch": [4]}
PPO_SIZES: dict[str, Any] = {"n_steps": 4, "batch_size": 4, "device": "cpu"}


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_run(tmp_path_factory.mktemp("runs") / "tiny")


def model(file: Path, **parameters: Any) -> NetworkPlayer:
    text = "".join(f",{key}={value}" for key, value in parameters.items())
    player = make_player(f"model:file={file}{text}")
    assert isinstance(player, NetworkPlayer)
    return player


def played(player: Player, tries: int, seed: int = 1, ruleset: str = "icc") -> list[int]:
    """The tries of a player that has both seats."""
    game = Game(RULESETS[ruleset])
    player.begin(kriegspiel.opening(True, game.ruleset, chess.STARTING_FEN, seed))
    actions: list[int] = []
    while len(actions) < tries and game.to_play is not None:
        actions.append(player.choose(game.view(game.to_play)))
        game.ask(actions[-1])
    return actions


def views(number: int, seed: int = 3, ruleset: str = "icc") -> list[tuple[View, np.ndarray]]:
    """What seats see in a game of random tries, with their informed masks."""
    game, rng = Game(RULESETS[ruleset]), np.random.default_rng(seed)
    seen: list[tuple[View, np.ndarray]] = []
    while len(seen) < number and game.to_play is not None:
        mask = game.mask(game.to_play)
        seen.append((game.view(game.to_play), mask))
        game.ask(int(rng.choice(np.flatnonzero(mask))))
    return seen


def test_it_is_a_player_that_counts_its_work(run: Path) -> None:
    player = model(run)
    assert isinstance(player, CountsWork)
    assert (player.name, player.compiled) == (f"model:{run}", False)
    assert model(run / "model.zip", temperature=2).name == f"model:{run / 'model.zip'},temperature=2"
    assert len(played(player, 9)) == player.nodes == 9
    player.begin(kriegspiel.opening(True, seed=1))
    assert player.nodes == 0


def test_the_seed_fixes_the_tries(run: Path) -> None:
    first = played(model(run), 40)
    assert first == played(model(run), 40)
    assert first != played(model(run), 40, seed=2)


def test_the_tries_hang_neither_on_threads_nor_on_games_played_before(run: Path) -> None:
    used = model(run)
    fresh = played(model(run), 30)
    played(used, 7, seed=5)
    torch.set_num_threads(2)
    try:
        assert played(used, 30) == fresh
        assert torch.get_num_threads() == 2
    finally:
        torch.set_num_threads(1)


@pytest.mark.parametrize("ruleset", ["icc", "berkeley-any"])
def test_temperature_zero_takes_what_the_learner_thinks_likeliest(run: Path, ruleset: str) -> None:
    learner, player = MaskablePPO.load(run / "model.zip"), model(run, temperature=0)
    player.begin(kriegspiel.opening(True, RULESETS[ruleset], seed=1))
    for view, mask in views(30, ruleset=ruleset):
        expected, _ = learner.predict(base_planes(KRIEGSPIEL, view), action_masks=mask, deterministic=True)
        assert player.choose(view) == int(expected)


def test_tries_are_drawn_as_often_as_the_policy_says(run: Path) -> None:
    player, (view, mask) = model(run, temperature=1), views(1)[0]
    tries = np.flatnonzero(mask)
    player.begin(kriegspiel.opening(True, seed=1))
    drawn = np.bincount([player.choose(view) for _ in range(3000)], minlength=1859)
    assert drawn[mask == 0].sum() == 0
    policy: Any = MaskablePPO.load(run / "model.zip").policy
    seen = torch.from_numpy(base_planes(KRIEGSPIEL, view)[None])
    with torch.no_grad():
        chances = policy.tries(seen, torch.from_numpy(mask[None])).log_probs.exp().double().numpy()
    expected = 3000 * chances
    chi_squared = ((drawn[tries] - expected) ** 2 / expected).sum()
    assert chi_squared < len(tries) - 1 + 4 * np.sqrt(2 * (len(tries) - 1))


def test_temperature_is_the_runs_own_by_default(run: Path, tmp_path: Path) -> None:
    assert played(model(run), 30) == played(model(run, temperature=0.5), 30)
    hot = save_run(tmp_path / "hot", temperature=9.0)
    assert played(model(hot), 30) == played(model(run, temperature=9.0), 30)
    (hot / "config.yaml").unlink()
    assert played(model(hot), 30) == played(model(run, temperature=1), 30)


def test_a_tiny_temperature_is_next_to_zero(run: Path) -> None:
    assert played(model(run, temperature=1e-300), 25) == played(model(run, temperature=0), 25)


@pytest.mark.parametrize("temperature", [-0.1, "nan", "1e999", "warm", True])
def test_temperatures_that_divide_nothing_are_refused(run: Path, temperature: Any) -> None:
    with pytest.raises(ValueError, match="expected 0 or a positive number"):
        model(run, temperature=temperature)


def test_the_mask_is_that_of_the_training(tmp_path: Path) -> None:
    """An own-board player tries pawn captures though none was announced; an informed one does not."""
    seen = {}
    for mask in ("own-board", "informed"):
        player = model(save_run(tmp_path / mask, {"mask": mask}), temperature=1000)
        player.begin(kriegspiel.opening(True, seed=1))
        view = Game().view(chess.WHITE)
        seen[mask] = {player.choose(view) for _ in range(800)}
    informed = set(np.flatnonzero(Game().mask(chess.WHITE)).tolist())
    assert seen["informed"] <= informed
    assert seen["own-board"] - informed


def test_an_encoders_planes_follow_the_base_planes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    entry = EntryPoint("own-men", "tests.envs.test_encoders:OwnMen", encoders.GROUP)
    monkeypatch.setattr(encoders, "entry_points", lambda group: [entry] if group == encoders.GROUP else [])
    monkeypatch.setattr(EntryPoint, "load", lambda self: OwnMen)
    folder = save_run(tmp_path / "encoded", {"encoder": "own-men"})
    network = load_network(str(folder), "sb3_contrib:MaskablePPO")
    player = NetworkPlayer("encoded", network, 0)
    player.begin(kriegspiel.opening(True, seed=1))
    learner = MaskablePPO.load(folder / "model.zip")
    env = GameVecEnv(4, encoder="own-men", seed=2)
    planes, masks = env.reset(), env.action_masks().copy()
    likeliest, _ = learner.predict(planes, action_masks=masks, deterministic=True)
    for row in range(4):
        view = env.engine.batch.games["views"][row, env.engine.batch.seats[row]]
        assert player.choose(view.copy()) == likeliest[row]
    (folder / "config.yaml").unlink()
    with pytest.raises(ConfigError, match=r"was trained on uint8\[41, 8, 8\]; expected planes uint8\[39, "):
        load_network(str(folder), "sb3_contrib:MaskablePPO")


def test_an_encoder_with_a_memory_is_followed_through_the_game(tmp_path: Path) -> None:
    """The player is shown what the environment shows the learner, so both choose alike."""
    folder = save_run(tmp_path / "memory", {"encoder": "metaposition"})
    learner, player = MaskablePPO.load(folder / "model.zip"), model(folder, temperature=0)
    env = GameEnv("capture", encoder="metaposition", seat="black", ruleset_options={"max_plies": 40})
    for seed in (1, 2):
        seen, _ = env.reset(seed=seed)
        player.begin(kriegspiel.opening(False, RULESETS["icc"], chess.STARTING_FEN, 1))
        over = False
        while not over:
            likeliest, _ = learner.predict(
                seen["observation"], action_masks=seen["action_mask"], deterministic=True
            )
            assert player.choose(env.engine.batch.games["views"][0, 1].copy()) == int(likeliest)
            seen, _, terminated, truncated, _ = env.step(np.int64(likeliest))
            over = terminated or truncated


def test_a_memory_begins_with_the_declared_placements(tmp_path: Path) -> None:
    folder = save_run(tmp_path / "memory", {"encoder": "metaposition"})
    player = model(folder)
    starts = ("8/8/8/3k4/8/8/8/KR6 w - - 0 1", "8/8/8/8/5k2/8/8/KR6 w - - 0 1")
    with pytest.raises(ValueError, match="which begins with the start positions; none is given"):
        player.begin(Opening.of(Game(fen=starts[0], hidden_start=True), True, 1))
    env = Environment(ruleset_options={"max_plies": 30}, start=starts, hidden_start=True)
    series = play_names(f"model:file={folder}", "random", 4, 1, env)
    assert "forfeit" not in series.reasons()
    alone = GameEnv(f"model:file={folder}", seat="black", start=starts, hidden_start=True)
    alone.reset(seed=1)
    assert alone.engine.batch.games[0]["truth"]["plies"] == 1


# -- in games ------------------------------------------------------------------------------------------------


def test_it_plays_whole_games_by_name(run: Path) -> None:
    env = Environment(ruleset_options={"max_plies": 60})
    series = play_names(f"model:file={run}", "random", 4, 1, env)
    assert series == play_names(f"model:file={run}", "random", 4, 1, env)


def test_it_is_an_opponent_in_every_environment(run: Path) -> None:
    env = GameEnv(f"model:file={run}", seat="black", ruleset="cincinnati")
    env.reset(seed=4)
    assert env.engine.batch.games[0]["truth"]["plies"] == 1


# -- models of other makers ----------------------------------------------------------------------------------


@pytest.mark.parametrize("algorithm", ["sb3_contrib:MaskablePPO", "stable_baselines3:PPO"])
@pytest.mark.parametrize("space", ["planes", "dictionary"])
def test_any_policy_with_a_distribution_plays(algorithm: str, space: str, tmp_path: Path) -> None:
    kind: Any = MaskablePPO if "Maskable" in algorithm else PPO
    if space == "planes":
        learner = kind("MlpPolicy", GameVecEnv(1), policy_kwargs=SMALL, **PPO_SIZES)
    else:
        learner = kind("MultiInputPolicy", GameEnv(), policy_kwargs={"net_arch": [4]}, **PPO_SIZES)
    learner.save(tmp_path / "own.zip")
    player = model(tmp_path / "own.zip", temperature=0, algorithm=algorithm)
    player.begin(kriegspiel.opening(True, seed=1))
    for view, mask in views(12):
        planes = base_planes(KRIEGSPIEL, view)
        seen: Any = planes if space == "planes" else {"observation": planes, "action_mask": mask}
        batch = {k: v[None] for k, v in seen.items()} if isinstance(seen, dict) else seen[None]
        with torch.no_grad():
            tensors, _ = learner.policy.obs_to_tensor(batch)
            logits = learner.policy.get_distribution(tensors).distribution.logits[0].numpy()
        assert player.choose(view) == np.where(mask, logits, -np.inf).argmax()


def test_models_that_cannot_play_are_refused(tmp_path: Path) -> None:
    DQN("MlpPolicy", GameVecEnv(1), buffer_size=2, policy_kwargs=SMALL).save(tmp_path / "q.zip")
    with pytest.raises(ConfigError, match="holds a DQNPolicy; expected a policy with a distribution"):
        model(tmp_path / "q.zip", algorithm="stable_baselines3:DQN")
    PPO("MlpPolicy", "CartPole-v1", **PPO_SIZES).save(tmp_path / "pole.zip")
    with pytest.raises(ConfigError, match=r"was trained on actions Discrete\(2\); expected 1859 tries"):
        model(tmp_path / "pole.zip", algorithm="stable_baselines3:PPO")


def test_a_model_that_gives_no_numbers_says_so(run: Path, tmp_path: Path) -> None:
    learner = MaskablePPO.load(run / "model.zip")
    with torch.no_grad():
        for weights in learner.policy.parameters():
            weights.fill_(torch.nan)
    learner.save(tmp_path / "diverged.zip")
    player = model(tmp_path / "diverged.zip")
    player.begin(kriegspiel.opening(True, seed=1))
    with pytest.raises(ValueError, match="not finite; its training diverged"):
        player.choose(Game().view(chess.WHITE))


@pytest.mark.parametrize("algorithm", ["nowhere:PPO", "sb3_contrib:Nothing", "math:sqrt", "..", "5"])
def test_algorithms_that_are_none(run: Path, algorithm: str) -> None:
    with pytest.raises(ConfigError, match=f"algorithm '{algorithm}': .*expected"):
        model(run, algorithm=algorithm)


# -- files ---------------------------------------------------------------------------------------------------


def test_missing_files(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"model\.zip: no such model; expected a run's folder or a model"):
        model(tmp_path)
    for number in ("000000128", "000000512"):
        save_run(tmp_path / "long" / "checkpoints" / number)
    with pytest.raises(ConfigError, match=r"the latest checkpoint of the run is .*/000000512$"):
        model(tmp_path / "long")
    with pytest.raises(ValueError, match="missing a required argument: 'file'"):
        make_player("model")


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(share=st.floats(0, 1, exclude_max=True))
def test_truncated_files_are_refused(run: Path, tmp_path: Path, share: float) -> None:
    whole = (run / "model.zip").read_bytes()
    (tmp_path / "cut.zip").write_bytes(whole[: int(share * len(whole))])
    with pytest.raises(ConfigError, match=r"cut\.zip: is not a model or is damaged; sb3_contrib:Mask"):
        model(tmp_path / "cut.zip")


def test_a_checkpoint_takes_the_config_of_its_run(run: Path, tmp_path: Path) -> None:
    checkpoint = save_run(tmp_path / "long" / "checkpoints" / "000000128")
    (checkpoint / "config.yaml").rename(tmp_path / "long" / "config.yaml")
    assert played(model(checkpoint), 30) == played(model(run), 30)


def test_opponents_of_the_training_need_not_be_installed(run: Path, tmp_path: Path) -> None:
    folder = save_run(tmp_path / "league")
    config = (folder / "config.yaml").read_text()
    (folder / "config.yaml").write_text(config.replace("opponent: random", "opponent: not-here"))
    assert played(model(folder), 20) == played(model(run), 20)


def test_a_wrong_key_in_the_runs_config_is_named(tmp_path: Path) -> None:
    folder = save_run(tmp_path / "wrong")
    config = (folder / "config.yaml").read_text()
    (folder / "config.yaml").write_text(config.replace("mask: informed", "mask: all-seeing"))
    with pytest.raises(ConfigError, match=r"config\.yaml.*mask"):
        model(folder)


def test_it_is_loaded_once_and_again_when_changed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = save_run(tmp_path / "growing")
    loads: list[str] = []
    algorithm = model_network._algorithm

    def counted(name: str) -> Any:
        loads.append(name)
        return algorithm(name)

    monkeypatch.setattr(model_network, "_algorithm", counted)
    before = [played(model(folder), 20), played(model(folder), 20)]
    assert before[0] == before[1]
    assert len(loads) == 1
    save_run(folder, seed=2)
    assert played(model(folder), 20) != before[0]
    assert len(loads) == 2


def test_loading_leaves_the_shared_generators_alone(tmp_path: Path) -> None:
    folder = save_run(tmp_path / "quiet")
    random.seed(7)
    np.random.seed(7)
    torch.manual_seed(7)
    expected = random.random(), np.random.rand(), float(torch.rand(()))
    random.seed(7)
    np.random.seed(7)
    torch.manual_seed(7)
    model(folder)
    assert (random.random(), np.random.rand(), float(torch.rand(()))) == expected
