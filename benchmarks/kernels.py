"""Compiling the kernels from nothing, and loading them once compiled, each in a fresh process."""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from benchmarks.first_step import INTERFACES
from benchmarks.measure import spread

ROOT = Path(__file__).resolve().parent.parent


def first_step(interface: str, cache: str) -> dict[str, float]:
    """Seconds of importing, of the first steps, and of the processor for all; `cache` holds the kernels."""
    environment = {**os.environ, "KS_ENV_CACHE_DIR": cache}
    command = [sys.executable, "-m", "benchmarks.first_step", interface]
    done = subprocess.run(command, env=environment, cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(command)} failed:\n{done.stderr}")
    times: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return times


def measure_kernels(interfaces: Sequence[str], warm_runs: int) -> list[dict[str, Any]]:
    """Seconds to compile (once, from an empty folder) and to load (several times)."""
    rows = []
    for interface in interfaces:
        with tempfile.TemporaryDirectory(prefix="ks-env-kernels-") as cache:
            cold = first_step(interface, cache)
            warm = [first_step(interface, cache) for _ in range(warm_runs)]
        rows.append(
            {
                "interface": interface,
                "cold": cold["first_step"],
                "cpu": cold["cpu"],
                "warm": spread([times["first_step"] for times in warm]),
                "import": spread([times["import"] for times in warm]),
            }
        )
    return rows


ALL_INTERFACES = tuple(INTERFACES)
