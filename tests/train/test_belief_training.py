"""The belief network: what is fitted is what the kernels predict, and it learns from the games alone."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
import torch
from ks_train.belief.training import (
    BeliefNet,
    BeliefTraining,
    allowed_squares,
    fit,
    gather,
    judged,
    losses,
)
from ks_train.commands.main import app
from rich.console import Console
from typer.testing import CliRunner

from ks_env.belief.network import hears_particles, make_work, read_network
from ks_env.belief.network.inputs import BOARDS, SHARES_TOLD, TERMS
from ks_env.belief.network.network import judge
from tests.belief.network.test_network import predicted

GAMES = Path("docs/results/data/engines.parquet")
TINY = BeliefTraining(seed=1, hidden=8, channels=4, epochs=1, share=0.05, share_refused=0.01)


@pytest.mark.parametrize("particles", [0, 8])
def test_the_kernel_judges_as_torch_does(particles: int) -> None:
    torch.manual_seed(0)
    net = BeliefNet(TINY.model_copy(update={"particles": particles})).eval()
    for part in net.parameters():
        torch.nn.init.normal_(part, std=0.2)
    network = net.weights()
    work = make_work(network)
    rng = np.random.default_rng(0)
    for _, _, told, _ in predicted(tries=40):
        if particles:
            told[SHARES_TOLD:-1] = rng.integers(256, size=told[SHARES_TOLD:-1].shape)
            told[-1] = rng.integers(256)
        work.told[:] = told
        judge(network, work)
        boards, terms = torch.from_numpy(told[BOARDS][None]), torch.from_numpy(told[TERMS, 0][None])
        with torch.no_grad():
            wanted = net(boards, terms)[0].numpy()
        assert np.allclose(work.maps, wanted, atol=1e-3)


def test_at_first_it_says_what_the_map_says_and_then_it_learns() -> None:
    torch.manual_seed(1)
    known = gather(GAMES, TINY, Console(quiet=True))
    assert (known.truth & ~allowed_squares(known.boards)).sum() == 0  # the truth is always possible
    assert (known.truth[:, 0].sum(1) == 1).all()
    net = BeliefNet(TINY).eval()
    before = judged(net, known)
    fit(net, known, TINY, Console(quiet=True))
    after = judged(net, known)
    assert all(after[name] < before[name] for name in ("pawn", "piece"))
    assert losses(net(known.boards[:5], known.terms[:5]), known.chosen(slice(0, 5))).shape == (3, 5)


def test_a_network_learns_what_particles_add() -> None:
    """Told of particles it begins between map and boards, and one that is not told has no weight for them."""
    torch.manual_seed(1)
    alone = BeliefNet(TINY).weights()
    assert not alone.shares.any()
    first = int(np.searchsorted(BOARDS, SHARES_TOLD))
    for unheard in (alone.first[first:], alone.local[first:], alone.terms[-1:]):
        assert not unheard.any()
    config = TINY.model_copy(update={"particles": 16, "share": 0.01})
    known = gather(GAMES, config, Console(quiet=True))
    told = known.boards[:, int(np.searchsorted(BOARDS, SHARES_TOLD)) :]
    assert told.any(0).any(1).all()  # shares of all sorts and kinds
    net = BeliefNet(config)
    fit(net, known, config, Console(quiet=True))
    assert hears_particles(net.weights())


def test_the_command_writes_a_network(tmp_path: Path) -> None:
    config = tmp_path / "belief.yaml"
    config.write_text("seed: 1\nhidden: 8\nchannels: 4\nepochs: 1\nshare: 0.02\nshare_refused: 0\n")
    args = ["train-belief", str(config), str(GAMES), "--out", str(tmp_path / "net")]
    done = CliRunner().invoke(app, args)
    assert done.exit_code == 0, done.output
    assert read_network(tmp_path / "net" / "weights.npz").first.shape[2] == 8
    assert set(json.loads((tmp_path / "net" / "summary.json").read_text())["held_out"]) == {
        "king",
        "pawn",
        "piece",
    }
    again = CliRunner().invoke(app, args)
    assert again.exit_code != 0
    assert "choose another folder" in again.output


@pytest.mark.parametrize(("text", "told"), [("seed: 1\nhiden: 8\n", "hiden"), ("hidden: 8\n", "seed")])
def test_a_wrong_config_is_named(tmp_path: Path, text: str, told: str) -> None:
    (tmp_path / "belief.yaml").write_text(text)
    done = CliRunner().invoke(app, ["train-belief", str(tmp_path / "belief.yaml"), str(GAMES)])
    assert done.exit_code != 0
    assert told in done.output
