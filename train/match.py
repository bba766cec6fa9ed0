"""Games between two players of the registry, many at a time: both are told all that their seats may hear."""

from dataclasses import dataclass
from typing import Any

import chess
import numpy as np

from ks_env.core.game import both_hear
from ks_env.envs.batch import DISABLED
from ks_env.envs.engine import Engine
from ks_env.envs.options import Options
from ks_env.players.registry import make_player
from ks_env.players.rows import PlayerRows
from train.config import Environment
from train.episodes import Episode
from train.reasons import reason_name


@dataclass(frozen=True)
class _Seat:
    """A player in one seat of every game."""

    rows: PlayerRows
    listens: bool  # a kernel player has all it needs in its view


def play_match(
    white: str, black: str, games: int, seed: int, env: Environment
) -> list[tuple[Episode, Episode]]:
    """Play `games` games at once; each is given as White and as Black sees it.

    Args:
        white: name of the player who has White in all of them.
        black: name of the other.
        games: how many.
        seed: the referee's draws in game i are seeded with `seed + i`, those of the two players with
            `seat_seeds(seed, i)`.
        env: ruleset and start positions.
    """
    options = Options(**env.options() | {"encoder": None})
    engine = Engine(games, options, None, autoreset=DISABLED, threads=env.threads)
    engine.seed(seed)
    engine.reset()
    truth = engine.batch.games["truth"]
    seats = (_sit(white, env.threads), _sit(black, env.threads))
    for row in range(games):
        fen = None if env.hidden_start else engine.fens[int(truth["start"][row])]
        for seat, colour, own in zip(seats, (chess.WHITE, chess.BLACK), seat_seeds(seed, row), strict=True):
            seat.rows.begin_row(row, colour, engine.rules, fen, own)
    _tell(engine, seats, np.arange(games))

    tries = np.zeros((games, 2), np.int64)
    while len(busy := np.flatnonzero(truth["reason"] == 0)):
        movers = truth["side"][busy].astype(np.int64)
        actions = np.zeros(games, np.int64)
        for number, seat in enumerate(seats):
            rows = busy[movers == number]
            if len(rows):
                actions[rows] = seat.rows.choose_rows(rows, engine.batch.games["views"][rows, number])
        tries[busy, movers] += 1
        engine.step(actions)
        _tell(engine, seats, busy)
    return [
        (_episode(truth[row], tries[row], 0), _episode(truth[row], tries[row], 1)) for row in range(games)
    ]


def seat_seeds(seed: int, game: int) -> tuple[int, int]:
    """Seeds for White and Black in one game, below 2**32: independent, so that none tells of the other."""
    white, black = (
        int(stream.generate_state(1)[0])
        for stream in np.random.SeedSequence([seed, game]).spawn(len(chess.COLORS))
    )
    return white, black


def _sit(name: str, threads: int) -> _Seat:
    listens = getattr(make_player(name), "kernel", None) is None
    return _Seat(PlayerRows(lambda: make_player(name), threads), listens)


def _tell(engine: Engine, seats: tuple[_Seat, _Seat], rows: np.ndarray[Any, Any]) -> None:
    """Pass on the latest announcement of each of the games."""
    if not any(seat.listens for seat in seats):
        return
    for row in rows.tolist():
        heard = both_hear(engine.batch.games[row]["truth"]["said"], engine.rules)
        for seat, announcement in zip(seats, heard, strict=True):
            if seat.listens and announcement is not None:
                seat.rows.hear_row(row, announcement)


def _episode(truth: np.void, tries: np.ndarray[Any, Any], seat: int) -> Episode:
    """A finished game as a seat sees it; `tries: i8[2]`."""
    winner = int(truth["winner"])
    result = 0 if winner < 0 else 1 if winner == seat else -1
    return Episode(result, reason_name(int(truth["reason"])), float(result), int(tries[seat]))
