"""Measure speed: `make bench`, or `python -m benchmarks.run --only vector,aec --quick`."""

import os

# One thread each, and before anything is imported that reads them.
for _name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS"):
    os.environ[_name] = "1"

import sys  # noqa: E402
from collections.abc import Callable, Sequence  # noqa: E402
from functools import partial  # noqa: E402
from pathlib import Path  # noqa: E402
from typing import Annotated, Any  # noqa: E402

import typer  # noqa: E402
from rich.console import Console  # noqa: E402

from benchmarks import (  # noqa: E402
    arena,
    encoding,
    invisible,
    kernels,
    learning,
    limits,
    machine,
    opponents,
    ours,
    peers,
    report,
    steps,
)
from benchmarks.measure import Contestant, Plan, Rates, ratios, run_rounds, spread  # noqa: E402

OUT = kernels.ROOT / "docs" / "results"
BATCHES = (16, 64, 256, 1024)
OPPONENTS = ("random", "capture")

OPEN_SPIEL = "OpenSpiel"
OPEN_SPIEL_MASK = "OpenSpiel with a numpy mask"
SHIMMY = "OpenSpiel through Shimmy"
CHESS = "PettingZoo chess_v6"


def compare(contestants: Sequence[Contestant], plan: Plan, title: str, note: str) -> dict[str, Any]:
    """Rates of all, and ratios of ours to each peer round by round."""
    found = run_rounds(contestants, plan)
    measured = [rates for rates in found if not rates.missing]
    rivals = [rates for rates in measured if not rates.ours]
    return {
        "title": title,
        "note": note,
        "peers": [rates.name for rates in rivals],
        "rows": [_row(rates, rivals) for rates in found],
    }


def _row(rates: Rates, rivals: Sequence[Rates]) -> dict[str, Any]:
    if rates.missing:
        return {"name": rates.name, "ours": rates.ours, "missing": rates.missing}
    times = {rival.name: spread(ratios(rates, rival)) for rival in rivals} if rates.ours else {}
    return {
        "name": rates.name,
        "ours": rates.ours,
        "missing": "",
        "rate": spread(rates.rates),
        "rounds": rates.rates,
        "ratios": times,
    }


def vector(plan: Plan) -> dict[str, Any]:
    """The vector environments beside OpenSpiel."""
    contestants = [
        Contestant("SelfPlayVectorEnv", ours.self_play),
        Contestant('SelfPlayVectorEnv, observation="compact"', ours.compact_self_play),
        Contestant('GameVectorEnv, "random"', partial(ours.against, "random")),
        Contestant('GameVectorEnv, "capture"', partial(ours.against, "capture")),
        Contestant(OPEN_SPIEL, partial(peers.open_spiel, with_mask=False), ours=False),
        Contestant(OPEN_SPIEL_MASK, partial(peers.open_spiel, with_mask=True), ours=False),
    ]
    both = " and ".join(f"{steps.tries_of_both(name):.2f} (`{name}`)" for name in OPPONENTS)
    note = (
        f"{ours.GAMES} games at once; every try with observation, mask and a new game after the end, the "
        "random draw included. Against an opponent its tries inside the step are not counted: for each of "
        f"the learner's tries both sides together make {both}. The compact observation holds a list of tries "
        "instead of a mask. OpenSpiel: its numpy observation of the player to move and its list of legal "
        "actions."
    )
    return compare(contestants, plan, "Vector environments", note)


def aec(plan: Plan) -> dict[str, Any]:
    """The one-game interfaces beside Shimmy's and PettingZoo's."""
    contestants = [
        Contestant("PettingZoo raw_env", ours.aec),
        Contestant("Gymnasium GameEnv", ours.solo),
        Contestant(SHIMMY, peers.shimmy, ours=False),
        Contestant(CHESS, peers.pettingzoo_chess, ours=False),
    ]
    note = (
        "One game, `last` and `step` (Gymnasium: `step`, the opponent's tries not counted); all draw from "
        "the mask with the same kernel."
    )
    return compare(contestants, plan, "One game at a time", note)


def limit(plan: Plan) -> dict[str, Any]:
    """Batch sizes, and how near each is to only writing the outputs."""
    return {
        "title": "Batch size and limit",
        "note": (
            "Whatever else an environment does, it writes an observation and a mask for every try. The "
            "share is the time of filling arrays of the same size with one byte, over the time of a try "
            "of self-play, the random draw included."
        ),
        "rows": [limits.measure_limit(games, plan) for games in BATCHES],
    }


def where(plan: Plan) -> dict[str, Any]:
    """Where the time of a try goes."""
    return {
        "title": "Where the time goes",
        "note": (
            f"Processor time of self-play, {ours.GAMES} games at once, one thread. Every other step is made "
            "part by part, and each part done again for itself on the same games; a part's time is that of a "
            "kernel less that of a call on no games. The parts are rough: what one has fetched from memory, "
            "the next one finds."
        ),
        "rows": steps.measure_parts(ours.GAMES, plan),
    }


def threads(plan: Plan) -> dict[str, Any]:
    """Two threads beside one."""
    return {
        "title": "Threads",
        "note": (
            "Tries per second of one thread, with the random draw in the caller's thread and without it; two "
            "threads beside one, in turns. A rate is that of the step that "
            f"{steps.QUICK:.0%} of a round's steps are quicker than. The quickest steps, those that "
            f"{steps.QUICKEST:.1%} are quicker than in the best round, show what threads bring where no "
            "other program is in the way: both threads are on a processor."
        ),
        "rows": steps.measure_threads(plan),
    }


def encoders(plan: Plan, players: Sequence[str]) -> dict[str, Any]:
    """The vector environments with and without each encoder, against players by name."""
    return {
        "title": "Encoders",
        "note": (
            "Tries per second of the learner without and with the encoder's planes, in turns, and their "
            f"ratio round by round. Random play; {ours.GAMES} games at once, or {encoding.FEW_GAMES} against "
            "players that are not kernels."
        ),
        "rows": encoding.measure_encoders(players, plan),
    }


def invisible_chess(plan: Plan) -> dict[str, Any]:
    """Invisible chess beside Kriegspiel."""
    return {
        "title": "Invisible chess",
        "note": (
            "Tries per second of the vector environments in Kriegspiel and in invisible chess with these "
            f"hidden men, in turns, and their ratio round by round. Random play; {ours.GAMES} games at once. "
            "Against an opponent its tries inside the step are not counted."
        ),
        "rows": invisible.measure_invisible(plan),
    }


def dark_chess(plan: Plan) -> dict[str, Any]:
    """Dark chess beside OpenSpiel's."""
    contestants = [
        Contestant("SelfPlayVectorEnv", partial(ours.self_play, game="DarkChess")),
        Contestant('GameVectorEnv, "random"', partial(ours.against, "random", game="DarkChess")),
        Contestant('GameVectorEnv, "capture"', partial(ours.against, "capture", game="DarkChess")),
        Contestant(OPEN_SPIEL, partial(peers.open_spiel, with_mask=False, name="dark_chess"), ours=False),
        Contestant(OPEN_SPIEL_MASK, partial(peers.open_spiel, with_mask=True, name="dark_chess"), ours=False),
    ]
    note = (
        f"{ours.GAMES} games at once, as for Kriegspiel. OpenSpiel: `dark_chess` with its numpy observation "
        "of the player to move, and its list of legal actions."
    )
    return compare(contestants, plan, "Dark chess", note)


def searching(plan: Plan, *, quick: bool) -> dict[str, Any]:
    """Environments whose opponent searches."""
    players = opponents.PLAYERS[:1] if quick else opponents.PLAYERS
    return {
        "title": "Opponents that search",
        "note": (
            "The learner's tries per second, its random draw included, with the opponent's search inside; "
            f"one game in the Gymnasium environment, {opponents.GAMES} at once in the others."
        ),
        "rows": opponents.measure_opponents(players, plan),
    }


def training(rounds: int, *, quick: bool) -> dict[str, Any]:
    """MaskablePPO on the native vector environment and on eight copies of the single one."""
    return {
        "title": "Training with MaskablePPO",
        "note": (
            "The quickstart's network and settings with one torch thread, opponent `random`; the time of "
            "`step_wait` and of the masks over the time of rollout and update. Both learn from as many "
            "tries."
        ),
        "rows": learning.measure_learning(rounds, 1, quick=quick),
    }


def tournament(*, quick: bool) -> dict[str, Any]:
    """Whole studies through the arena."""
    return {
        "title": "The arena",
        "note": (
            "`random` against `random`, start of the workers and the results' file included. A game's time "
            "is the players' own, the referee's and the bookkeeping; around the games are the start of the "
            "processes, the way of the results, and waiting. The arena's own time is what is not the "
            "players'."
        ),
        "rows": arena.measure_arena(20 if quick else 1000, 1 if quick else 5),
    }


def compiling(*, quick: bool) -> dict[str, Any]:
    """Cold and warm kernels."""
    interfaces = kernels.ALL_INTERFACES[:1] if quick else kernels.ALL_INTERFACES
    return {
        "title": "Kernels",
        "note": (
            "Each in a fresh process: reset and first step with an empty cache folder, and with the folder "
            "that this left; imports apart. CPU, cold: of the whole process, from its start to the first "
            "step. Rows gymnasium and darkboard: gymnasium.make, against random and darkboard."
        ),
        "rows": kernels.measure_kernels(interfaces, 1 if quick else 5),
    }


def parts(*, quick: bool, players: Sequence[str] = OPPONENTS) -> dict[str, Callable[[], dict[str, Any]]]:
    """All parts by name, in the order of the page; `players` are the opponents of the part `encoders`."""
    plan = Plan(3, 0.1) if quick else Plan(9, 1.0)
    short = Plan(3, 0.05) if quick else Plan(9, 0.4)
    return {
        "vector": lambda: vector(plan),
        "aec": lambda: aec(plan),
        "limits": lambda: limit(short),
        "where": lambda: where(short),
        "threads": lambda: threads(short),
        "encoders": lambda: encoders(plan, players),
        "invisible": lambda: invisible_chess(plan),
        "dark": lambda: dark_chess(plan),
        "opponents": lambda: searching(short, quick=quick),
        "learning": lambda: training(1 if quick else 5, quick=quick),
        "arena": lambda: tournament(quick=quick),
        "kernels": lambda: compiling(quick=quick),
    }


def chosen_parts(
    only: str | None, *, quick: bool, players: Sequence[str] = OPPONENTS
) -> dict[str, Callable[[], dict[str, Any]]]:
    """The parts asked for.

    Raises:
        typer.BadParameter: there is no such part.
    """
    every = parts(quick=quick, players=players)
    names = list(every) if only is None else [name.strip() for name in only.split(",")]
    for name in names:
        if name not in every:
            raise typer.BadParameter(f"unknown part {name!r}; expected some of {', '.join(every)}")
    return {name: every[name] for name in names}


def main(
    quick: Annotated[bool, typer.Option(help="A short run: its figures are rough.")] = False,
    only: Annotated[str | None, typer.Option(help="Parts to measure, with commas between.")] = None,
    out: Annotated[Path | None, typer.Option(help="Folder for speed.json and speed.md.")] = None,
    opponent: Annotated[
        list[str], typer.Option(help="Player of the part encoders, by name; may be repeated.")
    ] = list(OPPONENTS),  # noqa: B006
) -> None:
    """Measure and print. Whole runs go to docs/results; others are written only with --out."""
    console = Console()
    chosen = chosen_parts(only, quick=quick, players=opponent)
    command = " ".join(["python -m benchmarks.run", *sys.argv[1:]])
    results: dict[str, Any] = {"machine": machine.describe(command), "quick": quick, "parts": {}}
    for name, measure in chosen.items():
        console.print(f"[dim]measuring {name} ...[/dim]")
        results["parts"][name] = measure()
        report.show(name, results["parts"][name], console)
    folder = out or (OUT if not quick and only is None else None)
    if folder is not None:
        for path in report.write(results, folder):
            console.print(f"wrote {path}")


if __name__ == "__main__":
    typer.run(main)
