"""Studies with games that nobody played, for tests of what is made of results."""

import json
import random
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import chess
from ks_arena.match.result import GameResult, SeatWork
from ks_arena.statistics.elo import points_of
from ks_arena.statistics.sprt import SprtVerdict
from ks_arena.study.config import StudyConfig
from ks_arena.study.schedule import field_of
from ks_arena.study.store import Store
from ks_arena.study.study import Study

VERSIONS = json.dumps({"python": "3.11", "ks-env": "0.1.0", "kernels": "0123456789abcdef"})
DRAWN = ("stalemate", "material", "repetition", "fifty moves", "plies")


def game(
    place: tuple[int, int, int], players: tuple[str, str], outcome: int, reason: str, **keys: Any
) -> GameResult:
    """A game of `players`, the pairing's first and second."""
    white, black = players if place[2] == 0 else players[::-1]
    plies = keys.pop("plies", 80)
    work = SeatWork(moves=plies // 2, tries=plies, seconds=0.4, slowest=0.05, nodes=None)
    usual = {
        "white_seed": 1,
        "black_seed": 2,
        "start_fen": chess.STARTING_FEN,
        "fault": None,
        "spoken": plies // 4,
        "work": (work, work),
        "seconds": 1.0,
        "actions": b"",
        "versions": VERSIONS,
    }
    return GameResult(*place, white, black, outcome=outcome, reason=reason, plies=plies, **usual | keys)


def draw_game(
    draw: random.Random, place: tuple[int, int, int], players: tuple[str, str], elo: float, draws: float
) -> GameResult:
    """A game whose first player is `elo` stronger, drawn with the chance `draws`."""
    first_wins = draw.random() < points_of(elo)
    outcome = 0 if draw.random() < draws else 1 if first_wins == (place[2] == 0) else -1
    reason = draw.choice(DRAWN) if outcome == 0 else "checkmate"
    fault = None
    if outcome and draw.random() < 0.03:
        reason, fault = "forfeit", draw.choice(("raised ValueError: <b>x</b> | y", "took 400 s for a move"))
    return game(place, players, outcome, reason, fault=fault, plies=draw.randrange(20, 200))


def study_of(config: StudyConfig, path: Path, games: Sequence[GameResult], **stops: SprtVerdict) -> Study:
    """A study with these games; stops by `p0`, `p1` for the pairings."""
    with closing(Store.create(path, config, {})) as store:
        for each in games:
            store.add(each)
        if stops:
            last = games[-1]
            store._base.execute("DELETE FROM games WHERE pairing = ? AND pair = ? AND leg = ?", last.key)
            store.add(last)
            for name, stop in stops.items():
                store.add_stop(int(name[1:]), stop)
        return Study(store)


def drawn_study(
    config: StudyConfig,
    path: Path,
    strengths: dict[str, float],
    share: float = 1.0,
    draws: float = 0.4,
    seed: int = 1,
) -> Study:
    """A study with that share of its games played at random by players of these strengths, else 0."""
    draw = random.Random(seed)
    games = []
    for pairing in field_of(config).pairings:
        elo = strengths.get(pairing.first, 0.0) - strengths.get(pairing.second, 0.0)
        players = (pairing.first, pairing.second)
        for number in range(int(config.games * share)):
            place = (pairing.index, number // 2, number % 2)
            games.append(draw_game(draw, place, players, elo, draws))
    return study_of(config, path, games)


def round_robin(labels: Sequence[str], games: int = 20, **keys: Any) -> StudyConfig:
    players = [{"player": "random", "label": label} for label in labels]
    tournament = {"kind": "round-robin", "players": players}
    return StudyConfig.model_validate({"name": "made-up", "games": games, "tournament": tournament} | keys)


def ladder(
    series: Sequence[str], budgets: Sequence[float], against: Sequence[str], games: int = 20, **keys: Any
) -> StudyConfig:
    tournament = {
        "kind": "ladder",
        "players": [{"player": f"{name}:nodes={{budget}}", "label": name} for name in series],
        "budgets": list(budgets),
        "unit": "nodes",
        "against": list(against),
    }
    return StudyConfig.model_validate({"name": "made-up", "games": games, "tournament": tournament} | keys)
