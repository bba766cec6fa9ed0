"""The `ks` command. What needs torch is imported by the command that needs it."""

import json
import os
from importlib.metadata import entry_points, version
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console

from ks_env.render.replay_command import replay

if TYPE_CHECKING:
    from train.evaluate import Series

app = typer.Typer(
    help="Kriegspiel: train, evaluate and look.", no_args_is_help=True, pretty_exceptions_enable=False
)
app.command(name="replay")(replay)


@app.command()
def train(
    config: Annotated[Path, typer.Argument(help="YAML file of the experiment")],
    resume: Annotated[
        bool, typer.Option("--resume", help="go on from the latest checkpoint even of a finished run")
    ] = False,
    restart: Annotated[
        bool, typer.Option("--restart", help="throw away what an earlier run left in the folder")
    ] = False,
) -> None:
    """Train a policy, judge it and leave model, scores, curve and a game in the run's folder."""
    _need_training()
    from train.checkpoint import CheckpointError
    from train.config import ConfigError, load_config
    from train.ppo import train as run

    try:
        run(load_config(config), resume=resume, restart=restart)
    except (ConfigError, CheckpointError) as error:
        _fail(str(error))


@app.command()
def evaluate(
    model: Annotated[str, typer.Argument(help="a run's folder, a model.zip, or the name of a player")],
    against: Annotated[str, typer.Option(help="opponents, separated by commas")] = "random,capture",
    games: Annotated[int, typer.Option(help="per opponent; even, half with each colour")] = 400,
    seed: Annotated[int, typer.Option(help="of the games")] = 10_000,
    temperature: Annotated[
        float | None,
        typer.Option(help="divides the policy's logits; 0 takes the likeliest try; default: the run's own"),
    ] = None,
    output: Annotated[Path | None, typer.Option("--json", help="write the scores to this file")] = None,
) -> None:
    """Play a model or a player against others and show the score with 95 % intervals."""
    _need_training()
    from train.report import series_table

    try:
        series = _play(model, against.split(","), games, seed, temperature)
    except ValueError as error:
        _fail(str(error))
    Console().print(series_table(series))
    if output is not None:
        output.write_text(json.dumps([each.row() for each in series], indent=1), encoding="utf-8")


def _play(
    name: str, opponents: list[str], games: int, seed: int, temperature: float | None
) -> "list[Series]":
    from ks_env.players.registry import player_names
    from train.evaluate import ModelPlayer, load_model, play_names, play_series

    if name.split(":")[0] in player_names():
        return [play_names(name, opponent, games, seed) for opponent in opponents]
    model, env, own_temperature = load_model(Path(name))
    chosen = own_temperature if temperature is None else temperature
    return [
        play_series(ModelPlayer(model, chosen, seed, name), opponent, games, seed, env)
        for opponent in opponents
    ]


@app.command()
def players() -> None:
    """List the players that can be named as opponents."""
    for point in sorted(entry_points(group="ks_env.players"), key=lambda point: point.name):
        typer.echo(f"{point.name:12s} {point.value}")


@app.command(name="version")
def show_version() -> None:
    """Show the version."""
    typer.echo(version("ks-env"))


def _need_training() -> None:
    # Threads that wait for each other by spinning take the core that the other needs on a busy machine.
    os.environ.setdefault("OMP_WAIT_POLICY", "passive")
    try:
        import sb3_contrib  # noqa: F401
        import torch  # noqa: F401
    except ImportError as error:
        _fail(f'{error.name} is missing; this command needs the extra "train": pip install "ks-env[train]"')


def _fail(message: str) -> None:
    typer.secho(f"error: {message}", fg=typer.colors.RED, err=True)
    raise typer.Exit(2)
