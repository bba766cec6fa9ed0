"""What a player's process may not do, as far as this system can keep it from it.

Bubblewrap (`bwrap`) is used where it is installed and may be used: no network, no other processes in sight,
no writing but in a folder that is thrown away. Else `unshare`, which takes away network and processes.
Memory is limited everywhere but on systems without `ulimit -v`, the number of processes for all but root.
"""

import os
import shutil
import subprocess
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from ks_env.core.cache import cache_root

PROBE = 20.0  # seconds
BWRAP = ("--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--unshare-all", "--die-with-parent")
UNSHARE = ("--user", "--map-root-user", "--net", "--pid", "--fork", "--kill-child", "--mount-proc")
# Standard error is a pipe from this process: when it has ended, so does all that it has started.
LEASH = '(read -r _ <&2; kill -9 0) >/dev/null & exec "$@" 2>/dev/null'
LIMITS = (
    'ulimit -c 0; ulimit -v "$1" 2>/dev/null;'
    ' [ -z "$2" ] || ulimit -u "$2" 2>/dev/null || ulimit -p "$2" 2>/dev/null; shift 2; exec "$@"'
)
KEPT = ("PATH", "HOME", "LANG", "LC_ALL", "TZ", "NUMBA_", "KS_ENV_", "XDG_CACHE_HOME", "SYSTEMROOT")


@dataclass(frozen=True)
class Cage:
    """Limits of one process.

    Attributes:
        memory: MiB of address space.
        processes: how many processes and threads it may have, for all but root.
        answer: bytes of its longest answer.
    """

    memory: int = 8192
    processes: int = 256
    answer: int = 65_536


DEFAULT_CAGE = Cage()


@dataclass(frozen=True)
class Walls:
    """What the system offers.

    Attributes:
        words: what is kept from the player, for results.
        command: what is put before its command.
        complete: neither network nor writing is left to it.
    """

    words: str
    command: tuple[str, ...]
    complete: bool


@cache
def walls() -> Walls:
    """What this system offers, found out once a process by trying."""
    bwrap, unshare = shutil.which("bwrap"), shutil.which("unshare")
    if bwrap and _works([bwrap, *BWRAP]):
        return Walls("no network, no writing outside its folder (bwrap)", (bwrap, *BWRAP), complete=True)
    if unshare and _works([unshare, *UNSHARE]):
        return Walls("no network; may write files (unshare)", (unshare, *UNSHARE), complete=False)
    return Walls("network and files are open to it", (), complete=False)


def _works(command: list[str]) -> bool:
    try:
        done = subprocess.run(
            [*command, "true"], stdin=subprocess.DEVNULL, capture_output=True, timeout=PROBE, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0


def caged(command: list[str], cage: Cage, folder: Path) -> list[str]:
    """The command with limits and walls around it; it may write in `folder`, if anywhere.

    Its standard error has to be a pipe on which nothing comes: all of its process group ends with the pipe.
    """
    found = walls()
    front = list(found.command)
    if found.complete:
        front += ["--bind", str(folder), str(folder), "--chdir", str(folder), "--new-session"]
    if os.name != "posix":
        return command
    processes = "" if os.geteuid() == 0 else str(_processes_now() + cage.processes)
    limited = ["/bin/sh", "-c", LIMITS, "sh", str(cage.memory * 1024), processes, *command]
    return ["/bin/sh", "-c", LEASH, "sh", *front, *limited]


def _processes_now() -> int:
    """Processes and threads of this user, which the limit counts too."""
    count = 0
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            if entry.stat().st_uid == os.geteuid():
                count += len(os.listdir(entry / "task"))
        except OSError:  # it has just ended
            continue
    return count


def surroundings(folder: Path, paths: list[str]) -> dict[str, str]:
    """The environment of a player: nothing of ours but where programs and kernels are."""
    kept = {name: value for name, value in os.environ.items() if name.startswith(KEPT)}
    return kept | {
        "TMPDIR": str(folder),
        "KS_ENV_CACHE_DIR": str(_cache_in(folder)),
        "PYTHONPATH": os.pathsep.join(paths),
        "PYTHONHASHSEED": "0",
        "PYTHONDONTWRITEBYTECODE": "1",
        "OMP_NUM_THREADS": "1",
        "OPENBLAS_NUM_THREADS": "1",
    }


def _cache_in(folder: Path) -> Path:
    """A folder for compiled kernels that may be written, with all in it that is kept on this machine."""
    cache, kept = folder / "kernels", cache_root()
    cache.mkdir()
    if kept.is_dir():
        for entry in kept.iterdir():
            (cache / entry.name).symlink_to(entry.resolve())
    return cache
