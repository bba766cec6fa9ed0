"""The command `ks calibrate`: how well location maps and other beliefs predict what is hidden."""

import json
import sys
from collections.abc import Sequence
from itertools import combinations_with_replacement
from pathlib import Path
from typing import Annotated, Any

import typer
from ks_arena.match.result import versions_text
from ks_arena.names import resolve, split_names
from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from ks_env.belief.location.layout import NO_DRIFT
from ks_env.belief.network import read_network
from ks_env.belief.particles import Particles, make_model
from ks_env.belief.particles.layout import particles_dtype
from ks_env.belief.profile import Profile, shipped_drifts
from ks_env.core.files import write_aside
from ks_env.render.replay_command import check_target

QUESTION_WORDS = {
    "king": "place of the king",
    "pawn": "a pawn on a square",
    "piece": "a piece on a square",
    "legal": "a try is legal",
    "capture": "a legal move of a piece captures",
    "check": "a legal move checks",
}


def calibrate(
    players: Annotated[
        str, typer.Option(help="Players, separated by commas; all pairings, also with themselves.")
    ] = "capture,darkboard:metapositions=1000",
    games: Annotated[int, typer.Option(min=1, help="Games of each pairing.")] = 20,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the games.")] = 1,
    profile: Annotated[
        str,
        typer.Option(help='The profile that location maps use: "shipped", "none", or a file of ks profile.'),
    ] = "shipped",
    quiet_plies: Annotated[
        int,
        typer.Option(min=0, max=100, help="Start games up to this many random quiet moves after the start."),
    ] = 0,
    network: Annotated[
        Path | None,
        typer.Option(help="Weights of ks train-belief, instead of the shipped ones of the same kind."),
    ] = None,
    particles: Annotated[
        int, typer.Option(min=0, help="Also judge a particle filter of this many boards; 0 for none.")
    ] = 0,
    model: Annotated[
        str, typer.Option(help='How particles model the opponent: "uniform" or "profile".')
    ] = "uniform",
    out: Annotated[Path | None, typer.Option(help="Folder for calibration.json and calibration.png.")] = None,
) -> None:
    """Compare location maps and other beliefs with the truth: log loss by phase, and reliability."""
    names = [resolve(name) for name in split_names(players)]
    if out is not None:
        out.mkdir(parents=True, exist_ok=True)
        check_target(out / "calibration.json")
    drifts = drifts_of(profile)
    filters = filters_of(particles, model)
    from ks_train.belief.calibration import Calibration, summarise

    calibration = Calibration(None if network is None else read_network(network), filters)
    pairs = list(combinations_with_replacement(names, 2))
    with Progress(console=Console(stderr=True)) as progress:
        line = progress.add_task("games", total=len(pairs) * games)
        for pair in pairs:
            for _ in calibration.play(pair, games, seed, drifts, quiet_plies):
                progress.advance(line)
    rows = summarise(calibration.samples, calibration.foreseers)
    Console().print(as_table(rows, calibration.foreseers))
    if out is not None:
        about = {"players": names, "games of each pairing": games, "seed": seed, "profile": profile}
        about |= {"quiet_plies": quiet_plies}
        if particles:
            about |= {"particles": particles, "model": model, "times dry": calibration.dry}
        _write(rows, out, about)


def drifts_of(profile: str) -> Any:
    """The drifts of the profile that the command line names.

    Raises:
        ValueError: the file is not a profile.
        OSError: it cannot be read.
    """
    if profile == "none":
        return NO_DRIFT
    if profile == "shipped":
        return shipped_drifts()
    return Profile.load(Path(profile)).smoothed().drifts()


def filters_of(particles: int, model: str) -> Any:
    """What makes the particle filters of the command line; None for none.

    Raises:
        ValueError: no such model, or too many boards.
    """
    if not particles:
        return None
    chosen = make_model(model)
    particles_dtype(particles)
    return lambda: Particles(particles, chosen)


def as_table(rows: list[dict[str, Any]], foreseers: Sequence[str]) -> Table:
    """Log losses with their intervals, and by how much others are below the location map's."""
    from ks_train.belief.calibration import BELOW

    below = {name: key for name, key in BELOW.items() if name in foreseers}
    table = Table(
        "question", "phase", "predictions", *foreseers, *(f"{name} below the map" for name in below)
    )
    for row in rows:
        losses = [
            _with_interval(row[f"log loss of the {name}"], row[f"interval of the {name}"])
            for name in foreseers
        ]
        better = [row[key] for key in below.values()]
        table.add_row(
            QUESTION_WORDS[row["question"]],
            row["phase"],
            f"{row['predictions']:,}",
            *losses,
            *(f"{mean:.1%} ({low:.1%} to {high:.1%})" for mean, low, high in better),
        )
    return table


def _with_interval(mean: float, interval: list[float]) -> str:
    return f"{mean:.3f} ({interval[0]:.3f} to {interval[1]:.3f})"


def _write(rows: list[dict[str, Any]], out: Path, settings: dict[str, Any]) -> None:
    from ks_train.belief.pictures import draw_reliability

    command = " ".join(["ks", *sys.argv[1:]])
    result = {"command": command, **settings, "versions": json.loads(versions_text()), "rows": rows}
    write_aside(out / "calibration.json", json.dumps(result, indent=1) + "\n")
    draw_reliability(rows, out / "calibration.png")
    typer.echo(f"wrote {out / 'calibration.json'} and {out / 'calibration.png'}")
