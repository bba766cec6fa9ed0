"""How many nodes a second approaches B and C make, and how they scale with threads.

    python -m benchmarks.mcts --rounds 5 --seconds 1

Positions are taken from several stages of games of `mcts-c` against `capture`. A node is an
iteration: in C it judges one move, in B it makes one simulation. Rates on one thread are by the seconds of
the process on its core, so that a busy machine takes none of them away. Two threads beside one, each with a
tree of the same size, are told in two ways: by the clock, which means something on an idle machine only, and
by the seconds of the process on all cores, where 1 says that threads cost each other nothing. Beside them
stands a loop that draws random numbers and touches no memory: what the machine itself gives. Every round
measures each player once, so that ratios are of measurements that lie close together.
"""

import argparse
import json
import os
import platform
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from itertools import cycle
from pathlib import Path
from statistics import median
from time import perf_counter, process_time
from typing import Any

import chess
import numpy as np
from ks_baselines.mcts.advantage_search.player import advantage_search_player
from ks_baselines.mcts.approach_b.player import mcts_b_player
from ks_baselines.mcts.approach_c.player import mcts_c_player
from ks_baselines.mcts.player import TreePlayer
from ks_baselines.mcts.threads import in_threads
from rich.console import Console
from rich.table import Table

from ks_env.belief.location.layout import Location
from ks_env.core.bits import ZERO, next_random
from ks_env.core.files import write_aside
from ks_env.core.jit import kernel
from ks_env.core.ruleset import ICC
from ks_env.core.tables import ANY
from ks_env.games import kriegspiel
from ks_env.games.kriegspiel.game import Game
from ks_env.games.kriegspiel.layout import View
from ks_env.players.registry import make_player

STAGES = ((0, 20), (20, 60), (60, 120), (120, 200))  # plies
EACH = 6  # positions of a stage
NODES = 2_000  # of a decision, a thread
DRAWS = 2_000_000  # of the loop: as long as a decision of 2,000 nodes
LOOP = "a loop without memory"
SIMULATED = (1, 3, 7, 10)  # k of approach B in Ciancarini and Favini (2010, §6.1)
NOTES = {  # beside the figures: what Ciancarini and Favini (2010, §6.1) have, or what is asked for
    "nodes a second": "asked: 200,000",
    "ratio": "the paper: 10 to 20",
    "two threads to one": "asked: 1.7, idle",
    "two threads to one, by core": "at most 1",
}

Rates = dict[str, list[float]]


@dataclass(frozen=True)
class Sample:
    """A turn to decide.

    Attributes:
        place: LOCATION, what the seat knows and expects.
        view: VIEW of the seat.
        tries: i2[N], other than "any?".
    """

    place: Location
    view: View
    tries: np.ndarray[Any, Any]


def sample_positions(each: int = EACH, stages: Sequence[tuple[int, int]] = STAGES) -> list[Sample]:
    """So many turns of every stage that have more than one try, from as many games as that takes."""
    wanted = dict.fromkeys(stages, each)
    found: list[Sample] = []
    for number in range(20 * each):
        for ply, sample in _turns_of_a_game(number, stages[-1][1]):
            stage = next((s for s in stages if s[0] <= ply < s[1]), None)
            # a few plies apart, and not all of a stage from one game
            if stage is not None and wanted[stage] > 0 and (ply + number) % 7 == 0:
                wanted[stage] -= 1
                found.append(sample)
        if not any(wanted.values()):
            break
    return found


def _turns_of_a_game(number: int, plies: int) -> list[tuple[int, Sample]]:
    """The turns that the player has to think about in one game, and after how many plies each came."""
    player, opponent = mcts_c_player(nodes=200), make_player("capture")
    game, colour = Game(ICC), number % 2 == 0
    player.begin(kriegspiel.opening(colour, ICC, chess.STARTING_FEN, number))
    opponent.begin(kriegspiel.opening(not colour, ICC, chess.STARTING_FEN, number))
    found = []
    while game.to_play is not None and game.plies < plies:
        if game.to_play != colour:
            game.ask(opponent.choose(game.view(not colour)))
            continue
        view, before = game.view(colour), player.nodes
        action = player.choose(view)
        if player.nodes > before:
            tries = player.tries[: player.look(view)].copy()
            found.append((game.plies, Sample(player.place[0].copy(), view, tries[tries != ANY])))
        game.ask(action)
    return found


def rate_of(player: TreePlayer, samples: Sequence[Sample], seconds: float) -> tuple[float, float]:
    """Nodes a second over the samples, again and again until the time is up; of the trees alone.

    Returns:
        By the seconds of the process on its cores, and by the clock.
    """
    player.nodes = 0
    worked = passed = 0.0
    for sample in cycle(samples):
        player.place[0] = sample.place
        player.tries[: len(sample.tries)] = sample.tries
        player._prepare_root(sample.view, len(sample.tries))
        begun = process_time(), perf_counter()
        player.grow_all()
        worked += process_time() - begun[0]
        passed += perf_counter() - begun[1]
        if passed >= seconds:
            break
    return player.nodes / worked, player.nodes / passed


@kernel
def draw_many(random: np.ndarray, number: int) -> int:
    """Draw so many random numbers; how many were odd."""
    odd = 0
    for _ in range(number):
        if next_random(random, 0) & np.uint64(1) != ZERO:
            odd += 1
    return odd


def rate_of_loop(threads: int, seconds: float) -> tuple[float, float]:
    """Random numbers drawn a second, as `rate_of`."""
    streams = [np.full(1, thread, np.uint64) for thread in range(threads)]
    calls = [partial(draw_many, stream, DRAWS) for stream in streams]
    drawn, begun = 0, (process_time(), perf_counter())
    while perf_counter() - begun[1] < seconds:
        in_threads(calls)
        drawn += threads * DRAWS
    return drawn / (process_time() - begun[0]), drawn / (perf_counter() - begun[1])


def players_of_one_thread(nodes: int) -> dict[str, TreePlayer]:
    """Those whose speed is asked for, by the names that make them."""
    players: dict[str, TreePlayer] = {"mcts-c": mcts_c_player(nodes=nodes)}
    players["advantage-search"] = advantage_search_player(nodes=nodes)
    return players | {f"mcts-b:k={k}": mcts_b_player(k=k, nodes=nodes) for k in SIMULATED}


def players_by_threads(nodes: int) -> dict[str, tuple[TreePlayer, TreePlayer]]:
    """Players with one thread and with two, each thread making so many nodes."""
    one, two = (
        (
            mcts_c_player(nodes=threads * nodes, threads=threads),
            mcts_b_player(nodes=threads * nodes, threads=threads),
        )
        for threads in (1, 2)
    )
    return dict(zip(("mcts-c", "mcts-b:k=1"), zip(one, two, strict=True), strict=True))


def measure(samples: Sequence[Sample], rounds: int, seconds: float, nodes: int) -> tuple[Rates, Rates, Rates]:
    """One figure a round: nodes a second on one thread; two threads to one by the clock, and by core."""
    alone, pairs = players_of_one_thread(nodes), players_by_threads(nodes)
    everyone = [*alone.values(), *(player for pair in pairs.values() for player in pair)]
    for player in everyone:
        player.begin(kriegspiel.opening(chess.WHITE, ICC, chess.STARTING_FEN, 1))
        rate_of(player, samples[:1], 0.01)
    rate_of_loop(2, 0.01)
    rates: Rates = {name: [] for name in alone}
    clock: Rates = {name: [] for name in (*pairs, LOOP)}
    core: Rates = {name: [] for name in (*pairs, LOOP)}
    for _ in range(rounds):
        for name, player in alone.items():
            rates[name].append(rate_of(player, samples, seconds)[0])
        both = {name: [rate_of(player, samples, seconds) for player in pair] for name, pair in pairs.items()}
        both[LOOP] = [rate_of_loop(threads, seconds) for threads in (1, 2)]
        for name, (single, double) in both.items():
            core[name].append(double[0] / single[0])
            clock[name].append(double[1] / single[1])
    return rates, clock, core


def spread(values: Sequence[float]) -> dict[str, float]:
    """Median, least and greatest."""
    return {"median": median(values), "min": min(values), "max": max(values)}


def summary(rates: Rates, clock: Rates, core: Rates) -> dict[str, dict[str, dict[str, float]]]:
    """Medians and spreads of all that was measured, and of the ratio C/B round by round."""
    ratios = [c / b for c, b in zip(rates["mcts-c"], rates["mcts-b:k=1"], strict=True)]
    return {
        "nodes a second": {name: spread(values) for name, values in rates.items()},
        "ratio": {"mcts-c to mcts-b:k=1": spread(ratios)},
        "two threads to one": {name: spread(values) for name, values in clock.items()},
        "two threads to one, by core": {name: spread(values) for name, values in core.items()},
    }


def table_of(results: dict[str, dict[str, dict[str, float]]], title: str) -> Table:
    """The results as a table."""
    table = Table(title=title)
    for column in ("measured", "player", "median", "least", "greatest", "beside"):
        table.add_column(column, justify="right" if column in ("median", "least", "greatest") else "left")
    for part, values in results.items():
        for name, row in values.items():
            note = NOTES.get(part, "") if part != "nodes a second" or "mcts-c" in name else ""
            form = "{:,.0f}" if part == "nodes a second" else "{:.2f}"
            table.add_row(part, name, *(form.format(row[key]) for key in ("median", "min", "max")), note)
        table.add_section()
    return table


def machine(rounds: int, seconds: float, nodes: int, positions: int, load: float) -> dict[str, Any]:
    """What and where was measured."""
    return {
        "rounds": rounds,
        "seconds": seconds,
        "positions": positions,
        "nodes a decision": nodes,
        "cores": os.cpu_count(),
        "load before": round(load, 2),
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
    }


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure, print the table, and write the results where asked."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--rounds", type=int, default=5, help="rounds of measurement")
    parser.add_argument("--seconds", type=float, default=1.0, help="of a measurement")
    parser.add_argument("--nodes", type=int, default=NODES, help="of a decision, a thread")
    parser.add_argument("--json", type=Path, help="file to write the results to")
    options = parser.parse_args(arguments)
    if options.rounds < 1 or options.seconds <= 0 or options.nodes < 1:
        parser.error("expected at least one round, one node, and seconds above 0")
    load = os.getloadavg()[0]
    samples = sample_positions()
    results = summary(*measure(samples, options.rounds, options.seconds, options.nodes))
    setting = machine(options.rounds, options.seconds, options.nodes, len(samples), load)
    title = (
        f"{len(samples)} positions, {options.nodes:,} nodes each, {options.rounds} rounds of"
        f" {options.seconds:g} s, load before {load:.2f}"
    )
    Console().print(table_of(results, title))
    if options.json is not None:
        write_aside(options.json, json.dumps({"setting": setting, **results}, indent=2) + "\n")


if __name__ == "__main__":
    main()
