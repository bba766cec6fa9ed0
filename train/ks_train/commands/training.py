"""Commands of learning: `ks train`, `clone`, `train-belief`, `exploit`, `evaluate` and `curves`."""

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from ks_arena.commands import Isolated
from rich.console import Console

from ks_env.core.files import write_aside
from ks_env.render.replay_command import check_target

if TYPE_CHECKING:
    from ks_train.judge.evaluate import Series

SUMMARY = "summary.json"


def train(
    config: Annotated[Path, typer.Argument(help="YAML file of the experiment, or the name of a config.")],
    resume: Annotated[
        bool, typer.Option("--resume", help="Resume from the latest checkpoint, even of a finished run.")
    ] = False,
    restart: Annotated[
        bool, typer.Option("--restart", help="Discard what an earlier run left in the folder.")
    ] = False,
    ship: Annotated[
        bool,
        typer.Option(
            "--ship",
            help="Make the result the package's player over the config's env.terms, raw or judged-deep.",
        ),
    ] = False,
) -> None:
    """Train and evaluate a policy; write model, scores, curve and a sample game to the run's folder."""
    _wait_passively()
    from ks_arena.sections import ConfigError
    from ks_baselines.policy import SHIPPED

    from ks_train.learn.folder import load_experiment
    from ks_train.learn.run import train as run

    experiment = load_experiment(config)
    if ship and experiment.env.terms not in SHIPPED:
        expected = " or ".join(SHIPPED)
        raise ConfigError(f"{config}: env.terms is {experiment.env.terms}; --ship needs {expected}")
    folder = run(experiment, resume=resume, restart=restart)
    if ship:
        from ks_train.policy.ship import ship as write

        typer.echo(f"wrote {write(folder)}")


def clone(
    config: Annotated[
        Path, typer.Argument(help="YAML file of an experiment with env.terms, or the name of a config.")
    ],
    games: Annotated[Path, typer.Argument(help="File of `ks generate`, or a folder of such files.")],
    out: Annotated[Path, typer.Option(help="Folder for the model.")] = Path("runs/clone"),
    epochs: Annotated[int, typer.Option(help="Passes over the data.", min=1)] = 5,
) -> None:
    """Fit a policy to the tries of a data set's players, or of their teacher, and evaluate it."""
    _wait_passively()
    from ks_train.learn.clone import clone as run
    from ks_train.learn.config import load_config

    run(load_config(config), games, out, epochs=epochs, console=Console())


def train_belief(
    config: Annotated[Path, typer.Argument(help="YAML file of the network, or the name of a config.")],
    games: Annotated[Path, typer.Argument(help="File of `ks generate`, or a folder of such files.")],
    out: Annotated[Path, typer.Option(help="Folder for the weights.")] = Path("runs/belief-network"),
) -> None:
    """Fit a network that predicts the opponent's men to the games of a data set."""
    from ks_arena.sections import load_section

    from ks_train.belief.training import BeliefTraining
    from ks_train.belief.training import train_belief as run

    console = Console()
    made = run(load_section(BeliefTraining, config), games, out, console)
    console.print(f"wrote {made} ({made.stat().st_size:,} bytes)", soft_wrap=True, highlight=False)


def exploit(
    player: Annotated[str, typer.Argument(help="A run's folder, a model file or a player's name.")],
    out: Annotated[Path, typer.Option(help="Folder for the response.")] = Path("runs/exploit"),
    cpu_minutes: Annotated[
        float, typer.Option(help="Processor time of the training; where it ends depends on the machine.")
    ] = 10.0,
    timesteps: Annotated[
        int | None, typer.Option(help="Length of the training in tries instead of time, which is repeatable.")
    ] = None,
    games: Annotated[int, typer.Option(help="Games of each evaluation; even, half with each colour.")] = 400,
    seed: Annotated[int, typer.Option(help="Seed of training and evaluation.")] = 1,
    restart: Annotated[bool, typer.Option("--restart", help="Discard what is in the folder.")] = False,
) -> None:
    """Train a response to a policy and measure its score: a lower bound of the policy's exploitability."""
    _wait_passively()
    from ks_train.learn.config import Budget
    from ks_train.learn.exploit import exploit as run

    budget = Budget(cpu_minutes=cpu_minutes) if timesteps is None else Budget(timesteps=timesteps)
    run(player, out, budget=budget, games=games, seed=seed, restart=restart)


def evaluate(
    model: Annotated[
        str, typer.Argument(help="A run's folder, a model file, a player's name, or package.module:factory.")
    ],
    against: Annotated[str, typer.Option(help="Opponents, separated by commas.")] = "random,capture",
    games: Annotated[
        int, typer.Option(help="Games against each opponent; even, half with each colour.")
    ] = 400,
    seed: Annotated[int, typer.Option(help="Seed of the games.")] = 10_000,
    temperature: Annotated[
        float | None,
        typer.Option(help="Divides the policy's logits; 0 takes the likeliest try. Default: the run's own."),
    ] = None,
    output: Annotated[Path | None, typer.Option("--json", help="Also write the scores to this file.")] = None,
    isolated: Isolated = None,
) -> None:
    """Play a model or a player against others and show the score with 95 % intervals."""
    _wait_passively()
    from ks_arena.names import split_names

    from ks_train.judge.report import series_table

    if output is not None:
        check_target(output)
    series = _play(model, split_names(against), games, seed, temperature, isolated)
    Console().print(series_table(series))
    if output is not None:
        write_aside(output, json.dumps([each.row() for each in series], indent=1))


def _play(
    name: str, opponents: list[str], games: int, seed: int, temperature: float | None, isolated: bool | None
) -> "list[Series]":
    from ks_arena.apart.player import isolated_name
    from ks_arena.names import resolve

    from ks_env.players.registry import is_ours, make_player, parse_name
    from ks_train.judge.evaluate import ModelPlayer, load_model, play_names, play_series
    from ks_train.policy.player import check_temperature

    if temperature is not None:
        check_temperature(temperature)
    opponents = [resolve(opponent) for opponent in opponents]
    player = resolve(name)
    kind, parameters = parse_name(player)
    if kind != "model" or "algorithm" in parameters:
        return [play_names(player, opponent, games, seed, isolated=isolated) for opponent in opponents]
    apart = [not is_ours(each) if isolated is None else isolated for each in opponents]
    opponents = [isolated_name(each) if own else each for each, own in zip(opponents, apart, strict=True)]
    for opponent in opponents:
        make_player(opponent)  # a wrong name is told before any game is played
    model, env, own_temperature = load_model(Path(str(parameters.get("file", ""))))
    if temperature is None:
        temperature = parameters.get("temperature")
    chosen = own_temperature if temperature is None else temperature
    return [
        play_series(ModelPlayer(model, chosen, seed, name), opponent, games, seed, env)
        for opponent in opponents
    ]


def _wait_passively() -> None:
    """Threads that wait for each other by spinning take the core that the other needs on a busy machine."""
    os.environ.setdefault("OMP_WAIT_POLICY", "passive")


def read_summary(folder: Path) -> dict[str, Any]:
    """What a finished run says of itself.

    Raises:
        ValueError: the folder is not that of a finished run.
    """
    path = folder / SUMMARY
    try:
        summary: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        summary["name"], summary["timesteps"], summary["series"], summary["evaluations"]
    except OSError as error:
        raise ValueError(
            f"{path}: cannot be read: {error.strerror}; expected a finished run's folder"
        ) from error
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise ValueError(f"{path}: is not the summary of a run: {error}") from error
    return summary


def curves(
    runs: Annotated[list[Path], typer.Argument(help="Folders of finished runs.")],
    out: Annotated[Path, typer.Option(help="PNG to write.")] = Path("curves.png"),
) -> None:
    """Draw the evaluations of several runs in one picture, with a panel for each opponent."""
    from ks_train.judge.curves import draw_runs

    summaries = [read_summary(folder) for folder in runs]
    check_target(out)
    draw_runs(summaries, out)
    typer.echo(f"wrote {out}")
