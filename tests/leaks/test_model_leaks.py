"""What goes into the network of a model in its seat, on pairs of games with one history for that seat."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import chess
import numpy as np
import pytest
import torch
from ks_train.learn.config import Environment
from ks_train.policy.files import Network
from ks_train.policy.network import BoardPolicy
from ks_train.policy.player import NetworkPlayer
from sb3_contrib import MaskablePPO

from ks_env.belief.encoders import Encoder
from ks_env.core.ruleset import ICC
from ks_env.envs.sb3 import GameVecEnv
from ks_env.games import kriegspiel
from ks_env.games.kriegspiel.game import Game
from ks_env.players import make_player
from tests.envs.test_encoders import OwnMen
from tests.leaks.replayed import decisions
from tests.leaks.scripted import finished_pairs
from tests.oracle import RULES

PAIRS = 4
SIZES = {"channels": 4, "layers": 1, "embedding": 2, "value_hidden": 2}


@pytest.fixture(scope="module", autouse=True)
def one_thread() -> None:
    torch.set_num_threads(1)


def learner(encoder: Encoder | None) -> MaskablePPO:
    return MaskablePPO(BoardPolicy, GameVecEnv(1, encoder=encoder), policy_kwargs=SIZES, seed=1)


@pytest.fixture(scope="module", params=["own planes", "encoder"])
def model(request: Any, tmp_path_factory: pytest.TempPathFactory) -> NetworkPlayer:
    if request.param == "encoder":
        return NetworkPlayer("m", Network(learner(OwnMen()).policy, OwnMen(), None, Environment(), 1.0), 1.0)
    file: Path = tmp_path_factory.mktemp("model") / "small.zip"
    learner(None).save(file)
    player = make_player(f"model:file={file}")
    assert isinstance(player, NetworkPlayer)
    return player


@contextmanager
def listening(model: NetworkPlayer, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[bytes]]:
    """Every tensor that the policy is given, as bytes: planes, and the tries to score."""
    policy: Any = model._network.policy
    given: list[bytes] = []
    legal = policy.action_net.legal

    def noted(features: torch.Tensor, rows: torch.Tensor, actions: torch.Tensor) -> torch.Tensor:
        given.append(actions.numpy().tobytes())
        scores: torch.Tensor = legal(features, rows, actions)
        return scores

    def before(_: Any, arguments: tuple[torch.Tensor, ...]) -> None:
        given.extend(tensor.numpy().tobytes() for tensor in arguments)

    hook = policy.features_extractor.register_forward_pre_hook(before)
    with monkeypatch.context() as patch:
        patch.setattr(policy.action_net, "legal", noted)
        yield given
    hook.remove()


@pytest.mark.parametrize("ruleset", RULES)
def test_one_history_is_one_input(
    ruleset: str, model: NetworkPlayer, monkeypatch: pytest.MonkeyPatch
) -> None:
    compared = 0
    for pair in finished_pairs(ruleset, PAIRS, seed=1):
        seen = []
        for game in (0, 1):
            with listening(model, monkeypatch) as given:
                chosen = list(decisions(model, pair, game, pair.seat))
            assert len(given) == 2 * len(chosen)
            seen.append((given, chosen))
        assert seen[0] == seen[1], pair.transcript()
        compared += len(seen[0][1])
    assert compared > PAIRS


def test_the_other_seat_of_these_pairs_is_given_different_bytes(
    model: NetworkPlayer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So that a view of the wrong seat, or of the truth, would be found out above."""
    differing = 0
    for pair in finished_pairs("icc", PAIRS, seed=1):
        seen = []
        for game in (0, 1):
            with listening(model, monkeypatch) as given:
                list(decisions(model, pair, game, not pair.seat))
            seen.append(given)
        differing += seen[0] != seen[1]
    assert differing == PAIRS


def test_what_is_compared_is_planes_and_tries(model: NetworkPlayer, monkeypatch: pytest.MonkeyPatch) -> None:
    model.begin(kriegspiel.opening(chess.WHITE, ICC, chess.STARTING_FEN, 1))
    view = Game().view(chess.WHITE)
    with listening(model, monkeypatch) as given:
        model.choose(view)
    planes, tries = given
    assert len(planes) == 64 * model._network.policy.observation_space.shape[0]  # type: ignore[index]
    assert np.frombuffer(tries, np.int64).tolist() == np.flatnonzero(Game().mask(chess.WHITE)).tolist()
