"""The long leak run: pairs of games with one history for a seat, compared to the last byte.

    python -m tests.leaks.run --pairs 100000 --resume --result docs/results/leaks.json

Of Kriegspiel several games that look the same are played at once, and taken two by two. Pairs whose hidden
states never came to differ are played but not counted. The run may be stopped and resumed; `--result` adds
what was compared to the file, beside the runs of other seeds.
"""

from __future__ import annotations

import random
from collections import Counter
from functools import partial
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import Progress

from tests.games.dark.fuzzed import draw_dark_start
from tests.games.dark.twins import Twins as DarkTwins
from tests.games.dark.twins import dark_twins
from tests.leaks.invisible_twins import invisible_pair
from tests.leaks.probes import PROBES, LeakError
from tests.leaks.twins import ENCODED, ENCODERS, Twins, alike
from tests.long_run import Run, add_to_result, provenance, table_of
from tests.oracle import RULES

GAMES = (*RULES, "dark", "invisible")
GROUP = 5  # games that look the same, taken two by two
WHAT = (
    "pairs of games in different hidden states with one history for a seat, judged by an independent referee;"
    " all that the seat is shown compared byte for byte, and found the same. Of Kriegspiel five games with"
    " one history are taken two by two (groups); the particle filter is followed in one group of four"
)

app = typer.Typer(add_completion=False)


def compare_pair(number: int, counts: Counter[str], ruleset: str, seed: int) -> None:
    """One pair, counted where the hidden states came to differ.

    Raises:
        LeakError: the seat is shown different bytes.
    """
    pair: Twins | DarkTwins
    if ruleset == "invisible":
        unlike = invisible_pair(f"{seed} {number}")
        counts["pairs"] += bool(unlike.differences["hidden men"])
        counts["comparisons"] += unlike.differences.pop("comparisons")
        counts.update({f"differ: {name}": n for name, n in unlike.differences.items()})
        counts["groups"] += 1
        return
    if ruleset == "dark":
        pair = dark_twins(f"{seed} {number}", draw_dark_start(random.Random(f"dark pairs {seed} {number}")))
        counts["pairs"] += bool(pair.differences)
    else:
        pair = alike(number, ruleset, seed, GROUP)
        counts["pairs"] += len(pair.differing)
        counts.update({f"comparisons of the encoder {name}": pair.comparisons for name in pair.followed})
    counts["groups"] += 1
    counts["comparisons"] += pair.comparisons
    counts.update({f"differ: {name}": n for name, n in pair.differences.items()})


@app.command(help=__doc__)
def main(
    pairs: Annotated[int, typer.Option(min=1, help="Pairs in all, shared by the rulesets.")] = 600,
    ruleset: Annotated[list[str], typer.Option(help="Or dark, or invisible; may be repeated.")] = list(GAMES),  # noqa: B006
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
                step = partial(compare_pair, ruleset=run.name, seed=seed)
                run.go_on("pairs", -(-pairs // len(runs)), step, progress)
    except LeakError as leak:
        console.print(str(leak), markup=False, highlight=False, soft_wrap=True)
        raise typer.Exit(1) from None
    if result is not None:
        shown = [*PROBES, *(f"{ENCODED} of the encoder {name}" for name in ENCODERS)]
        words = {"what": WHAT, "made with": provenance("tests.leaks.run"), "shown": shown}
        add_to_result(result, "pairs", runs, **words)
    console.print(table_of(runs, "No leak"))


if __name__ == "__main__":
    app()
