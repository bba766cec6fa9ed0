"""Fuzzers, each in a process of its own, so that a crash is found too.

    python -m tests.fuzzers                             # a minute each
    python -m tests.fuzzers --seconds 600 --seed 7 --only FEN
    python -m tests.fuzzers --only FEN --seed 7 --number 123    # one input again

A found case is printed and makes the exit status 1.
"""

import os
import subprocess
import sys
import tempfile
from contextlib import nullcontext
from pathlib import Path
from typing import Annotated

import typer

from tests.fuzzers.driver import FoundError, Fuzzer, attempt, run
from tests.fuzzers.subjects import FUZZERS

CLOSING = 900.0  # seconds beyond its own that a fuzzer's process may take: to compile, on a busy machine
app = typer.Typer(add_completion=False)


def here(fuzzer: Fuzzer, seed: int, seconds: float, number: int | None, noted: Path | None) -> None:
    """Run one fuzzer in this process; each input's number is noted before it is tried."""
    if number is not None:
        fuzzer.ready()
        typer.echo("refused" if attempt(fuzzer, seed, number) else "answered")
        return
    with nullcontext() if noted is None else noted.open("wb", buffering=0) as file:
        note = (lambda at: os.pwrite(file.fileno(), b"%d" % at, 0)) if file is not None else (lambda at: None)
        inputs, refused = run(fuzzer, seed, seconds, note)
    typer.echo(f"{fuzzer.name}: {inputs:,} inputs, {refused:,} of them refused")


def apart(fuzzer: Fuzzer, seed: int, seconds: float) -> bool:
    """Run one fuzzer in a process of its own; whether nothing was found."""
    with tempfile.TemporaryDirectory() as folder:
        noted = Path(folder) / "number"
        command = [sys.executable, "-m", "tests.fuzzers", "--only", fuzzer.name, "--seed", str(seed)]
        command += ["--seconds", str(seconds), "--noted", str(noted)]
        try:
            status = subprocess.run(command, check=False, timeout=seconds + CLOSING).returncode
        except subprocess.TimeoutExpired:
            status = None
        if status in (None, *range(-64, 0)):
            number = noted.read_text() if noted.exists() else "none"
            what = "hangs" if status is None else f"ends by signal {-status}"
            typer.echo(f"{fuzzer.name}, seed {seed}, input {number}: the process {what}")
    return status == 0


@app.command(help=__doc__)
def main(
    seconds: Annotated[float, typer.Option(help="For each fuzzer.", min=0)] = 60.0,
    seed: Annotated[int, typer.Option(help="Of the inputs.")] = 1,
    only: Annotated[str | None, typer.Option(help="This fuzzer alone.")] = None,
    number: Annotated[int | None, typer.Option(help="With --only: this input alone.")] = None,
    noted: Annotated[Path | None, typer.Option(help="With --only: keeps the number of the input.")] = None,
) -> None:
    chosen = [fuzzer for fuzzer in FUZZERS if only in (None, fuzzer.name)]
    if not chosen:
        raise typer.BadParameter(f"{only!r}; expected one of {', '.join(each.name for each in FUZZERS)}")
    try:
        if only is not None:
            here(chosen[0], seed, seconds, number, noted)
            return
    except FoundError as found:
        typer.echo(str(found))
        raise typer.Exit(1) from None
    well = [apart(fuzzer, seed, seconds) for fuzzer in chosen]  # all of them, whatever one finds
    if not all(well):
        raise typer.Exit(1)


if __name__ == "__main__":
    app()
