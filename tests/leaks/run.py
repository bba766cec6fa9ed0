"""The long leak run: pairs of games with one history for a seat, compared to the last byte.

    python -m tests.leaks.run --pairs 10000 --resume --result docs/results/leaks.json

Pairs whose hidden states never came to differ are played but not counted. The run may be stopped and resumed.
"""

from __future__ import annotations

import time
from collections import Counter
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from tests.leaks.probes import PROBES, LeakError
from tests.leaks.twins import ENCODED, ENCODERS, twins
from tests.long_run import load_progress, provenance, save_progress, write_json
from tests.oracle import RULES

SAVE_EVERY = 20  # pairs

app = typer.Typer(add_completion=False)


class Run:
    """The pairs of one ruleset under one seed: counts so far, and the file that keeps them."""

    def __init__(self, ruleset: str, seed: int, folder: Path, resume: bool) -> None:
        self.ruleset, self.seed = ruleset, seed
        self.path = folder / f"{ruleset}-{seed}.json"
        saved = load_progress(self.path) if resume else {}
        self.seconds: float = saved.get("seconds", 0.0)
        self.played: int = saved.get("played", 0)
        self.counts: Counter[str] = Counter(saved.get("counts", {}))

    def save(self) -> None:
        state = {"seconds": round(self.seconds, 1), "played": self.played, "counts": dict(self.counts)}
        save_progress(self.path, state)

    def play(self, pairs: int, progress: Progress) -> None:
        """Play until `pairs` pairs with different hidden states are reached."""
        task = progress.add_task(self.ruleset, total=pairs, completed=self.counts["pairs"])
        while self.counts["pairs"] < pairs:
            began = time.monotonic()
            for pair in twins(SAVE_EVERY, self.ruleset, self.seed, first=self.played):
                self.played += 1
                self.counts["pairs"] += bool(pair.differences)
                self.counts["comparisons"] += pair.comparisons
                self.counts.update({f"differ: {name}": n for name, n in pair.differences.items()})
                progress.update(task, completed=min(self.counts["pairs"], pairs))
            self.seconds += time.monotonic() - began
            self.save()


def table_of(runs: list[Run]) -> Table:
    table = Table("compared", *(run.ruleset for run in runs), title="No leak")
    for name in sorted(set().union(*(run.counts for run in runs))):
        table.add_row(name, *(f"{run.counts[name]:,}" for run in runs))
    return table


def result_of(runs: list[Run]) -> dict[str, Any]:
    return {
        "what": "pairs of games in different hidden states with one history for a seat, judged by an"
        " independent referee on python-chess; all that the seat is shown compared byte for byte",
        "made with": provenance("tests.leaks.run"),
        "shown": [*PROBES, *(f"{ENCODED} of the encoder {name}" for name in ENCODERS)],
        "pairs": sum(run.counts["pairs"] for run in runs),
        "leaks": 0,
        "rulesets": {
            run.ruleset: {"seed": run.seed, "seconds": round(run.seconds), **dict(sorted(run.counts.items()))}
            for run in runs
        },
    }


@app.command(help=__doc__)
def main(
    pairs: Annotated[int, typer.Option(min=1, help="Pairs in all, shared by the rulesets.")] = 600,
    ruleset: Annotated[list[str], typer.Option(help="Ruleset; may be repeated.")] = list(RULES),  # noqa: B006
    seed: Annotated[int, typer.Option(help="Seed of the run.")] = 1,
    resume: Annotated[bool, typer.Option(help="Go on from the progress files.")] = False,
    progress_folder: Annotated[Path, typer.Option(help="Where progress is kept.")] = Path("runs/leaks"),
    result: Annotated[Path | None, typer.Option(help="Write the counts here.")] = None,
) -> None:
    console = Console()
    runs = [Run(name, seed, progress_folder, resume) for name in ruleset]
    try:
        with Progress(console=console) as progress:
            for run in runs:
                run.play(-(-pairs // len(runs)), progress)
    except LeakError as leak:
        console.print(str(leak), markup=False, highlight=False, soft_wrap=True)
        raise typer.Exit(1) from None
    if result is not None:
        write_json(result, result_of(runs))
    console.print(table_of(runs))


if __name__ == "__main__":
    app()
