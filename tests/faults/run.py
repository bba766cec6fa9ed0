"""A thousand faults each in studies, `ks play`, files and trainings, written down.

    python -m tests.faults.run --faults 1000 --result docs/results/faults.json

After each fault nothing is lost or counted twice, or the run ends with an error.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Annotated, Any

import typer

from tests.long_run import ROOT, provenance, write_json

HERE = Path(__file__).parent
SIZES = {"study": 52, "play": 90, "files": 40, "training": 3}  # each makes more than 333 calls
FAULTS = ("the process ends", "no space left", "input/output error")
WHAT = (
    "processes ended, disks full and disks broken at calls that change files, spread over all of them;"
    " nothing was lost or counted twice after any, and the work went on to its end"
)


def build(folder: Path) -> Path | None:
    """Compile `faults.c`; None where that is not possible."""
    compiler = shutil.which("cc")
    if compiler is None or not sys.platform.startswith("linux"):
        return None
    made = folder / "faults.so"
    subprocess.run([compiler, "-shared", "-fPIC", "-O1", "-o", made, HERE / "faults.c", "-ldl"], check=True)
    return made


def drive(kind: str, library: Path, folder: Path, most: int, size: int) -> dict[str, Any]:
    """Run the driver for each kind of fault, all at once: how many calls there were, and how many faults.

    Raises:
        AssertionError: something was lost, with what the driver said.
    """
    with ThreadPoolExecutor(len(FAULTS)) as threads:
        found = list(
            threads.map(lambda n: _drive(kind, library, folder / str(n), most, size, FAULTS[n]), range(3))
        )
    return {"calls": found[0][0], "faults": {fault: n for fault, (_, n) in zip(FAULTS, found, strict=True)}}


def _drive(kind: str, library: Path, folder: Path, most: int, size: int, fault: str) -> tuple[int, int]:
    folder.parent.mkdir(exist_ok=True)
    paths = [str(ROOT), *(str(ROOT / room) for room in ("arena", "baselines", "train", "play"))]
    done = subprocess.run(
        [sys.executable, HERE / "driver.py", kind, library, folder, str(most), str(size), fault],
        env=os.environ | {"LD_PRELOAD": str(library), "PYTHONPATH": os.pathsep.join(paths)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    calls, faults = done.stdout.split()
    return int(calls), int(faults)


def main(
    faults: Annotated[int, typer.Option(help="of each kind of work, at least", min=3)] = 1000,
    kind: Annotated[list[str], typer.Option(help="of work; may be repeated")] = list(SIZES),  # noqa: B006
    result: Annotated[Path | None, typer.Option(help="write the counts here")] = None,
) -> None:
    """Run the faults and write how many there were."""
    there = result is not None and result.exists()
    found: dict[str, Any] = json.loads(result.read_text()) if result is not None and there else {}
    found["what"] = WHAT
    with tempfile.TemporaryDirectory() as name:
        library = build(Path(name))
        if library is None:
            raise SystemExit("needs a C compiler and Linux")
        for each in kind:
            found[each] = drive(each, library, Path(name) / "there", -(-faults // 3), SIZES[each])
            found[each]["faults in all"] = sum(found[each]["faults"].values())
            found[each]["made with"] = provenance("tests.faults.run")
            typer.echo(f"{each}: {found[each]}")
            if result is not None:
                write_json(result, found)


if __name__ == "__main__":
    typer.run(main)
