"""Learn the advantages that the default `mcts-c` plays by: games, and a fit.

    python -m train.advantage --run runs/advantage --games 4300 --networks 4

The games are played by the player without its networks. Games and networks are kept in the run's folder, and
a run that was stopped goes on where it was. The outcome is `weights.npz` there; `--ship` makes it that of the
default player.
"""

import argparse
import shutil
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console

from baselines.mcts.advantage.network import SHIPPED, read_networks, write_networks
from train.advantage.data import load
from train.advantage.fit import fit
from train.advantage.games import SHARD, play_games


def learn(run: Path, games: int, networks: int, workers: int, seed: int, console: Console) -> Path:
    """Play and fit what is missing; the file of weights."""
    play_games(run / "games", games, seed, workers)
    files = [run / f"network-{number}.npz" for number in range(networks)]
    missing = [number for number, file in enumerate(files) if not file.exists()]
    data = load(run / "games") if missing else None
    for number in missing:
        assert data is not None
        write_networks([fit(data, seed, number, console)], files[number])
    weights = run / "weights.npz"
    write_networks([read_networks(file)[0] for file in files], weights)
    return weights


def main(arguments: Sequence[str] | None = None) -> None:
    """The command."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--run", type=Path, required=True)
    parser.add_argument("--games", type=int, default=4300, help=f"in multiples of {SHARD}")
    parser.add_argument("--networks", type=int, default=4, help="the mean of so many is played by")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--ship", action="store_true")
    given = parser.parse_args(arguments)
    for name in ("games", "networks", "workers"):
        if getattr(given, name) < 1:
            parser.error(f"--{name} is {getattr(given, name)}; expected at least 1")
    console = Console()
    weights = learn(given.run, given.games, given.networks, given.workers, given.seed, console)
    console.print(f"{weights}")
    if given.ship:
        shutil.copy(weights, SHIPPED)


if __name__ == "__main__":
    main()
