"""Learn the advantages that `advantage-search` plays by: games, and a fit.

    python -m research.advantage runs/advantage --games 4000 --networks 4 --rounds 2

The first round's games are played by the player without networks, the next one's by the player that has
learnt from them: what it learns is added to what it knows. Games and networks are kept in the run's folder,
and a run that was stopped is resumed. The outcome is `weights.npz` of the last round, and `--ship`
makes it that of the default player. `--onto FILE` goes on from networks that there are.
"""

import shutil
from hashlib import sha256
from pathlib import Path

import numpy as np
from ks_baselines.mcts.advantage_search.network import SHIPPED, read_networks, write_networks
from rich.console import Console

from research.advantage.data import load
from research.advantage.fit import fit
from research.advantage.games import play_games

ROUND_SEEDS = 100  # rounds of a run that have seeds of their own


class OtherRoundError(ValueError):
    """A round's folder holds what other games or weights led to."""


def learn(
    run: Path,
    games: int,
    networks: int,
    rounds: int,
    workers: int,
    seed: int,
    console: Console,
    onto: Path | None = None,
) -> Path:
    """Play and fit what is missing; the file of weights.

    Args:
        run: the folder.
        games: a round.
        networks: a round; their mean is added.
        rounds: of games and fits.
        workers: processes.
        seed: fixes the games and the fits, with `onto`.
        console: told how well the networks fit.
        onto: weights that the first round's player has learnt; None for none.
    """
    weights = onto
    for number in range(rounds):
        weights = learn_round(
            run / f"round-{number}", weights, games, networks, workers, ROUND_SEEDS * seed + number, console
        )
    assert weights is not None
    return weights


def learn_round(
    folder: Path, before: Path | None, games: int, networks: int, workers: int, seed: int, console: Console
) -> Path:
    """One round in its folder, from the weights before it; see `learn`.

    Raises:
        OtherRoundError: the folder is that of another round.
    """
    _claim(folder, seed, before)
    play_games(folder / "games", games, seed, before, workers)
    files = [folder / f"network-{number}.npz" for number in range(networks)]
    missing = [number for number, file in enumerate(files) if not file.exists()]
    data = load(folder / "games") if missing else None
    for number in missing:
        assert data is not None
        write_networks([fit(data, seed, number, console)], files[number])
    known = () if before is None else read_networks(before)
    found = [read_networks(file)[0] for file in files]
    shares = [network._replace(last=network.last / np.float32(networks)) for network in found]
    write_networks([*known, *shares], folder / "weights.npz")
    return folder / "weights.npz"


def _claim(folder: Path, seed: int, before: Path | None) -> None:
    """Note what a round's games are fixed by, or see that the same is noted."""
    known = "none" if before is None else sha256(before.read_bytes()).hexdigest()
    text, note = f"seed {seed}, weights before {known}\n", folder / "round.txt"
    if not note.exists():
        folder.mkdir(parents=True, exist_ok=True)
        note.write_text(text)
    elif (found := note.read_text()) != text:
        raise OtherRoundError(
            f"{folder} is a round of {found.strip()}, not of {text.strip()}; expected another --run"
        )


def ship_weights(weights: Path) -> None:
    """Make these the weights of the default player."""
    shutil.copy(weights, SHIPPED)
