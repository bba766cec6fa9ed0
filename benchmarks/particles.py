"""What a turn costs a particle filter: `python -m benchmarks.particles`.

Games of `capture` against itself are played once; filters of several sizes then follow both seats through
them, in turns, from answer to answer. A turn is everything that a seat hears from one own move to the next;
times are those of the processor.
"""

import json
from pathlib import Path
from time import process_time
from typing import Annotated, Any

import chess
import typer
from rich.console import Console
from rich.table import Table

from benchmarks import machine
from benchmarks.measure import spread
from ks_env.belief.particles import Care, Particles, make_model
from ks_env.core.ruleset import ICC
from ks_env.games import kriegspiel
from ks_env.games.kriegspiel.game import Game
from ks_env.players.registry import make_player

CARES = {"as it comes": Care(), "not rejuvenated": Care(threshold=0, steps=0, stir=0)}
PLIES = 200


def play(seed: int) -> list[int]:
    """The tries of a game of `capture` against itself."""
    game = Game(ICC)
    seats = {colour: make_player("capture") for colour in chess.COLORS}
    for colour, each in seats.items():
        each.begin(kriegspiel.opening(colour, ICC, game.start_fen, seed))
    tries = []
    while game.to_play is not None and game.plies < PLIES:
        tries.append(int(seats[game.to_play].choose(game.view(game.to_play))))
        game.ask(tries[-1])
    return tries


def follow(tries: list[int], boards: int, care: Care, model: str, seed: int) -> tuple[float, int]:
    """Seconds of the processor that both seats' filters took for a game, and turns that each took in."""
    game, taken, turns = Game(ICC), 0.0, 0
    filters = {colour: Particles(boards, make_model(model), care, seed) for colour in chess.COLORS}
    for colour, particles in filters.items():
        particles.begin(kriegspiel.opening(colour, ICC, game.start_fen))
    for action in tries:
        plies = game.plies
        game.ask(action)
        for colour, particles in filters.items():
            view = game.view(colour)
            begin = process_time()
            particles.follow(view)
            taken += process_time() - begin
        turns += game.plies - plies  # of two seats, each of two plies
    return taken, turns


def measure(sizes: list[int], model: str, rounds: int, seed: int) -> list[dict[str, Any]]:
    """A row for each size and care, in rounds that alternate: µs a turn of one seat."""
    games = [play(seed + number) for number in range(rounds)]
    cases = [(boards, name) for boards in sizes for name in CARES]
    for boards, name in cases:
        follow(games[0][:40], boards, CARES[name], model, seed)  # kernels are compiled
    found: dict[tuple[int, str], list[float]] = {case: [] for case in cases}
    for number, tries in enumerate(games):
        for boards, name in cases:
            taken, turns = follow(tries, boards, CARES[name], model, seed + number)
            found[boards, name].append(1e6 * taken / turns)
    return [
        {"boards": boards, "care": name, "microseconds a turn": spread(values)}
        for (boards, name), values in found.items()
    ]


def main(
    boards: Annotated[
        str, typer.Option(help="sizes of the filters, with commas between")
    ] = "100,1000,4000,10000",
    model: Annotated[str, typer.Option(help='"uniform" or "profile"')] = "uniform",
    rounds: Annotated[int, typer.Option(min=1, help="games")] = 3,
    seed: Annotated[int, typer.Option(min=0)] = 1,
    file: Annotated[Path | None, typer.Option("--json", help="where the figures go")] = None,
) -> None:
    """Measure and print."""
    sizes = [int(size) for size in boards.split(",")]
    rows = measure(sizes, model, rounds, seed)
    table = Table("boards", "rejuvenation", "µs a turn", "from", "to")
    for row in rows:
        values = [f"{row['microseconds a turn'][each]:,.0f}" for each in ("median", "min", "max")]
        table.add_row(f"{row['boards']:,}", row["care"], *values)
    Console().print(table)
    if file is not None:
        command = f"python -m benchmarks.particles --boards {boards} --rounds {rounds} --seed {seed}"
        about = {"machine": machine.describe(command), "model": model, "rows": rows}
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps(about, indent=1) + "\n")


if __name__ == "__main__":
    typer.run(main)
