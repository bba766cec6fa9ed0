"""Commands of data sets: `ks generate` and `ks minari`."""

from pathlib import Path
from typing import Annotated

import typer
from ks_arena.commands import EngineName, Restart, Workers, cores
from rich.console import Console

from ks_env.core.tries import MaskLevel


def generate(
    config: Annotated[Path, typer.Argument(help="YAML file of the data set.")],
    out: Annotated[
        Path | None, typer.Option(help="File to write, .parquet; by default one under runs/.")
    ] = None,
    workers: Workers = 0,
    engine: EngineName = "processes",
    restart: Restart = False,
) -> None:
    """Play games and keep their tries, with labels and values, as a data set for learning.

    The same command resumes where it was stopped. If the config then asks for more games, it adds them.
    """
    from ks_arena.sections import load_section

    from ks_train.data.config import DataConfig
    from ks_train.data.generate import generate as run

    console = Console()
    made = run(
        load_section(DataConfig, config),
        out,
        workers=workers or cores(),
        engine=engine,
        console=console,
        restart=restart,
    )
    size = made.path.stat().st_size
    console.print(
        f"{made.path}: {made.games:,} games, {made.tries:,} tries, {made.labels:,} labels, {size:,} bytes",
        soft_wrap=True,
        highlight=False,
    )


def minari(
    games: Annotated[Path, typer.Argument(help="File of `ks generate`, or a folder of such files.")],
    name: Annotated[
        str, typer.Argument(help="Name of the data set in Minari, such as kriegspiel/engines-v0.")
    ],
    encoder: Annotated[
        str | None, typer.Option(help="Encoder whose planes are added after the base planes.")
    ] = None,
    mask: Annotated[MaskLevel, typer.Option(help="Mask of the actions: informed or own-board.")] = "informed",
    opponent: Annotated[str | None, typer.Option(help="Opponent in the environment for evaluation.")] = None,
    author: Annotated[str | None, typer.Option(help="Author, as recorded by Minari.")] = None,
) -> None:
    """Export games to Minari, one episode for each seat of each game."""
    from ks_train.data.minari import export_minari

    made = export_minari(games, name, encoder=encoder, mask=mask, opponent=opponent, author=author)
    typer.echo(f"{made.id}: {made.total_episodes:,} episodes, {made.total_steps:,} steps")
