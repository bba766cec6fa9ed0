"""The command `ks foretell`: fit the network of the encoder `belief`."""

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console


def foretell(
    config: Annotated[Path, typer.Argument(help="YAML file of the network")],
    games: Annotated[Path, typer.Argument(help="file of `ks generate`, or a folder of files")],
    out: Annotated[Path, typer.Option(help="folder for the weights")] = Path("runs/belief-network"),
) -> None:
    """Fit a network that foretells the opponent's men to the games of a data set; takes minutes."""
    from ks_arena.sections import load_section

    from ks_train.belief.foretell import Foretelling
    from ks_train.belief.foretell import foretell as run

    console = Console()
    made = run(load_section(Foretelling, config), games, out, console)
    console.print(f"wrote {made} ({made.stat().st_size:,} bytes)", soft_wrap=True, highlight=False)
