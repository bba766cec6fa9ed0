"""The levels of `ks play` and their ratings, from a tournament among them.

    ks tournament configs/studies/levels.yaml
    python -m research.play_ladder runs/levels/study.sqlite

What it writes by default is the file that the page reads.
"""

import json
from pathlib import Path
from typing import Annotated

import numpy as np
import typer
from ks_arena.statistics.ratings import fit_games, scale_of
from ks_arena.study.study import Study
from ks_play.ladder import FILE, MIDDLE, Ladder, Level

from ks_env.core.files import write_aside


def main(
    study: Annotated[Path, typer.Argument(help="File of the tournament.")],
    out: Annotated[Path, typer.Option(help="File to write.")] = FILE,
) -> None:
    """Write the ladder that a tournament has measured."""
    played = Study.read(study)
    games = played.games()
    fitted = fit_games(played.labels, games)
    levels = [
        Level(
            player=label,
            rating=round(MIDDLE + each.value),
            low=round(MIDDLE + each.low),
            high=round(MIDDLE + each.high),
            games=int(count),
        )
        for label, each, count in zip(fitted.labels, fitted.players, fitted.games, strict=True)
    ]
    kappa = float(fitted.parameters[-1])
    made = Ladder(
        game=played.config.game,
        ruleset=played.config.ruleset,
        levels=sorted(levels, key=lambda level: level.rating),
        white_advantage=round(fitted.white_advantage.value, 2),
        kappa=round(kappa, 4),
        scale=round(float(scale_of(np.array(kappa))), 3),
    )
    write_aside(out, json.dumps(made.model_dump(), indent=1) + "\n")


if __name__ == "__main__":
    typer.run(main)
