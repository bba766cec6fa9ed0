"""What the long runs share: progress files that survive a kill, and what a result was made with."""

from __future__ import annotations

import json
import os
import platform
import shlex
import subprocess
import sys
from importlib import metadata
from pathlib import Path
from typing import Any

from ks_env.core.jit import digest

ROOT = Path(__file__).resolve().parent.parent


def write_json(path: Path, value: object) -> None:
    """Write aside and rename, so that a kill leaves the old file or the new one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    aside = path.with_name(path.name + ".new")
    aside.write_text(json.dumps(value, indent=2) + "\n", encoding="utf-8")
    os.replace(aside, path)


def save_progress(path: Path, state: dict[str, Any]) -> None:
    """Keep the state of a run and the digest of the kernels that it ran."""
    write_json(path, {"kernels": digest(), **state})


def load_progress(path: Path) -> dict[str, Any]:
    """The state that was kept, or nothing; only a run of these very kernels may be resumed."""
    if not path.exists():
        return {}
    state = json.loads(path.read_text(encoding="utf-8"))
    if state.get("kernels") != digest():
        raise SystemExit(f"{path} was made with other kernels than today's; run without --resume")
    assert isinstance(state, dict), path
    return state


def provenance(module: str) -> dict[str, str]:
    """Command, commit, digest of the kernels and versions behind a result."""
    versions = {name: metadata.version(name) for name in ("chess", "numpy", "numba")}
    return {
        "command": shlex.join(["python", "-m", module, *sys.argv[1:]]),
        "commit": _commit(),
        "kernels": digest(),
        "python": platform.python_version(),
        **versions,
    }


def _commit() -> str:
    command = ["git", "-C", str(ROOT), "describe", "--always", "--dirty", "--exclude", "*"]
    try:
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return "unknown"
