"""The command `ks train-belief`: fit the network of the encoder `belief`."""

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console


def train_belief(
    config: Annotated[Path, typer.Argument(help="YAML file of the network")],
    games: Annotated[Path, typer.Argument(help="file of `ks generate`, or a folder of files")],
    out: Annotated[Path, typer.Option(help="folder for the weights")] = Path("runs/belief-network"),
) -> None:
    """Fit a network that predicts the opponent's men to the games of a data set; takes minutes."""
    from ks_arena.sections import load_section

    from ks_train.belief.training import BeliefTraining
    from ks_train.belief.training import train_belief as run

    console = Console()
    made = run(load_section(BeliefTraining, config), games, out, console)
    console.print(f"wrote {made} ({made.stat().st_size:,} bytes)", soft_wrap=True, highlight=False)
