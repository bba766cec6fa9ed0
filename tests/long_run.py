"""What the long runs share: progress files that survive a kill, and what a result was made with."""

from __future__ import annotations

import hashlib
import json
import os
import platform
import shlex
import subprocess
import sys
from importlib import metadata
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent


def _digest() -> str:
    state = hashlib.sha256()
    for folder in ("core", "spaces"):
        for source in sorted((ROOT / "ks_env" / folder).glob("*.py")):
            state.update(source.name.encode() + b"\0" + source.read_bytes())
    return state.hexdigest()[:20]


def _commit() -> str:
    command = ["git", "-C", str(ROOT), "describe", "--always", "--dirty", "--exclude", "*"]
    try:
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return "unknown"


# As they were when this process began.
COMMIT = _commit()
SOURCES = _digest()  # of ks_env/core and ks_env/spaces


def write_json(path: Path, value: object) -> None:
    """Write aside and rename, so that a kill leaves the old file or the new one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    aside = path.with_name(path.name + ".new")
    aside.write_text(json.dumps(value, indent=2) + "\n", encoding="utf-8")
    os.replace(aside, path)


def save_progress(path: Path, state: dict[str, Any]) -> None:
    """Keep the state of a run and the digest of the sources that it ran."""
    write_json(path, {"sources": SOURCES, **state})


def load_progress(path: Path) -> dict[str, Any]:
    """The state that was kept, or nothing; only a run of these very sources may be resumed."""
    if not path.exists():
        return {}
    state = json.loads(path.read_text(encoding="utf-8"))
    assert isinstance(state, dict), path
    if state.get("sources") != SOURCES:
        raise SystemExit(f"{path} was made with other sources of ks_env than today's; run without --resume")
    return state


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
