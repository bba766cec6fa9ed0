"""The table of the solved endings beside the known figures, for people and as a file."""

import json
import os
import platform
import sys
import time
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

from ks_env.belief.endgames.ending import ENDINGS, Ending
from ks_env.belief.endgames.retrograde import WinningSets, solve_sets
from ks_env.belief.endgames.table import Table, solve
from ks_env.belief.endgames.trials import KINGS, run_trials

SEED = 1
HEAD = f"{'ending':<7}{'placements':>11}{'sure wins':>11}{'moves':>8}   known"


def figures(table: Table) -> dict[str, Any]:
    """What the solution says of an ending, beside what is known of it."""
    moves = table.sure_placements()
    sure = moves[moves > 0]
    placements, wins, least, most = table.ending.known
    ours = [len(moves), len(sure), int(sure.min()), int(sure.max())]
    return {
        "placements": ours[0],
        "sure wins": ours[1],
        "moves, least": ours[2],
        "moves, most": ours[3],
        "known": {"placements": placements, "sure wins": wins, "moves, least": least, "moves, most": most},
        "agrees": ours == list(table.ending.known),
        "sure wins by moves": {str(n): int(np.sum(sure == n)) for n in range(ours[2], ours[3] + 1)},
        "winning sets": len(table.wins.sets),
        "longest win of any set": int(table.wins.depths.max()),
    }


def line(name: str, found: dict[str, Any]) -> str:
    """One line of the table."""
    known = found["known"]
    span = f"{found['moves, least']}–{found['moves, most']}"
    known_span = f"{known['moves, least']}–{known['moves, most']}"
    verdict = "the same" if found["agrees"] else "DIFFERENT"
    ours = f"{name:<7}{found['placements']:>11,}{found['sure wins']:>11,}{span:>8}"
    return f"{ours}   {known['sure wins']:,} of {known['placements']:,}, {known_span}: {verdict}"


def timed_solution(ending: Ending) -> tuple[WinningSets, float]:
    """Solve from scratch; the winning sets and the seconds of processor time."""
    begin = time.process_time()
    wins = solve_sets(ending)
    return wins, time.process_time() - begin


def study(ending: Ending, trials: int, timed: bool) -> dict[str, Any]:
    """Figures of one ending, with trials and the time to solve it where asked for."""
    table = solve(ending)
    found = figures(table)
    if timed:
        wins, seconds = timed_solution(ending)
        found["processor seconds to solve (the first one with compiling)"] = round(seconds, 1)
        found["same as the kept table"] = bool(np.array_equal(wins.sets, table.wins.sets))
    if trials:
        found["trials under the fifty-move rule"] = {
            f"{kind}, {king} king": run_trials(table, king, trials, SEED, sure=sure)
            for kind, sure in (("no sure win", False), ("sure win", True))
            for king in KINGS
        }
    return found


def write_aside(path: Path, text: str) -> None:
    """Write the file under another name and rename it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    aside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        aside.write_text(text, encoding="utf-8")
        os.replace(aside, path)
    finally:
        aside.unlink(missing_ok=True)


def report(names: list[str], trials: int, timed: bool, result: Path | None) -> bool:
    """Print the table of these endings, and write the figures to a file; whether all agree."""
    print(HEAD)
    found = {}
    for name in names:
        found[name] = study(ENDINGS[name], trials, timed)
        print(line(name, found[name]), flush=True)
    if result is not None:
        value = {
            "what": "Kriegspiel endings against a bare king solved exactly: placements up to symmetry from "
            "which mate is certain wherever the king stands, and moves to mate in the worst case",
            "made with": {
                "command": " ".join(["ks", *sys.argv[1:]]),
                "python": platform.python_version(),
                "numpy": version("numpy"),
                "numba": version("numba"),
                "seed of the trials": SEED,
            },
            "endings": found,
        }
        write_aside(result, json.dumps(value, indent=2, ensure_ascii=False) + "\n")
    return all(each["agrees"] for each in found.values())
