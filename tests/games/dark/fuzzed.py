"""Random games of dark chess for the fuzz: counts of what was seen, and a transcript of a difference."""

from __future__ import annotations

import json
import random
from collections import Counter
from typing import Any

import chess

from ks_env.games.dark.board import DarkBoard
from tests.duel import RefereesDifferError
from tests.games.dark.duel import ODD_STARTS, Duel, play_on
from tests.games.dark.quick import QuickDuel
from tests.random_games import draw_options
from tests.starts import draw_start

THOROUGH = 1 / 64  # share of games of which the planes are compared at each try


def draw_dark_start(rng: random.Random, played: float = 0.3) -> str:
    """A drawn start that is one of dark chess too, at times one of which chess knows nothing."""
    if rng.random() < 0.05:
        return rng.choice(ODD_STARTS)
    while True:
        fen = draw_start(rng, played)
        if DarkBoard(fen).is_valid():
            return fen


def play_dark(rng: random.Random, _: str, most_tries: int, __: int, counts: Counter[str]) -> None:
    """One random game before both referees, all but the planes compared after each try.

    Raises:
        RefereesDifferError: with what plays the game again.
    """
    thorough = rng.random() < THOROUGH
    fen, options, asked = draw_dark_start(rng, 0.05), draw_options(rng), list[int]()
    counts["games"] += 1
    counts["games of which the planes are compared at each try"] += thorough
    try:
        duel = (Duel if thorough else QuickDuel)(fen, **options)
        play_on(duel, rng, most_tries, greed=rng.choice((0.0, 0.1, 0.3)), asked=asked)
        duel.compare()
    except AssertionError as difference:
        recipe = {"ruleset": "dark", "fen": fen, "options": options, "actions": asked}
        raise RefereesDifferError(f"{difference!r}\n{json.dumps(recipe)}") from difference
    counts["tries"] += len(asked)
    counts.update({f"answer: {kind}": n for kind, n in duel.kinds.items()})
    counts[f"end: {duel.oracle.reason if duel.oracle.to_play is None else 'none'}"] += 1
    for colour in chess.COLORS:
        seat = duel.oracle.seats[colour]
        counts.update({f"captured {kind}": n for kind, n in seat.taken.items() if n})


def replay_dark(recipe: dict[str, Any]) -> Duel:
    """Play a transcript's game again, comparing everything after every try.

    Raises:
        RefereesDifferError: they still do.
    """
    try:
        duel = Duel(recipe["fen"], **recipe["options"])
        for action in recipe["actions"]:
            duel.ask(action)
    except AssertionError as difference:
        raise RefereesDifferError(repr(difference)) from difference
    return duel
