"""Games a minute through the arena, and what of a game's time is the arena's own."""

import tempfile
from pathlib import Path
from time import perf_counter
from typing import Any

from ks_arena.study.config import StudyConfig
from ks_arena.study.run import run_study
from rich.console import Console

from benchmarks.measure import spread

WORKERS = (1, 2)


def measure_arena(games: int, rounds: int) -> list[dict[str, Any]]:
    """A row for each number of workers, which take turns.

    Args:
        games: of `random` against `random` in a round.
        rounds: how many.
    """
    found: dict[int, list[dict[str, float]]] = {workers: [] for workers in WORKERS}
    for number in range(rounds):
        for workers in WORKERS:
            found[workers].append(_measure(games, workers, number))
    return [
        {"workers": workers, "games": games}
        | {key: spread([measured[key] for measured in every]) for key in every[0]}
        for workers, every in found.items()
    ]


def _measure(games: int, workers: int, seed: int) -> dict[str, float]:
    players = [{"player": "random", "label": label} for label in ("first", "second")]
    config = StudyConfig(
        name="arena", seed=seed, tournament={"kind": "round-robin", "players": players}, games=games
    )
    with tempfile.TemporaryDirectory() as folder:
        begun = perf_counter()
        study = run_study(config, Path(folder) / "study.sqlite", workers=workers, console=Console(quiet=True))
        wall = perf_counter() - begun
    played = study.games()
    inside = sum(game.seconds for game in played)
    players_own = sum(seat.seconds for game in played for seat in game.work)
    return {
        "games_per_minute": 60 * games / wall,
        "game_ms": 1000 * inside / games,
        "players_ms": 1000 * players_own / games,
        "around_ms": 1000 * (workers * wall - inside) / games,
        "tries": sum(seat.tries for game in played for seat in game.work) / games,
    }
