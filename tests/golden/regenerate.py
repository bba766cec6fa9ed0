"""Write the golden transcripts anew: `python -m tests.golden.regenerate`.

Three games a ruleset, their tries drawn with the oracle. The seeds are chosen so that, between them, as many
kinds of answer, capture, check, promotion and end as possible occur: `--search` finds such seeds.
"""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path
from typing import Annotated, Final

import chess
import typer

from tests.golden.transcript import play
from tests.oracle import RULES, OracleGame
from tests.random_games import EAGER_TRIES, count_answer, count_try, draw_try
from tests.starts import LISTED

FOLDER: Final = Path(__file__).resolve().parent
MOST_TRIES: Final = 160
GAMES: Final = 3
SEEDS: Final[dict[str, tuple[int, ...]]] = {
    "icc": (30, 21, 31),
    "berkeley": (96, 165, 15),
    "berkeley-any": (332, 159, 10),
    "cincinnati": (58, 383, 60),
    "rand": (264, 369, 149),
    "english": (238, 243, 5),
}


def draw_game(ruleset: str, seed: int) -> tuple[str, list[int], Counter[str]]:
    """Start, tries and what happened in them; an even seed begins from the usual start."""
    rng = random.Random(f"golden {ruleset} {seed}")
    fen = rng.choice(LISTED) if seed % 2 else chess.STARTING_FEN
    game, counts = OracleGame(ruleset, fen), Counter[str]()
    tries: list[int] = []
    while not game.reason and len(tries) < MOST_TRIES:
        tries.append(draw_try(rng, game, len(tries) < EAGER_TRIES))
        count_try(counts, game, tries[-1])
        count_answer(counts, game, game.ask(tries[-1])[0])
    return fen, tries, counts


def search(ruleset: str, seeds: int = 400) -> list[int]:
    """One seed from the usual start and the others from anywhere, each adding most to what was seen."""
    seen_by = {}
    for seed in range(seeds):
        counts = draw_game(ruleset, seed)[2]
        ended = any(name.startswith("end: ") for name in counts)
        if ended:
            seen_by[seed] = {name for name, number in counts.items() if number}
    chosen: list[int] = []
    seen: set[str] = set()
    while len(chosen) < GAMES:
        pool = [seed for seed in seen_by if chosen or seed % 2 == 0]
        best = max(pool, key=lambda seed: (len(seen_by[seed] - seen), -seed))
        chosen.append(best)
        seen |= seen_by[best]
    return chosen


def main(search_seeds: Annotated[bool, typer.Option("--search", help="Print seeds to use.")] = False) -> None:
    for ruleset in RULES:
        if search_seeds:
            typer.echo(f'    "{ruleset}": {tuple(search(ruleset))},')
            continue
        for number, seed in enumerate(SEEDS[ruleset], 1):
            fen, tries, _ = draw_game(ruleset, seed)
            (FOLDER / f"{ruleset}-{number}.txt").write_text(play(ruleset, fen, tries), encoding="utf-8")


if __name__ == "__main__":
    typer.run(main)
