"""The quickstart from several seeds, and the same learner on planes alone: `docs/results/quickstart.json`.

    python -m research.quickstart docs/results/quickstart.json --seeds 5

Each run is judged as `ks train` judges it, and over as many games from quiet random starts. The median and
the least over the seeds are what is quoted.
"""

import json
import statistics
import subprocess
from pathlib import Path
from typing import Annotated, Any

import chess
import numpy as np
import typer
from ks_train.data.starts import quiet_start
from ks_train.judge.evaluate import ModelPlayer, load_model, play_series
from ks_train.learn.config import Experiment, load_config
from ks_train.learn.run import train
from rich.console import Console

from ks_env.core.files import write_aside

app = typer.Typer(add_completion=False)
console = Console()
STARTS, PLIES = 128, 8  # random ones, and the most half-moves before them


def run_seed(config: Experiment, seed: int, folder: Path, starts: list[str]) -> dict[str, Any]:
    """Train and judge from one seed."""
    chosen = config.model_copy(update={"seed": seed, "folder": folder / f"{config.name}-{seed}"})
    train(chosen, resume=True, console=console)
    summary = json.loads((chosen.run_folder / "summary.json").read_text(encoding="utf-8"))
    model, env, temperature = load_model(chosen.run_folder)
    player = ModelPlayer(model, temperature, seed)
    from_starts = env.model_copy(update={"start": tuple(starts)})
    settings = chosen.evaluation
    random_starts = [
        play_series(player, opponent, settings.games, settings.seed, from_starts).row()
        for opponent in settings.against
    ]
    kept = ("timesteps", "seconds", "cpu_seconds", "temperature", "series")
    return {"seed": seed} | {key: summary[key] for key in kept} | {"random_starts": random_starts}


def of_seeds(runs: list[dict[str, Any]]) -> dict[str, Any]:
    """Median and least share of wins over the seeds, by where games begin and by opponent."""
    out: dict[str, Any] = {}
    for where in ("series", "random_starts"):
        for number, series in enumerate(runs[0][where]):
            wins = [run[where][number]["win_rate"] for run in runs]
            out[f"{where} v {series['opponent']}"] = {
                "median": statistics.median(wins),
                "least": min(wins),
                "greatest": max(wins),
            }
    return out


@app.command()
def main(
    out: Annotated[Path, typer.Argument(help="JSON file to write")],
    seeds: Annotated[int, typer.Option(help="of the quickstart, and of planes alone one")] = 5,
    folder: Annotated[Path, typer.Option(help="for the runs; finished ones are judged again")] = Path(
        "runs/seeds"
    ),
) -> None:
    """Train from each seed, judge, and write the results."""
    commit = subprocess.run(
        ["git", "rev-parse", "HEAD"], capture_output=True, text=True, check=True
    ).stdout.strip()
    generator = np.random.default_rng(5000)
    starts = [quiet_start(generator, chess.STARTING_FEN, PLIES) for _ in range(STARTS)]
    terms, planes = load_config("configs/quickstart.yaml"), load_config("configs/quickstart-planes.yaml")
    runs = [run_seed(terms, seed, folder, starts) for seed in range(1, seeds + 1)]
    beside = run_seed(planes, 1, folder, starts)
    result = {
        "command": f"python -m research.quickstart {out} --seeds {seeds}",
        "commit": commit,
        "terms": runs,
        "over_seeds": of_seeds(runs),
        "planes": beside,
    }
    write_aside(out, json.dumps(result, indent=1))
    console.print_json(data={"over_seeds": result["over_seeds"], "planes": of_seeds([beside])})


if __name__ == "__main__":
    app()
