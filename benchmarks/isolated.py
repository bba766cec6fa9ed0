"""What a player's own process costs: `python -m benchmarks.isolated` measures it a try, and a start.

The player `random` is asked at the same views in this process and in one of its own, in turns.
"""

from time import perf_counter
from typing import Annotated

import numpy as np
import typer
from ks_arena.apart.cage import walls
from ks_arena.apart.player import isolated_player
from rich.console import Console
from rich.table import Table

from benchmarks.measure import spread
from ks_env.games.kriegspiel import opening
from ks_env.games.kriegspiel.game import Game
from ks_env.players.registry import make_player


def measure(tries: int, rounds: int) -> dict[str, dict[str, float]]:
    """Microseconds a try within and apart, the difference, and seconds of a start."""
    game = Game()
    view, told = game.view(True), opening(True, game.ruleset, seed=1)
    within = make_player("random")
    begun = perf_counter()
    apart = isolated_player("random")
    apart.begin(told)
    start = perf_counter() - begun
    within.begin(told)
    assert [within.choose(view) for _ in range(99)] == [apart.choose(view) for _ in range(99)]
    found: dict[str, list[float]] = {"within": [], "apart": []}
    for _ in range(rounds):
        for name, player in (("within", within), ("apart", apart)):
            begun = perf_counter()
            for _ in range(tries):
                player.choose(view)
            found[name].append(1e6 * (perf_counter() - begun) / tries)
    apart.close()
    found["overhead"] = list(np.subtract(found["apart"], found["within"]))
    return {name: spread(values) for name, values in found.items()} | {"start": spread([start])}


def main(
    tries: Annotated[int, typer.Option(help="of a round")] = 2000,
    rounds: Annotated[int, typer.Option(help="of both, in turns")] = 9,
) -> None:
    """Measure what a player's own process costs."""
    table = Table("what", "median", "lowest", "highest", title=walls().words)
    for name, found in measure(tries, rounds).items():
        unit = "s" if name == "start" else "µs a try"
        table.add_row(f"{name}, {unit}", *(f"{found[key]:.3g}" for key in ("median", "min", "max")))
    Console().print(table)


if __name__ == "__main__":
    typer.run(main)
