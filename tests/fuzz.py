"""Random games before the compiled referee and before the oracle on python-chess.

    python -m tests.fuzz                                      # 100,000 tries a ruleset
    python -m tests.fuzz --tries 1000000 --resume --result docs/results/fuzz.json
    python -m tests.fuzz --replay transcript.json             # a failed game again, everything compared

Every try is put to both, and what the mover hears, the legal tries and both masks are compared each time; a
difference ends the run with a transcript. Games are numbered and each has a seed of its own, so that a run
that was stopped goes on (`--resume`) as if it had not been.
"""

from __future__ import annotations

import json
import random
import time
from collections import Counter
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from tests.duel import RefereesDifferError, replay
from tests.long_run import load_progress, provenance, save_progress, write_json
from tests.oracle import RULES
from tests.random_games import play_game

SAVE_EVERY_S = 10.0

app = typer.Typer(add_completion=False)


class Run:
    """The games of one ruleset under one seed: counts so far, and the file that keeps them."""

    def __init__(self, ruleset: str, seed: int, folder: Path, resume: bool) -> None:
        self.ruleset, self.seed = ruleset, seed
        self.path = folder / f"{ruleset}-{seed}.json"
        saved = load_progress(self.path) if resume else {}
        self.seconds: float = saved.get("seconds", 0.0)
        self.counts: Counter[str] = Counter(saved.get("counts", {}))

    def save(self) -> None:
        save_progress(self.path, {"seconds": round(self.seconds, 1), "counts": dict(self.counts)})

    def play(self, tries: int, game_tries: int, full_every: int, progress: Progress) -> None:
        """Play whole games until `tries` tries are reached."""
        task = progress.add_task(self.ruleset, total=tries, completed=self.counts["tries"])
        began = saved = time.monotonic()
        while self.counts["tries"] < tries:
            counts: Counter[str] = Counter()
            rng = random.Random(f"{self.seed} {self.ruleset} {self.counts['games']}")
            play_game(rng, self.ruleset, game_tries, full_every, counts)
            self.counts += counts
            now = time.monotonic()
            self.seconds, began = self.seconds + now - began, now
            progress.update(task, completed=min(self.counts["tries"], tries))
            if now - saved > SAVE_EVERY_S:
                self.save()
                saved = now
        self.save()


def table_of(runs: list[Run]) -> Table:
    """What was seen, a column a ruleset."""
    table = Table("seen", *(run.ruleset for run in runs), title="No difference")
    for name in sorted(set().union(*(run.counts for run in runs))):
        table.add_row(name, *(f"{run.counts[name]:,}" for run in runs))
    table.add_row("tries a second", *(f"{run.counts['tries'] / run.seconds:,.0f}" for run in runs))
    return table


def result_of(runs: list[Run]) -> dict[str, Any]:
    return {
        "what": "random games before ks_env and before an independent referee on python-chess",
        "made with": provenance("tests.fuzz"),
        "rulesets": {
            run.ruleset: {
                "seed": run.seed,
                "tries": run.counts["tries"],
                "differences": 0,
                "seconds": round(run.seconds),
                "seen": dict(sorted(run.counts.items())),
            }
            for run in runs
        },
    }


@app.command(help=__doc__)
def main(
    ruleset: Annotated[list[str], typer.Option(help="Ruleset; may be repeated.")] = list(RULES),  # noqa: B006
    tries: Annotated[int, typer.Option(min=1, help="Tries for each ruleset.")] = 100_000,
    seed: Annotated[int, typer.Option(help="Seed of the run.")] = 1,
    game_tries: Annotated[int, typer.Option(min=1, help="A game stops after this many tries.")] = 250,
    full_every: Annotated[
        int, typer.Option(min=1, help="Compare boards and histories each so many tries.")
    ] = 10,
    resume: Annotated[bool, typer.Option(help="Go on from the progress file.")] = False,
    progress_folder: Annotated[Path, typer.Option(help="Where progress is kept.")] = Path("runs/fuzz"),
    result: Annotated[Path | None, typer.Option(help="Write the counts here.")] = None,
    replay_file: Annotated[Path | None, typer.Option("--replay", help="First line of a transcript.")] = None,
) -> None:
    console = Console()
    try:
        if replay_file is not None:
            replay(json.loads(replay_file.read_text(encoding="utf-8").splitlines()[0]))
            console.print("No difference.")
            return
        runs = []
        with Progress(console=console) as progress:
            for name in ruleset:
                run = Run(name, seed, progress_folder, resume)
                run.play(tries, game_tries, full_every, progress)
                runs.append(run)
                if result is not None:
                    write_json(result, result_of(runs))
        console.print(table_of(runs))
    except RefereesDifferError as difference:
        console.print(str(difference), markup=False, highlight=False, soft_wrap=True)
        raise typer.Exit(1) from None


if __name__ == "__main__":
    app()
