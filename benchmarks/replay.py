"""How fast games are replayed: `python -m benchmarks.replay FILE.parquet`."""

import time
from pathlib import Path
from typing import Annotated

import typer
from ks_train.data.replay import Decisions, replay
from ks_train.data.schema import UNASKED, read_games
from rich.console import Console
from rich.table import Table

from ks_env.belief.encoders import make_encoder
from ks_env.games import game_named, serves

app = typer.Typer(add_completion=False)


@app.command(help=__doc__)
def main(
    games: Annotated[Path, typer.Argument(help="file of `ks generate`, or a folder of files")],
    rounds: Annotated[int, typer.Option(min=1, help="the best one counts")] = 3,
    encoder: Annotated[list[str] | None, typer.Option(help="beside the base planes; may be repeated")] = None,
) -> None:
    """Print decisions a second of processor time, on one core."""
    first = next(read_games(games))
    decisions: Decisions = "labelled" if (first.labels != UNASKED).any() else "all"
    table = Table("planes", "decisions", "a second", title=f"{games}: {decisions} decisions replayed")
    for name in (None, *(encoder or [])):
        made = make_encoder(name)
        if made is not None and not serves(made, game_named(first.settings[0].game)):
            continue
        best, count = 0.0, 0
        for _ in range(rounds + 1):  # the first loads the kernels
            begun = time.process_time()
            count = sum(map(len, replay(games, encoder=name, decisions=decisions)))
            best = max(best, count / (time.process_time() - begun))
        table.add_row(name or "base", f"{count:,}", f"{best:,.0f}")
    Console().print(table)


if __name__ == "__main__":
    app()
