"""The quickstart in each of the six rulesets, and ICC's policy in all of them: `docs/results/rulesets.json`.

    python -m research.rulesets docs/results/rulesets.json

A ruleset's policy is trained from the quickstart's config with the ruleset alone changed, and judged as
`ks train` judges it.
"""

import json
import subprocess
from pathlib import Path
from typing import Annotated, Any

import typer
from ks_train.judge.evaluate import ModelPlayer, load_model, play_series
from ks_train.learn.config import load_config
from ks_train.learn.run import train
from rich.console import Console
from rich.table import Table

from ks_env.core.files import write_aside
from ks_env.core.ruleset import RULESETS

app = typer.Typer(add_completion=False)
console = Console()
TRAINED_IN = "icc"


@app.command()
def main(
    out: Annotated[Path, typer.Argument(help="JSON file to write")],
    seed: Annotated[int, typer.Option(help="of all runs")] = 1,
    folder: Annotated[Path, typer.Option(help="for the runs")] = Path("runs/rulesets"),
) -> None:
    """Train in each ruleset, carry over, judge, and write the results."""
    git = subprocess.run(["git", "rev-parse", "HEAD"], capture_output=True, text=True, check=True)
    usual = load_config("configs/quickstart.yaml")
    settings = usual.evaluation
    rows: list[dict[str, Any]] = []
    for ruleset in sorted(RULESETS, key=lambda name: name != TRAINED_IN):
        env = usual.env.model_copy(update={"ruleset": ruleset})
        config = usual.model_copy(
            update={"name": ruleset, "env": env, "seed": seed, "folder": folder / ruleset}
        )
        train(config, resume=True, console=console)
        for trained_in in dict.fromkeys((ruleset, TRAINED_IN)):
            model, _, temperature = load_model(folder / trained_in)
            player = ModelPlayer(model, temperature, settings.seed, f"trained in {trained_in}")
            series = [
                play_series(player, name, settings.games, settings.seed, env).row()
                for name in settings.against
            ]
            rows.append({"ruleset": ruleset, "trained_in": trained_in, "series": series})
    table = Table("ruleset", "trained in", *(f"wins v {name}" for name in settings.against))
    for row in rows:
        wins = [
            f"{each['win_rate']:.1%} [{each['win_rate_95'][0]:.1%}, {each['win_rate_95'][1]:.1%}]"
            for each in row["series"]
        ]
        table.add_row(row["ruleset"], row["trained_in"], *wins)
    console.print(table)
    command = f"python -m research.rulesets {out} --seed {seed}"
    write_aside(out, json.dumps({"command": command, "commit": git.stdout.strip(), "rows": rows}, indent=1))


if __name__ == "__main__":
    app()
