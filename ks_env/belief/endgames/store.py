"""Solved endings on disk, beside the folders of compiled kernels.

One file an ending, in a folder named by a digest of the solver's source and of all that it imports, so that
an edit of either never meets an older solution. A file is written aside and renamed. A damaged one is named
on stderr, and the ending is solved anew.
"""

import io
import os
import re
import shutil
import sys
import time
import zipfile
import zlib
from pathlib import Path

import numpy as np

from ks_env.belief.endgames.ending import Ending
from ks_env.belief.endgames.placements import Placements
from ks_env.belief.endgames.solver import WinningSets, solve_sets
from ks_env.core.cache import cache_root, digest, write_aside

FORMAT = 1
KEPT = 2  # folders of solutions
KINDS = [np.dtype(kind) for kind in ("i8", "u8", "u1")]  # of the three arrays of a solution
FOLDER_NAME = re.compile(r"endgames-v\d+-[0-9a-f]+")
# What a damaged or foreign file may raise when it is read
FAULTS = (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile, zlib.error, NotImplementedError)


def _say(text: str) -> None:
    print(f"ks_env: {text}", file=sys.stderr, flush=True)


def folder() -> Path:
    """The folder of the present solver's solutions, whether or not it exists."""
    return cache_root() / f"endgames-v{FORMAT}-{digest([WinningSets.__module__])}"


def file_of(ending: Ending) -> Path:
    """Where an ending's solution is kept."""
    return folder() / f"{ending.name}.npz"


def _check(wins: WinningSets, places: Placements) -> None:
    """Raise ValueError if the arrays cannot be a solution of an ending with these placements."""
    first, sets, depths = wins.first, wins.sets, wins.depths
    if any(array.ndim != 1 for array in wins[:3]) or [array.dtype for array in wins[:3]] != KINDS:
        raise ValueError("expected arrays first i8[P + 1], sets u8[S], depths u1[S]")
    if len(first) != len(places.full) + 1 or first[0] != 0 or np.any(np.diff(first) < 0):
        raise ValueError(f"expected the sets of {len(places.full)} placements")
    if not (first[-1] == len(sets) == len(depths)):
        raise ValueError(f"expected {first[-1]} sets with their depths, got {len(sets)} and {len(depths)}")
    if np.any(sets & ~np.repeat(places.full, np.diff(first))):
        raise ValueError("a set holds squares on which the king cannot stand")


def load(ending: Ending, places: Placements) -> WinningSets | None:
    """The solution from disk; None if it is missing or cannot be read; the latter is said on stderr."""
    path = file_of(ending)
    if not path.exists():
        return None
    try:
        with np.load(path, allow_pickle=False) as file:
            wins = WinningSets(file["first"], file["sets"], file["depths"], int(file["levels"]))
        _check(wins, places)
    except FAULTS as fault:
        _say(f"{path} is damaged ({type(fault).__name__}: {fault}); {ending.name} is solved anew")
        return None
    return wins


def save(ending: Ending, wins: WinningSets) -> None:
    """Write a solution aside and rename it; where that is not possible, say so on stderr and go on."""
    path, content = file_of(ending), io.BytesIO()
    np.savez_compressed(content, **wins._asdict())
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_aside(path, content.getvalue())
        os.utime(path.parent)
    except OSError as fault:
        _say(f"{path} cannot be written ({fault}); {ending.name} is not kept")


def forget_old_solutions() -> None:
    """Keep the newest few folders of solutions; nothing else is touched."""
    own = [path for path in cache_root().iterdir() if FOLDER_NAME.fullmatch(path.name)]
    own.sort(key=lambda path: path.stat().st_mtime, reverse=True)
    for path in own[KEPT:]:
        shutil.rmtree(path, ignore_errors=True)


def winning_sets(ending: Ending, places: Placements) -> WinningSets:
    """The solution of an ending: from disk, or solved now and kept."""
    wins = load(ending, places)
    if wins is not None:
        return wins
    _say(f"solving {ending.name}, once for this version ...")
    begin = time.perf_counter()
    wins = solve_sets(ending, places)
    _say(f"solved in {time.perf_counter() - begin:.0f} s")
    save(ending, wins)
    if folder().exists():
        forget_old_solutions()
    return wins
