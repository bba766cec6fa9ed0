"""The `ks` command. What needs torch is imported by the command that needs it."""

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import entry_points, version
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from ks_arena.commands import export, match, report, tournament
from ks_arena.reproduce.command import reproduce
from rich.console import Console

from ks_env.record.files import write_aside
from ks_env.render.replay_command import check_target, fail, os_message, replay
from ks_train.commands.calibrate import calibrate
from ks_train.commands.curves import curves
from ks_train.commands.explain import explain
from ks_train.commands.profile import profile

if TYPE_CHECKING:
    from ks_train.judge.evaluate import Series

app = typer.Typer(
    help="Kriegspiel: train, evaluate and look.", no_args_is_help=True, pretty_exceptions_enable=False
)
for command in (match, tournament, report, export, curves, reproduce, replay, explain, calibrate, profile):
    app.command()(command)


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
    from ks_train.learn.checkpoint import CheckpointError
    from ks_train.learn.config import load_config
    from ks_train.learn.ppo import train as run

    with _plain_faults(ValueError, CheckpointError):
        run(load_config(config), resume=resume, restart=restart)


@app.command()
def evaluate(
    model: Annotated[
        str, typer.Argument(help="a run's folder, a model file, a player's name, or package.module:factory")
    ],
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
    from ks_arena.names import split_names

    from ks_train.judge.report import series_table

    with _plain_faults(ValueError):
        if output is not None:
            check_target(output)
        series = _play(model, split_names(against), games, seed, temperature)
        Console().print(series_table(series))
        if output is not None:
            write_aside(output, json.dumps([each.row() for each in series], indent=1))


def _play(
    name: str, opponents: list[str], games: int, seed: int, temperature: float | None
) -> "list[Series]":
    from ks_arena.names import resolve

    from ks_env.players.registry import make_player, parse_name
    from ks_train.judge.evaluate import ModelPlayer, load_model, play_names, play_series
    from ks_train.policy.player import check_temperature

    if temperature is not None:
        check_temperature(temperature)
    opponents = [resolve(opponent) for opponent in opponents]
    for opponent in opponents:
        make_player(opponent)  # a wrong name is told before any game is played
    player = resolve(name)
    kind, parameters = parse_name(player)
    if kind != "model" or "algorithm" in parameters:
        return [play_names(player, opponent, games, seed) for opponent in opponents]
    model, env, own_temperature = load_model(Path(str(parameters.get("file", ""))))
    if temperature is None:
        temperature = parameters.get("temperature")
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
        fail(f'{error.name} is missing; this command needs the extra "train": pip install "ks-env[train]"')


@contextmanager
def _plain_faults(*kinds: type[Exception]) -> Iterator[None]:
    """What the user can mend is said in a line, not in a traceback: OSError and `kinds`."""
    try:
        yield
    except OSError as error:
        fail(os_message(error))
    except kinds as error:
        fail(str(error))
