"""The command `python -m research.advantage`; see `learn`."""

from pathlib import Path
from typing import Annotated

import typer
from ks_train.commands.plain import plainly
from rich.console import Console

from research.advantage.learn import learn, ship_weights


def advantage(
    run: Annotated[Path, typer.Argument(help="folder of games and networks; the same command resumes there")],
    games: Annotated[int, typer.Option(min=1, help="of a round, in multiples of 100")] = 4000,
    networks: Annotated[int, typer.Option(min=1, help="of a round; their mean is added")] = 4,
    rounds: Annotated[int, typer.Option(min=1, help="of games and fits")] = 2,
    onto: Annotated[
        Path | None, typer.Option(exists=True, dir_okay=False, help="weights to add to, of another --seed")
    ] = None,
    workers: Annotated[int, typer.Option(min=1, help="processes")] = 2,
    seed: Annotated[int, typer.Option(min=0, help="of the games and the fits")] = 0,
    ship: Annotated[bool, typer.Option("--ship", help="make them the weights of `advantage-search`")] = False,
) -> None:
    """Learn the advantages of tries that `advantage-search` plays by, in rounds of games and fits."""
    weights = learn(run, games, networks, rounds, workers, seed, Console(), onto=onto)
    typer.echo(weights)
    if ship:
        ship_weights(weights)


app = typer.Typer(pretty_exceptions_enable=False)
app.command()(plainly(advantage, "the same command goes on"))

if __name__ == "__main__":
    app()
