"""A child process and what it has started end together, however they are left."""

import os
import subprocess
import sys
import tempfile
import time
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from ks_arena.apart import cage
from ks_arena.apart.process import Process
from ks_arena.work.child import Child

pytestmark = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="there is no /proc")

SCRIPT = """
import os, signal, sys
from ks_arena.work.child import Child
from tests.arena.test_child import starts
child = Child(starts, "wait")
print(child.connection.recv(), flush=True)
{end}
"""
ENDS = {
    "exception": "raise RuntimeError",
    "terminated": "os.kill(os.getpid(), signal.SIGTERM)",
    "killed": "os.kill(os.getpid(), signal.SIGKILL)",
    "dropped": "child.connection.close()\nsys.stdin.read()",
}


def starts(connection: "Connection[Any, Any]", then: str) -> None:
    """Start a process, tell its number, and do what is asked for."""
    connection.send(subprocess.Popen(["sleep", "777"]).pid)
    if then == "wait":
        connection.recv()
    if then == "raise":
        raise RuntimeError
    if then == "die":
        os._exit(3)


def runs(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state not in "ZX"  # which has ended, and nobody has waited for it


def ends(pid: int) -> bool:
    limit = time.monotonic() + 10
    while runs(pid) and time.monotonic() < limit:
        time.sleep(0.02)
    return not runs(pid)


@pytest.mark.parametrize("end", ENDS)
def test_nothing_outlives_a_parent_that_does_not_end_its_child(end: str) -> None:
    command = [sys.executable, "-c", SCRIPT.format(end=ENDS[end])]
    pipes: Any = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
    with subprocess.Popen(command, text=True, **pipes) as parent:
        assert parent.stdout is not None
        pid = int(parent.stdout.readline())
        if end != "dropped":
            parent.wait()
        assert ends(pid)
        parent.kill()


@pytest.mark.parametrize("then", ["return", "raise", "die"])
@pytest.mark.parametrize("asked", [False, True])
def test_nothing_outlives_a_child_that_ends_by_itself(then: str, asked: bool) -> None:
    child = Child(starts, then)
    pid = child.connection.recv()
    child.process.join() if asked else time.sleep(0.3)
    child.end()
    assert ends(pid)


def starts_a_player(connection: "Connection[Any, Any]", folder: str) -> None:
    """Start a player's process without walls, which would end it anyway, and tell its number."""
    tempfile.tempdir = folder
    with patch.object(cage, "walls", return_value=cage.Walls("", (), complete=False)):
        process = Process(["sleep", "777"], cage.DEFAULT_CAGE)
    connection.send(process._process.pid)
    connection.recv()


def test_players_apart_end_with_the_process_that_asks_them(tmp_path: Path) -> None:
    child = Child(starts_a_player, str(tmp_path))
    pid = child.connection.recv()
    assert runs(pid)
    child.end()
    assert ends(pid)
