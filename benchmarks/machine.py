"""What the numbers were measured on."""

import os
import platform
import sys
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

PACKAGES = (
    "ks-env",
    "numpy",
    "numba",
    "gymnasium",
    "pettingzoo",
    "chess",
    "torch",
    "stable-baselines3",
    "sb3-contrib",
    "open-spiel",
    "shimmy",
)


def processor() -> str:
    """Name of the processor."""
    info = Path("/proc/cpuinfo")
    if info.exists():
        for line in info.read_text().splitlines():
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    return platform.processor() or platform.machine()


def package_version(name: str) -> str:
    """Installed version of a package."""
    try:
        return version(name)
    except PackageNotFoundError:
        return "not installed"


def describe(command: str) -> dict[str, Any]:
    """Processor, cores, load, versions, date."""
    return {
        "date": datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC"),
        "command": command,
        "processor": processor(),
        "cores": os.cpu_count(),
        "load_before": [round(load, 2) for load in os.getloadavg()],
        "system": f"{platform.system()} {platform.machine()}",
        "python": sys.version.split()[0],
        "versions": {name: package_version(name) for name in PACKAGES},
    }
