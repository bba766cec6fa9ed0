"""Commands that check figures of this project: `ks endings` and `ks coverage`."""

from pathlib import Path
from typing import Annotated

import typer


def endings(
    names: Annotated[list[str] | None, typer.Argument(help="such as KQK; all by default")] = None,
    trials: Annotated[int, typer.Option(min=0, help="games of each kind and ending")] = 0,
    timed: Annotated[bool, typer.Option("--timed", help="solve anew for the time it takes")] = False,
    result: Annotated[Path | None, typer.Option(help="JSON file for the figures")] = None,
) -> None:
    """Print the solved endings against a bare king beside the known figures; exit status 1 if one differs."""
    from ks_env.belief.endgames.ending import ENDINGS, ending_named
    from ks_env.belief.endgames.report import report

    chosen = [ending_named(name).name for name in names or ENDINGS]
    if not report(chosen, trials, timed, result):
        raise typer.Exit(1)


def coverage(
    studies: Annotated[int, typer.Option(min=10, help="of each scenario")] = 1000,
    seed: Annotated[int, typer.Option(min=0, help="of all draws")] = 1,
    result: Annotated[Path | None, typer.Option(help="JSON file for the figures")] = None,
) -> None:
    """Simulate studies: how often 95 % intervals hold the truth, and how often the sequential test errs."""
    from ks_arena.statistics.coverage import report_coverage

    report_coverage(studies, seed, result)
