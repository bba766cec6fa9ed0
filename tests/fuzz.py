"""Random games before the compiled referee and before another one, for Kriegspiel on python-chess.

    python -m tests.fuzz                                      # 100,000 tries a ruleset, and of dark chess
    python -m tests.fuzz --tries 10000000 --resume --result docs/results/fuzz.json
    python -m tests.fuzz --replay transcript.json             # a failed game again, everything compared

Every try is put to both, and what both players hear, the board, the legal tries and both masks are compared
each time; a difference ends the run with a transcript. Games are numbered and each has a seed of its own, so
that a run that was stopped goes on (`--resume`) as if it had not been. `--result` adds what was played to
the file, beside the runs of other seeds.
"""

from __future__ import annotations

import gc
import json
import random
from collections import Counter
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import Progress

from tests.duel import RefereesDifferError, replay
from tests.games.dark.fuzzed import play_dark, replay_dark
from tests.long_run import Run, add_to_result, provenance, table_of
from tests.oracle import RULES
from tests.random_games import play_game

GAMES = (*RULES, "dark")
WHAT = (
    "random games before ks_env and before an independent referee, on python-chess or, of dark chess,"
    " on plain lists of squares; no difference in any of them"
)

app = typer.Typer(add_completion=False)


@app.command(help=__doc__)
def main(
    ruleset: Annotated[list[str], typer.Option(help="Ruleset, or dark; may be repeated.")] = list(GAMES),  # noqa: B006
    tries: Annotated[int, typer.Option(min=1, help="Tries for each ruleset.")] = 100_000,
    seed: Annotated[int, typer.Option(help="Seed of the run.")] = 1,
    game_tries: Annotated[int, typer.Option(min=1, help="A game stops after this many tries.")] = 250,
    full_every: Annotated[
        int,
        typer.Option(min=1, help="By the methods of Game: compare all each so many tries."),
    ] = 10,
    resume: Annotated[bool, typer.Option(help="Go on from the progress file.")] = False,
    progress_folder: Annotated[Path, typer.Option(help="Where progress is kept.")] = Path("runs/fuzz"),
    result: Annotated[Path | None, typer.Option(help="Write the counts here.")] = None,
    replay_file: Annotated[Path | None, typer.Option("--replay", help="First line of a transcript.")] = None,
) -> None:
    console = Console()
    try:
        if replay_file is not None:
            recipe = json.loads(replay_file.read_text(encoding="utf-8").splitlines()[0])
            (replay_dark if recipe["ruleset"] == "dark" else replay)(recipe)
            console.print("No difference.")
            return
        gc.set_threshold(50_000)  # the games make much litter that is not cyclic
        runs = [Run(name, seed, progress_folder, resume) for name in ruleset]
        with Progress(console=console) as progress:
            for run in runs:

                def step(number: int, counts: Counter[str], name: str = run.name) -> None:
                    rng = random.Random(f"{seed} {name} {number}")
                    (play_dark if name == "dark" else play_game)(rng, name, game_tries, full_every, counts)

                run.go_on("tries", tries, step, progress)
                if result is not None:
                    words = {"what": WHAT, "made with": provenance("tests.fuzz")}
                    add_to_result(result, "tries", runs[: runs.index(run) + 1], **words)
        console.print(table_of(runs, "No difference"))
    except RefereesDifferError as difference:
        console.print(str(difference), markup=False, highlight=False, soft_wrap=True)
        raise typer.Exit(1) from None


if __name__ == "__main__":
    app()
