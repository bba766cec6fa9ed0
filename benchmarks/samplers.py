"""How long a pool of boards takes to be brought up to date with a turn.

    python -m benchmarks.samplers

Pools of 20,000 boards are followed through games of `capture` against itself. Measured are two filters, by
the answers to the seat's own tries and by the own move with what was said of it, and the opponent's turn: its
moves drawn, and those dropped of which something else would have been said. Only pools that begin the step at
least nine tenths full count. Seconds are those of the process on its core.
"""

import argparse
import json
from collections.abc import Callable
from pathlib import Path
from statistics import median, quantiles
from time import process_time
from typing import Any

import chess
from ks_baselines.samplers import pool as steps
from ks_baselines.samplers.pool import Pool
from rich.console import Console
from rich.table import Table

from ks_env.core.files import write_aside
from ks_env.core.ruleset import RULESETS
from ks_env.games.kriegspiel.game import Game
from ks_env.games.opening import Opening
from ks_env.players import make_player

SIZE, GAMES, PLIES = 20_000, 12, 120
FULL = 0.9
STEPS = {
    "filter_turn": "answers to own tries",
    "filter_own_move": "the own move",
    "opponents_turn": "the opponent's turn",
}


def timed(step: Callable[..., int], taken: list[float], size: int) -> Callable[..., int]:
    """The step, which notes the milliseconds that it takes for a pool that is nearly full."""

    def call(memory: Any, n: int, *rest: Any) -> int:
        begun = process_time()
        left = step(memory, n, *rest)
        if n >= FULL * size:
            taken.append(1000 * (process_time() - begun))
        return left

    return call


def follow_game(size: int, ruleset: str, seed: int) -> None:
    """Follow White's pool through a game."""
    game = Game(RULESETS[ruleset])
    players = {colour: make_player("capture") for colour in (True, False)}
    for colour, player in players.items():
        player.begin(Opening.of(game, colour, seed))
    pool = Pool(size)
    pool.begin(Opening.of(game, chess.WHITE, seed), game.ruleset.record()[0])
    while game.to_play is not None and game.plies < PLIES:
        if game.to_play == chess.WHITE:
            pool.follow(game.view(chess.WHITE), seed + game.plies)
        game.ask(players[game.to_play].choose(game.view(game.to_play)))


def measure(size: int, games: int, ruleset: str) -> dict[str, dict[str, float]]:
    """By step: how often it was measured, and median, 95th percentile and most, in milliseconds."""
    follow_game(100, ruleset, 0)  # compiles
    taken: dict[str, list[float]] = {name: [] for name in STEPS}
    plain = {name: getattr(steps, name) for name in STEPS}
    try:
        for name in STEPS:
            setattr(steps, name, timed(plain[name], taken[name], size))
        for seed in range(1, games + 1):
            follow_game(size, ruleset, seed)
    finally:
        for name in STEPS:
            setattr(steps, name, plain[name])
    return {
        STEPS[name]: {
            "times": len(found),
            "median": median(found),
            "95 %": quantiles(found, n=20)[-1],
            "most": max(found),
        }
        for name, found in taken.items()
        if len(found) > 1
    }


def main() -> None:
    """Measure, print a table, and write it if asked to."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--size", type=int, default=SIZE, help="boards of a pool")
    parser.add_argument("--games", type=int, default=GAMES)
    parser.add_argument("--ruleset", default="icc", choices=RULESETS)
    parser.add_argument("--json", type=Path, help="file to write")
    arguments = parser.parse_args()
    found = measure(arguments.size, arguments.games, arguments.ruleset)
    table = Table("step", "times", "median ms", "95 % ms", "most ms", title=f"{arguments.size:,} boards")
    for name, row in found.items():
        table.add_row(
            name, str(int(row["times"])), *(f"{row[key]:.1f}" for key in ("median", "95 %", "most"))
        )
    Console().print(table)
    if arguments.json:
        rows = {"size": arguments.size, "ruleset": arguments.ruleset, "milliseconds": found}
        write_aside(arguments.json, json.dumps(rows, indent=1) + "\n")


if __name__ == "__main__":
    main()
