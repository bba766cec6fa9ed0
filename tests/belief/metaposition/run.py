"""Metapositions against the truth, against exact information sets, and against a claim on entropy.

    python -m tests.belief.metaposition.run                            # a quick look
    python -m tests.belief.metaposition.run --plies 1000000 --result docs/results/metapositions.json
    python -m tests.belief.metaposition.run --player random --player darkboard    # more pairs, in Python

Games are numbered and each has a seed of its own. A contradiction ends the run and names the game.
"""

from __future__ import annotations

import itertools
import math
import random
import statistics
import time
from collections import Counter
from pathlib import Path
from typing import Annotated, Any, Final

import chess
import numpy as np
import typer
from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from ks_env.belief.metaposition import METAPOSITION
from ks_env.core.ruleset import RULESETS
from ks_env.core.tries import MOST_TRIES
from ks_env.players.registry import make_player
from tests.belief.metaposition.containment import (
    Starts,
    check_game,
    check_player_game,
    hidden_starts,
    public_starts,
)
from tests.belief.metaposition.entropies import (
    COUNTS,
    OWN,
    OWN_ROSE,
    REFUSED,
    REFUSED_ROSE,
    SIMULATED,
    SIMULATED_BREAKS,
    THEIRS,
    THEIRS_FELL,
    play_and_count,
)
from tests.belief.metaposition.tightness import Study, Turn, bare_king_starts, few_men_start
from tests.long_run import provenance, write_json

KERNEL_PAIRS: Final = ((0, 0), (1, 1), (0, 1), (1, 0))  # random and capture, both seats
HIDDEN: Final = (("KQ", "k"), ("KRP", "kp"), ("KNPP", "kbpp"), ("KR", "krn"), ("KRRPP", "kqp"))
# Phase: men at the start of a study, own turns followed
PHASES: Final = {"opening": ((32, 32), 3), "middle game": ((14, 24), 3), "ending": ((3, 8), 9)}
BARE: Final = ("KQ", "KR", "KBB", "KBN")
MOST: Final = 60_000  # positions in an information set

app = typer.Typer(add_completion=False)


def check_ruleset(name: str, plies: int, seed: int, progress: Progress) -> dict[str, Any]:
    """Games of kernel players until so many plies were checked, one in nine from hidden starts."""
    rng = random.Random(f"{seed} {name}")
    starts = Starts(RULESETS[name], public_starts(rng, 100))
    hidden = [
        Starts(RULESETS[name], hidden_starts(rng, men, theirs, 30), hidden=True) for men, theirs in HIDDEN
    ]
    task = progress.add_task(f"containment, {name}", total=plies)
    counts: Counter[str] = Counter()
    began = time.monotonic()
    while counts["plies"] < plies:
        n = counts["games"]
        drawn = hidden[n // 9 % len(hidden)] if n % 9 == 8 else starts
        done, tries = check_game(drawn, KERNEL_PAIRS[n % 4], seed * 10**9 + n, often=n // 4 % 2 == 0)
        counts.update(games=1, plies=done, tries=tries)
        progress.update(task, completed=min(counts["plies"], plies))
    return {**counts, "contradictions": 0, "seconds": round(time.monotonic() - began, 1)}


def check_pair(names: tuple[str, str], plies: int, seed: int, progress: Progress) -> dict[str, Any]:
    """Games of players by name, over the rulesets in turn, half of them from random starts."""
    players = make_player(names[0]), make_player(names[1])
    starts = public_starts(random.Random(f"{seed} {names}"), 30)
    task = progress.add_task(f"containment, {names[0]} and {names[1]}", total=plies)
    counts: Counter[str] = Counter()
    rulesets = list(RULESETS.values())
    while counts["plies"] < plies:
        n = counts["games"]
        fen = starts[(n * 7919) % len(starts)]
        ruleset = rulesets[n % len(rulesets)]
        done, tries = check_player_game(ruleset, players, fen, seed + 2 * n, often=n % 2 == 0)
        counts.update(games=1, plies=done, tries=tries)
        progress.update(task, completed=min(counts["plies"], plies))
    return {**counts, "contradictions": 0}


def row_of(turns: list[Turn]) -> dict[str, Any]:
    """A row of the table: what the same own turn of many games looks like."""
    known = sum(sum(turn.known[1:]) for turn in turns)
    claimed = sum(sum(turn.claimed[1:]) for turn in turns)
    return {
        "games": len(turns),
        "information set, median": statistics.median(turn.positions for turn in turns),
        "ghosts in it": round(known / len(turns), 1),
        "ghosts in the metaposition": round(claimed / len(turns), 1),
        "ratio": round(claimed / known, 2),
        "log10 of the information set": round(
            statistics.mean(math.log10(turn.positions) for turn in turns), 1
        ),
        "log10 of the states by the paper": round(statistics.mean(turn.states for turn in turns), 1),
    }


def study_phase(phase: str, games: int, seed: int, progress: Progress) -> dict[str, Any]:
    """So many games a ruleset and seat, followed with their exact information sets; rows by own turn."""
    (least, most), turns = PHASES[phase]
    rng = random.Random(f"{seed} {phase}")
    task = progress.add_task(f"information sets, {phase}", total=games * len(RULESETS))
    found: dict[str, dict[int, list[Turn]]] = {}
    for name, n in itertools.product(RULESETS, range(games)):
        fen = chess.STARTING_FEN if least == 32 else few_men_start(rng, least, most)
        study = Study(RULESETS[name], [fen], 0, n % 2, n // 2 % 2, seed + n, MOST)
        for turn in study.play(turns).turns:
            for key in (name, "all"):
                found.setdefault(key, {}).setdefault(turn.number, []).append(turn)
        progress.advance(task)
    return {
        name: {str(number): row_of(same) for number, same in sorted(by_turn.items()) if number > 1}
        for name, by_turn in found.items()
    }


def study_bare_kings(games: int, seed: int, progress: Progress) -> dict[str, Any]:
    """Bare kings from hidden starts: in how many turns the king's squares were not exact."""
    task = progress.add_task("bare kings", total=games * len(RULESETS) * len(BARE))
    results = {}
    for men in BARE:
        rng = random.Random(f"{seed} {men}")
        turns = loose = 0
        for name, n in itertools.product(RULESETS, range(games)):
            fens = bare_king_starts(rng, men)
            k = rng.randrange(len(fens))
            study = Study(RULESETS[name], fens, k, 0, n % 2, seed + n, MOST)
            found = study.play(30)
            turns += len(found.turns)
            loose += len(found.loose_kings)
            progress.advance(task)
        results[men] = {"games": games * len(RULESETS), "own turns": turns, "not exact": loose}
    return results


def share(counts: np.ndarray[Any, Any], part: int, whole: int) -> float:
    return round(int(counts[part]) / max(1, int(counts[whole])), 4)


def study_entropy(games: int, seed: int, progress: Progress) -> dict[str, Any]:
    """How often entropy goes the wrong way, in simulated and in real moves of games from the usual start."""
    task = progress.add_task("entropy", total=games * len(RULESETS))
    results = {}
    for name, ruleset in RULESETS.items():
        starts = Starts(ruleset, [chess.STARTING_FEN])
        counts = np.zeros(COUNTS, np.int64)
        for n in range(games):
            rng = np.random.default_rng((seed, n))
            game = starts.rows.copy()
            game["truth"]["random"] = rng.integers(0, 2**63, (1, 3)).astype(np.uint64)
            history = np.zeros(ruleset.history, np.uint64)
            history[0] = game["truth"]["key"][0]
            game["truth"]["past"] = 1
            play_and_count(
                game[0], history, ruleset.record()[0], np.array(KERNEL_PAIRS[n % 4]),
                starts.records[0].copy(),
                3, np.zeros(MOST_TRIES, np.int16), counts, np.zeros(1, METAPOSITION),
            )  # fmt: skip
            progress.advance(task)
        results[name] = {
            "simulated moves": int(counts[SIMULATED]),
            "of them against the claim of the paper": int(counts[SIMULATED_BREAKS]),
            "own moves": int(counts[OWN]),
            "entropy rose": share(counts, OWN_ROSE, OWN),
            "refused tries": int(counts[REFUSED]),
            "entropy rose by a refusal": share(counts, REFUSED_ROSE, REFUSED),
            "opponent moves": int(counts[THEIRS]),
            "entropy fell": share(counts, THEIRS_FELL, THEIRS),
        }
    return results


def print_tables(console: Console, result: dict[str, Any]) -> None:
    table = Table("ruleset", "games", "plies", "tries", "contradictions", title="Containment")
    for name, row in result["containment"].items():
        table.add_row(name, *(f"{row[key]:,}" for key in ("games", "plies", "tries", "contradictions")))
    console.print(table)
    for phase, by_ruleset in result["information sets"].items():
        table = Table(
            "turn", *next(iter(by_ruleset["all"].values())), title=f"{phase.capitalize()}, all rulesets"
        )
        for number, row in by_ruleset["all"].items():
            table.add_row(number, *(f"{value:,}" for value in row.values()))
        console.print(table)
    for title in ("bare kings", "entropy"):
        rows = result[title]
        table = Table("", *next(iter(rows.values())), title=title.capitalize())
        for name, row in rows.items():
            table.add_row(name, *(f"{value:,}" for value in row.values()))
        console.print(table)


@app.command(help=__doc__)
def main(
    plies: Annotated[int, typer.Option(min=1, help="Plies to check, over all rulesets.")] = 60_000,
    games: Annotated[
        int, typer.Option(min=1, help="Games a phase and ruleset with exact information sets.")
    ] = 8,
    player: Annotated[list[str], typer.Option(help="Players by name: every pair is checked, too.")] = [],  # noqa: B006
    player_plies: Annotated[int, typer.Option(min=1, help="Plies to check for each such pair.")] = 2_000,
    seed: Annotated[int, typer.Option(help="Seed of the run.")] = 1,
    result: Annotated[Path | None, typer.Option(help="Write the figures here.")] = None,
) -> None:
    console = Console()
    found: dict[str, Any] = {"what": __doc__.splitlines()[0], "seed": seed}
    try:
        with Progress(console=console) as progress:
            found["containment"] = {
                name: check_ruleset(name, math.ceil(plies / len(RULESETS)), seed, progress)
                for name in RULESETS
            }
            for pair in itertools.combinations_with_replacement(player, 2):
                row = check_pair(pair, player_plies, seed, progress)
                found["containment"][f"{pair[0]} and {pair[1]}, all rulesets"] = row
            found["information sets"] = {phase: study_phase(phase, games, seed, progress) for phase in PHASES}
            found["bare kings"] = study_bare_kings(games, seed, progress)
            found["entropy"] = study_entropy(10 * games, seed, progress)
    except AssertionError as contradiction:
        console.print(str(contradiction), markup=False, highlight=False, soft_wrap=True)
        raise typer.Exit(1) from None
    found["made with"] = provenance("tests.belief.metaposition.run")
    print_tables(console, found)
    if result is not None:
        write_json(result, found)


if __name__ == "__main__":
    app()
