"""What the long runs share: counts that survive a kill, and results to which each run adds.

A run has a seed, and its steps are numbered, so that one that was stopped goes on as if it had not been. A
result is the sum of runs, of which each names its commit and the digest of the rules that it ran: what would
take days is made of runs of an hour.
"""

from __future__ import annotations

import hashlib
import json
import os
import platform
import shlex
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from importlib import metadata
from pathlib import Path
from typing import Any

from rich.progress import Progress
from rich.table import Table

ROOT = Path(__file__).resolve().parent.parent


def _digest() -> str:
    state = hashlib.sha256()
    for folder in ("core", "games"):
        for source in sorted((ROOT / "ks_env" / folder).rglob("*.py")):
            state.update(str(source.relative_to(ROOT)).encode() + b"\0" + source.read_bytes())
    return state.hexdigest()[:20]


def _commit() -> str:
    command = ["git", "-C", str(ROOT), "describe", "--always", "--dirty", "--exclude", "*"]
    try:
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return "unknown"


# As they were when this process began.
COMMIT = _commit()
SOURCES = _digest()  # of ks_env/core and ks_env/games

SAVE_EVERY_S = 10.0


def write_json(path: Path, value: object) -> None:
    """Write aside and rename, so that a kill leaves the old file or the new one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    aside = path.with_name(path.name + ".new")
    aside.write_text(json.dumps(value, indent=2) + "\n", encoding="utf-8")
    os.replace(aside, path)


class Run:
    """Counts of one game or ruleset under one seed, and the file that keeps them."""

    def __init__(self, name: str, seed: int, folder: Path, resume: bool) -> None:
        self.name, self.seed = name, seed
        self.path = folder / f"{name}-{seed}.json"
        saved = self._load() if resume else {}
        self.commit: str = saved.get("commit", COMMIT)
        self.seconds: float = saved.get("seconds", 0.0)
        self.steps: int = saved.get("steps", 0)
        self.counts: Counter[str] = Counter(saved.get("counts", {}))

    def _load(self) -> dict[str, Any]:
        """What was kept, or nothing; only a run of these very sources may be resumed."""
        if not self.path.exists():
            return {}
        state = json.loads(self.path.read_text(encoding="utf-8"))
        assert isinstance(state, dict), self.path
        if state.get("sources") != SOURCES:
            raise SystemExit(f"{self.path} was made with other sources of ks_env; run without --resume")
        return state

    def save(self) -> None:
        write_json(self.path, self.state())

    def state(self) -> dict[str, Any]:
        """As it is kept, and as it stands in a result."""
        return {
            "name": self.name,
            "seed": self.seed,
            "commit": self.commit,
            "sources": SOURCES,
            "steps": self.steps,
            "seconds": round(self.seconds, 1),
            "counts": dict(sorted(self.counts.items())),
        }

    def go_on(
        self, unit: str, most: int, step: Callable[[int, Counter[str]], None], progress: Progress
    ) -> None:
        """Count steps until there are `most` of a unit; each is handed its number and the counts."""
        task = progress.add_task(self.name, total=most, completed=self.counts[unit])
        began = saved = time.monotonic()
        while self.counts[unit] < most:
            found: Counter[str] = Counter()
            step(self.steps, found)
            self.counts += found
            self.steps += 1
            now = time.monotonic()
            self.seconds, began = self.seconds + now - began, now
            progress.update(task, completed=min(self.counts[unit], most))
            if now - saved > SAVE_EVERY_S:
                self.save()
                saved = now
        self.save()


def add_to_result(path: Path, unit: str, runs: Sequence[Run], **words: Any) -> None:
    """Write runs into a result, beside those of other seeds or of other sources that it has already."""
    before = json.loads(path.read_text(encoding="utf-8")).get("runs", []) if path.exists() else []
    kept = {(run["name"], run["seed"], run["sources"]): run for run in [*before, *(r.state() for r in runs)]}
    total: dict[str, Counter[str]] = {}
    for run in kept.values():
        total.setdefault(run["name"], Counter()).update({unit: run["counts"][unit]})
    write_json(path, {**words, "in all": total, "runs": list(kept.values())})


def table_of(runs: Sequence[Run], title: str) -> Table:
    """What was counted, a column a run."""
    table = Table("counted", *(run.name for run in runs), title=title)
    for name in sorted(set().union(*(run.counts for run in runs))):
        table.add_row(name, *(f"{run.counts[name]:,}" for run in runs))
    table.add_row("seconds", *(f"{run.seconds:,.0f}" for run in runs))
    return table


def provenance(module: str) -> dict[str, str]:
    """Command, commit, digest of the sources and versions behind a result."""
    versions = {name: metadata.version(name) for name in ("chess", "numpy", "numba")}
    return {
        "command": shlex.join(["python", "-m", module, *sys.argv[1:]]),
        "commit": COMMIT,
        "sources": SOURCES,
        "python": platform.python_version(),
        **versions,
    }
