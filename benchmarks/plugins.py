"""Which frameworks train on the environment, each in a virtual environment of its own: `make plugins`.

    python -m benchmarks.plugins --only sb3_ppo --seconds 60

Each program of `examples/plugins` is run as it stands, with this package and what `requirements/<name>.txt`
there names installed by pip. What `requirements/loose/<name>.txt` names is installed without its
dependencies: its metadata excludes the Gymnasium that this package needs, and it works with it all the same.
What fails is told by its last line. Tries a second of processor time stand beside those of a plain loop:
random tries in the native vector environment, with the same terms, measured before each program. With
`--only`, the other rows of the folder `--out` stay as they are.
"""

import json
import os
import re
import subprocess
import sys
import time
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer
from rich.console import Console

from benchmarks.machine import describe
from ks_env import GameVectorEnv

FOLDER = Path("examples/plugins")
LOCK = Path("requirements/lock.txt")
SAID = re.compile(r"(\d+) tries in ([\d.]+) s; won (\d+) of (\d+) games")
PATIENCE = 900.0  # seconds on top of the training, for kernels, evaluation and other work on the machine
COLUMNS = (
    "program",
    "framework",
    "works",
    "lines",
    "trained",
    "tries/s",
    "of a plain loop",
    "load",
    "won of the games",
)


def programs() -> list[str]:
    """The names of all programs."""
    return sorted(path.stem for path in (FOLDER / "requirements").glob("*.txt"))


def plain_loop(seconds: float = 5.0) -> float:
    """Random tries per second of processor time."""
    env = GameVectorEnv(64, "capture", terms="raw", shaping="material")
    seen, _ = env.reset(seed=1)
    rng = np.random.default_rng(1)
    env.step(seen["action_mask"].argmax(1))
    begun, steps = time.process_time(), 0
    while (spent := time.process_time() - begun) < seconds:
        seen, *_ = env.step((rng.random((64, 1859), np.float32) * seen["action_mask"]).argmax(1))
        steps += 64
    return steps / spent


def wants(name: str) -> list[str]:
    """What the files say that a program needs, and what of it is installed without dependencies."""
    files = [FOLDER / "requirements" / part / f"{name}.txt" for part in (".", "loose")]
    return [file.read_text(encoding="utf-8") if file.exists() else "" for file in files]


def environment(name: str, folder: Path) -> tuple[Path, str]:
    """A virtual environment with what a program needs: its Python, and what went wrong, if anything did.

    Programs that need the same share one, named after the first of them. PyTorch is everywhere that of the
    lock file, so that the programs differ by their frameworks.
    """
    place = folder / next(other for other in programs() if wants(other) == wants(name))
    python = place / "bin" / "python"
    if not (place / "ready").exists():
        subprocess.run([sys.executable, "-m", "venv", "--clear", str(place)], check=True)
        lock = LOCK.read_text(encoding="utf-8").splitlines()
        torch = [line for line in lock if line.startswith("torch==")]
        wanted = ["-e", ".[train]", *torch, "-r", str(FOLDER / "requirements" / f"{name}.txt")]
        command = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *wanted]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        loose = FOLDER / "requirements" / "loose" / f"{name}.txt"
        if done.returncode == 0 and loose.exists():
            command[4:] = ["--quiet", "--no-deps", "-r", str(loose)]
            done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            return python, last_line(done.stderr)
        (place / "ready").touch()
    return python, ""


def last_line(text: str) -> str:
    """The last line that says something."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return lines[-1] if lines else "nothing was said"


def requirement_of(name: str) -> tuple[str, bool]:
    """The framework as a program's requirements name it first, and whether it is installed past its pins."""
    loose = FOLDER / "requirements" / "loose" / f"{name}.txt"
    file = loose if loose.exists() else FOLDER / "requirements" / f"{name}.txt"
    lines = [line for line in file.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    return lines[0].strip(), loose.exists()


def tried(name: str, seconds: float, folder: Path) -> dict[str, Any]:
    """What came of a program: `works`, and `fault` or the figures that it said."""
    source = (FOLDER / f"{name}.py").read_text(encoding="utf-8")
    requirement, loose = requirement_of(name)
    outcome: dict[str, Any] = {
        "program": name,
        "framework": requirement,
        "lines": source.count("\n"),
        "past_its_pins": loose,
    }
    python, fault = environment(name, folder)
    if fault:
        return outcome | {"works": False, "fault": f"not installed: {fault}"}
    package = re.split(r"[\[<>=]", requirement)[0]
    asked = [str(python), "-c", f"from importlib.metadata import version; print(version({package!r}))"]
    outcome["framework"] = f"{package} {subprocess.check_output(asked, text=True).strip()}"
    command = [str(python), str(FOLDER / f"{name}.py"), "--seconds", str(seconds)]
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, check=False, timeout=4 * seconds + PATIENCE
        )
    except subprocess.TimeoutExpired as late:
        return outcome | {"works": False, "fault": f"did not end in {late.timeout:.0f} s"}
    said = SAID.search(done.stdout)
    if done.returncode != 0 or said is None:
        return outcome | {"works": False, "fault": last_line(done.stderr)}
    tries, spent, won, games = map(float, said.groups())
    load = os.getloadavg()[0]
    rate = tries / spent
    return outcome | {
        "works": True,
        "tries": int(tries),
        "rate": rate,
        "won": won,
        "games": games,
        "load": load,
    }


def row(outcome: dict[str, Any]) -> str:
    """A row of the table, in Markdown."""
    cells = [f"`{outcome['program']}`", outcome["framework"]]
    if outcome["works"]:
        rate, won, games = outcome["rate"], outcome["won"], outcome["games"]
        cells += [
            "yes, past its pins" if outcome.get("past_its_pins") else "yes",
            str(outcome["lines"]),
            f"{outcome['tries'] / rate:.0f} s",
            f"{rate:,.0f}",
            f"{rate / outcome['plain_loop']:.1%}",
            f"{outcome['load']:.1f}" if "load" in outcome else "",
            f"{won:.0f} of {games:.0f}",
        ]
    else:
        cells += [outcome["fault"].replace("|", "/"), str(outcome["lines"]), "", "", "", "", ""]
    return "| " + " | ".join(cells) + " |"


def kept(out: Path | None, names: list[str]) -> list[dict[str, Any]]:
    """The rows of a folder that are not made anew."""
    if out is None or not (out / "plugins.json").exists():
        return []
    data = json.loads((out / "plugins.json").read_text(encoding="utf-8"))
    here = set(programs()) - set(names)
    return [each for each in data["programs"] if each["program"] in here]


def main(
    only: Annotated[str | None, typer.Option(help="Programs, with commas between.")] = None,
    seconds: Annotated[float, typer.Option(min=1, help="Of processor time for each to train.")] = 60.0,
    folder: Annotated[Path, typer.Option(help="For the virtual environments.")] = Path("runs/plugins"),
    out: Annotated[Path | None, typer.Option(help="Folder for plugins.json and table.txt.")] = None,
) -> None:
    """Build, run, and print the table."""
    names = programs() if only is None else only.split(",")
    if unknown := sorted(set(names) - set(programs())):
        raise typer.BadParameter(f"no program {unknown[0]!r}; expected some of {', '.join(programs())}")
    console = Console()
    outcomes: list[dict[str, Any]] = []
    for name in names:
        with console.status(f"{name}: {len(outcomes)} of {len(names)} are done"):
            outcomes.append({"plain_loop": plain_loop(), **tried(name, seconds, folder)})
        console.print(row(outcomes[-1]), soft_wrap=True, highlight=False)
    outcomes = sorted([*kept(out, names), *outcomes], key=lambda outcome: str(outcome["program"]))
    head = f"| {' | '.join(COLUMNS)} |\n|{'---|' * len(COLUMNS)}"
    table = "\n".join([head, *(row(outcome) for outcome in outcomes)])
    console.print(f"\n{table}", soft_wrap=True, highlight=False)
    if out is not None:
        out.mkdir(parents=True, exist_ok=True)
        about = describe(f"python -m benchmarks.plugins --seconds {seconds:g}")
        data = {"about": about, "programs": outcomes}
        (out / "plugins.json").write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")
        (out / "table.txt").write_text(table + "\n", encoding="utf-8")


if __name__ == "__main__":
    typer.run(main)
