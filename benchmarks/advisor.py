"""How many positions a second the fixed-depth search visits.

    python -m benchmarks.advisor --rounds 5

The positions are of games of the search against itself, some plies apart, in which each move is drawn from
nearly the best. Seconds are those of the process on its core, so that a busy machine takes none of them away.
Each round measures each depth once, over all positions.
"""

import argparse
import json
import os
import platform
import random
from collections.abc import Sequence
from pathlib import Path
from statistics import median
from time import process_time
from typing import Any

import chess
import numpy as np
from ks_baselines.advisors.chess.board import BOARD, from_truth
from ks_baselines.advisors.chess.moves import end_of, promotion_of, start_of
from ks_baselines.advisors.chess.search import new_scoring, score_moves
from rich.console import Console
from rich.table import Table

from ks_env.core.files import write_aside
from ks_env.core.layout import TRUTH
from ks_env.core.start import fill_truth

DEPTHS = (1, 2, 3)
GAMES, PLIES, APART = 8, 100, 6
NEARLY = 40  # centipawns below the best
SEED = 1

Array = np.ndarray[Any, Any]
Row = dict[str, float]


def sample_positions(games: int = GAMES, plies: int = PLIES) -> Array:
    """BOARD[N] from so many games, the same on every machine."""
    rng = random.Random(SEED)
    memory, _, moves, scores, _ = new_scoring()
    found = []
    for _ in range(games):
        board = chess.Board()
        for ply in range(plies):
            if board.is_game_over():
                break
            truth, record = np.zeros(1, TRUTH), np.zeros(1, BOARD)
            fill_truth(truth[0], board)
            from_truth(truth[0], record[0])
            if ply % APART == APART // 2:
                found.append(record)
            n = score_moves(record[0], 1, memory[0], moves, scores)
            good = np.flatnonzero(scores[:n] >= scores[:n].max() - NEARLY)
            move = int(moves[rng.choice(good.tolist())])
            board.push(chess.Move(start_of(move), end_of(move), promotion_of(move) or None))
    return np.concatenate(found) if found else np.zeros(0, BOARD)


def rate_of(boards: Array, depth: int) -> tuple[float, float, float]:
    """Positions a second, milliseconds a root and positions a root, over all boards once."""
    memory, _, moves, scores, _ = new_scoring()
    roots = [boards[i] for i in range(len(boards))]
    begun = process_time()
    for root in roots:
        score_moves(root, depth, memory[0], moves, scores)
    worked = process_time() - begun
    visited = int(memory["nodes"][0])
    return visited / worked, 1000 * worked / len(boards), visited / len(boards)


def measure(boards: Array, rounds: int) -> dict[str, Row]:
    """By depth: median, least and greatest rate over the rounds, and what one root takes."""
    rate_of(boards[:1], 1)
    taken: dict[int, list[tuple[float, float, float]]] = {depth: [] for depth in DEPTHS}
    for _ in range(rounds):
        for depth in DEPTHS:
            taken[depth].append(rate_of(boards, depth))
    rows = {}
    for depth, figures in taken.items():
        rates = [figure[0] for figure in figures]
        rows[str(depth)] = {
            "median": median(rates),
            "min": min(rates),
            "max": max(rates),
            "milliseconds a root": median(figure[1] for figure in figures),
            "positions a root": figures[0][2],
        }
    return rows


def table_of(rows: dict[str, Row], title: str) -> Table:
    """The results as a table."""
    table = Table(title=title)
    for column in ("depth", "positions/s, median", "least", "greatest", "ms a root", "positions a root"):
        table.add_column(column, justify="right")
    for depth, row in rows.items():
        rates = [f"{row[key]:,.0f}" for key in ("median", "min", "max")]
        table.add_row(depth, *rates, f"{row['milliseconds a root']:.3f}", f"{row['positions a root']:,.0f}")
    return table


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure, print the table, and write the results where asked."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--rounds", type=int, default=5, help="rounds of measurement")
    parser.add_argument("--json", type=Path, help="file to write the results to")
    options = parser.parse_args(arguments)
    if options.rounds < 1:
        parser.error("expected at least one round")
    load = os.getloadavg()[0]
    boards = sample_positions()
    rows = measure(boards, options.rounds)
    Console().print(table_of(rows, f"{len(boards)} positions, {options.rounds} rounds, load {load:.2f}"))
    if options.json is not None:
        setting = {
            "rounds": options.rounds,
            "positions": len(boards),
            "load before": round(load, 2),
            "cores": os.cpu_count(),
            "system": f"{platform.system()} {platform.machine()}",
            "python": platform.python_version(),
        }
        write_aside(options.json, json.dumps({"setting": setting, "depths": rows}, indent=2) + "\n")


if __name__ == "__main__":
    main()
