"""Games for the fit: an explorer against several opponents, in files of `SHARD` games each.

They start after a few random moves. From the initial position, players that leave little to chance play the
same games again and again: what is learnt of one line, or found out in it about a player, says little of
others.
"""

import os
from collections.abc import Sequence
from functools import cache, partial
from multiprocessing import get_context
from pathlib import Path
from typing import Any, NamedTuple

import chess
import numpy as np
from ks_baselines.mcts.advantage_search.network import read_networks
from ks_baselines.mcts.advantage_search.terms import STATE_TERMS
from ks_train.data.starts import quiet_start
from rich.progress import Progress

from ks_env.core.ruleset import ICC
from ks_env.games import kriegspiel
from ks_env.games.kriegspiel.game import Game
from ks_env.players.protocol import Player
from ks_env.players.registry import make_player
from research.advantage.explorer import ROW, Explorer

Array = np.ndarray[Any, Any]
SHARD = 100
ITSELF = "itself"  # without noise
OPPONENTS = {
    "darkboard:metapositions=300": 0.35,
    "darkboard:metapositions=1": 0.1,
    "darkboard:metapositions=1500": 0.1,
    "darkboard:metapositions=3000": 0.2,
    "darkboard:improved,metapositions=300": 0.1,
    ITSELF: 0.15,
}
OPENING = 8  # random plies at most


class Played(NamedTuple):
    """A game, as the explorer saw it.

    Attributes:
        score: 1, 0.5 or 0.
        states: f4[T, len(STATE_TERMS)], when each of its turns began.
        rows: ROW[R], what it did.
    """

    score: float
    states: Array
    rows: Array


def draw_start(rng: np.random.Generator) -> str:
    """A position some random moves from the initial one, with all men on the board and no check."""
    return quiet_start(rng, chess.STARTING_FEN, OPENING)


def play(player: Explorer, opponent: Player, seed: int, start: str = chess.STARTING_FEN) -> Played:
    """One game; the explorer's colour is that of the seed."""
    game, colour = Game(ICC, start), seed % 2 == 0
    for seat, other in ((colour, player), (not colour, opponent)):
        other.begin(kriegspiel.opening(seat, ICC, start, seed))
    states: list[Array] = []
    rows: list[Array] = []
    begun = False
    while game.to_play is not None:
        if game.to_play != colour:
            game.ask(opponent.choose(game.view(not colour)))
            continue
        action, plies = player.choose(game.view(colour)), game.plies
        if not begun:
            states.append(player.advice.state.copy())
        game.ask(action)
        begun = game.plies == plies and game.to_play is not None
        if not begun and player.row is not None:
            player.row["turn"] = len(states) - 1
            rows.append(player.row)
    score = 0.5 if game.winner is None else float(game.winner == colour)
    # A game that is lost before its first turn has no states.
    described = np.array(states, np.float32).reshape(-1, len(STATE_TERMS))
    return Played(score, described, np.concatenate(rows) if rows else np.zeros(0, ROW))


@cache
def _players(weights: Path | None) -> tuple[Explorer, dict[str, Player]]:
    """The explorer and its opponents, made once a process."""
    networks = () if weights is None else read_networks(weights)
    itself = Explorer(noise=0.0, networks=networks)
    opponents = {name: itself if name == ITSELF else make_player(name) for name in OPPONENTS}
    return Explorer(networks=networks), opponents


def play_shard(folder: Path, seed: int, weights: Path | None, first: int) -> float:
    """Games `first` to `first + SHARD` into a file; the mean score."""
    player, opponents = _players(weights)
    played = []
    for number in range(first, first + SHARD):
        rng = np.random.default_rng([seed, number])
        name = str(rng.choice(list(opponents), p=list(OPPONENTS.values())))
        game_seed, start = 2 * int(rng.integers(2**30)) + number % 2, draw_start(rng)
        played.append(play(player, opponents[name], game_seed, start))
    write_shard(played, shard_file(folder, first))
    return float(np.mean([game.score for game in played]))


def write_shard(played: Sequence[Played], file: Path) -> None:
    """Write games as `research.advantage.data.load` reads them; all of the file or nothing."""
    new = file.with_suffix(".new")
    with new.open("wb") as out:
        np.savez(
            out,
            scores=np.array([game.score for game in played]),
            turns=np.array([len(game.states) for game in played]),
            made=np.array([len(game.rows) for game in played]),
            states=np.concatenate([game.states for game in played]),
            rows=np.concatenate([game.rows for game in played]),
        )
    os.replace(new, file)


def shard_file(folder: Path, first: int) -> Path:
    """Where the games from `first` on are."""
    return folder / f"{first:06d}.npz"


def play_games(folder: Path, games: int, seed: int, weights: Path | None, workers: int) -> None:
    """Play what is missing of so many games.

    Args:
        folder: of their files.
        games: how many, in multiples of `SHARD`.
        seed: fixes them.
        weights: the networks that the explorer plays by; None for none.
        workers: processes.
    """
    folder.mkdir(parents=True, exist_ok=True)
    missing = [first for first in range(0, games, SHARD) if not shard_file(folder, first).exists()]
    if not missing:
        return
    with get_context("forkserver").Pool(workers) as pool, Progress() as progress:
        line = progress.add_task("games", total=len(missing) * SHARD)
        scores = []
        for score in pool.imap_unordered(partial(play_shard, folder, seed, weights), missing):
            scores.append(score)
            progress.update(line, advance=SHARD, description=f"games, mean score {np.mean(scores):.3f}")
