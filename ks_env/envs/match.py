"""Series between two players of the registry, played as a batch."""

from collections.abc import Sequence
from typing import Any

import chess
import numpy as np

from ks_env.core.announcement import Reason
from ks_env.envs import batch as kernels
from ks_env.envs.batch import DISABLED
from ks_env.envs.engine import Engine
from ks_env.envs.options import Options
from ks_env.players.registry import make_player
from ks_env.players.rows import PlayerRows


def play_match(player: str, opponent: str, games: int, seed: int, **options: Any) -> tuple[Any, Any]:
    """Play a series, half of it with each colour.

    Args:
        player: whose results are wanted; a name of the registry.
        opponent: the other one.
        games: how many, even.
        seed: of all that is random.
        **options: fields of `Options`, `seat` left out.

    Returns:
        One structured array a colour (White first), a row a game, with the fields of `batch.TALLY`:
        `end_winner` (seat or -1), `end_seat`, `end_reason`, `end_plies`, `end_tries` (the player's tries).

    Raises:
        ValueError: the number of games is odd or not positive, or a name or option is unknown.
    """
    if games < 2 or games % 2:
        raise ValueError(f"{games} games cannot be halved between the colours; expected an even number")
    half = games // 2
    white = _play_colour(player, opponent, half, seed, {**options, "seat": "white"})
    return white, _play_colour(player, opponent, half, seed + half, {**options, "seat": "black"})


def _play_colour(
    player: str, opponent: str, games: int, seed: int, options: dict[str, Any]
) -> np.ndarray[Any, Any]:
    engine = Engine(games, Options(**options), opponent, autoreset=DISABLED, keep_log=True)
    engine.seed(seed)
    engine.reset()
    colour = chess.WHITE if options["seat"] == "white" else chess.BLACK
    mine = PlayerRows(lambda: make_player(player))
    for row in range(games):
        own = kernels.draw_seed(engine.batch, row, 0 if colour else 1)  # from the stream of its own seat
        mine.begin_row(row, colour, engine.rules, _public_start(engine, row), int(own))
    _play_on(engine, mine, colour)
    return engine.batch.tally.copy()


def _public_start(engine: Engine, row: int) -> str | None:
    fens: Sequence[str] = engine.fens
    return None if engine.options.hidden_start else fens[int(engine.batch.games[row]["truth"]["start"])]


def _play_on(engine: Engine, mine: PlayerRows, colour: bool) -> None:
    """Let the player try in all rows until every game has ended, and hear all that it may."""
    assert engine.logs is not None
    seat = 0 if colour else 1
    actions = np.zeros(engine.num_envs, np.int64)
    truth = engine.batch.games["truth"]
    told = [0] * engine.num_envs
    while True:
        for row, log in enumerate(engine.logs):
            for said in log[told[row] :]:
                heard = said[seat]
                if heard is not None:
                    mine.hear_row(row, heard)
            told[row] = len(log)
        rows = np.flatnonzero(truth["reason"] == Reason.NONE)
        if not len(rows):
            return
        actions[rows] = mine.choose_rows(rows, engine.batch.games["views"][rows, seat])
        engine.step(actions)
