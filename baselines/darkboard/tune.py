"""Search for better constants by playing: evolution strategies with antithetic pairs.

    python -m baselines.darkboard.tune --run runs/tune --rounds 20 --pairs 600

Every constant of `NAMES` is scaled by exp(x). A pair of games is played with x = mean ± step · ε, ε drawn
anew for each pair, from the same seed against the same opponent; the difference of their scores, times ε, is
an estimate of the gradient (Salimans et al., "Evolution Strategies as a Scalable Alternative to Reinforcement
Learning", 2017, §2). A round takes the mean of these and moves along it, each constant by its t value, so
that those without effect stay where they are. The state is written after each round, and a run goes on where
it was stopped. `--show` prints the constants that a run has come to.
"""

import argparse
import json
import os
from collections.abc import Iterator
from dataclasses import asdict, fields, replace
from functools import cache
from multiprocessing import get_context
from pathlib import Path
from typing import Any, NamedTuple

import chess
import numpy as np
from rich.console import Console
from rich.progress import Progress

from baselines.darkboard.constants import DEFAULT, Constants
from baselines.darkboard.player import DarkboardPlayer
from baselines.darkboard.search import DEEPEST
from ks_env.core.game import Game
from ks_env.core.ruleset import ICC
from ks_env.players.protocol import Player
from ks_env.players.registry import make_player

_NAMES = """
    material.1 material.2 material.3 material.4 material.5
    recapture.1 recapture.2 recapture.3 recapture.4 recapture.5 recapture.6
    further_queen enemy_pawn enemy_piece needed_pawn advancement open_file control gathering
    information pawn_entropy entropy age_scale mate stalemate feeding scarcity threat hope
    pawn_captures piece_captures piece_retakes piece_threat mate_share stalemate_risk
    piece_stuck shelter promotion repetition hurry
"""
NAMES = tuple(_NAMES.split())
CHANCES = ("recapture", "pawn_captures", "piece_captures", "piece_retakes", "piece_stuck")
OPPONENTS = {"capture": 5, "random": 2, "darkboard:literal,metapositions=300": 4}
WIN, DRAW, LOSS = 1.0, 0.3, 0.0  # draws are what costs wins; still better than losses
STEP = 0.35  # standard deviation of x
PACE = 0.12  # how far a constant moves at a t value of 2
METAPOSITIONS = 300


class Task(NamedTuple):
    """A game: the constants that are varied, their x, the opponent's name and the seed."""

    start: Constants
    x: tuple[float, ...]
    opponent: str
    seed: int


def scaled(constants: Constants, x: tuple[float, ...]) -> Constants:
    """The constants, each of `NAMES` times exp(x); chances stay at most 1."""
    values: dict[str, Any] = {f.name: getattr(constants, f.name) for f in fields(constants)}
    for name, power in zip(NAMES, x, strict=True):
        field, _, kind = name.partition(".")
        factor = float(np.exp(power))
        old = values[field]
        most = 1.0 if field in CHANCES else np.inf
        if not isinstance(old, tuple):
            values[field] = min(most, old * factor)
        else:
            values[field] = tuple(
                min(most, v * factor) if kind in ("", str(i)) else v for i, v in enumerate(old)
            )
    return replace(constants, **values)


@cache
def opponent_named(name: str) -> Player:
    """The opponent, made once a process."""
    return make_player(name)


def play(task: Task) -> float:
    """The score of one game; the colour is that of the seed."""
    player = DarkboardPlayer("tuned", scaled(task.start, task.x), METAPOSITIONS, None, DEEPEST)
    colour = task.seed % 2 == 0
    seats: dict[bool, Player] = {colour: player, not colour: opponent_named(task.opponent)}
    for seat, other in seats.items():
        other.begin(seat, ICC, chess.STARTING_FEN, task.seed)
    game = Game(ICC)
    while game.to_play is not None:
        game.ask(seats[game.to_play].choose(game.view(game.to_play)))
    if game.winner is None:
        return DRAW
    return WIN if game.winner == colour else LOSS


def draw_tasks(
    start: Constants, mean: np.ndarray, noise: np.ndarray, rng: np.random.Generator
) -> Iterator[Task]:
    """Two games for each row of noise, mean + step · ε and mean - step · ε."""
    names, weights = list(OPPONENTS), np.array(list(OPPONENTS.values()), float)
    for epsilon in noise:
        opponent = names[rng.choice(len(names), p=weights / weights.sum())]
        seed = int(rng.integers(2**31))
        for sign in (1.0, -1.0):
            yield Task(start, tuple(mean + sign * STEP * epsilon), opponent, seed)


def t_values(noise: np.ndarray, scores: np.ndarray) -> np.ndarray:
    """Of the gradient's components: the mean of (score difference · ε) over its standard error."""
    products = (scores[0::2] - scores[1::2])[:, None] * noise
    error = products.std(axis=0) / np.sqrt(len(noise))
    return np.asarray(products.mean(axis=0) / np.maximum(error, 1e-12))


class Run(NamedTuple):
    """The state of a search, in `state.json`.

    Attributes:
        start: the constants that x scales.
        means: the mean x at the start and after each round.
        scores: the rounds' mean scores.
    """

    start: Constants
    means: list[list[float]]
    scores: list[float]

    @classmethod
    def load(cls, folder: Path) -> "Run":
        """The run's state; at the start, the default constants."""
        file = folder / "state.json"
        if not file.exists():
            return cls(DEFAULT, [[0.0] * len(NAMES)], [])
        state = json.loads(file.read_text())
        if state["names"] != list(NAMES):
            raise SystemExit(f"{file} is of other constants; expected {', '.join(NAMES)}")
        start: dict[str, Any] = {
            key: tuple(v) if isinstance(v, list) else v for key, v in state["start"].items()
        }
        if set(start) != {field.name for field in fields(Constants)}:
            raise SystemExit(f"{file} is of other constants; expected those of `Constants`")
        return cls(Constants(**start), state["means"], state["scores"])

    def save(self, folder: Path) -> None:
        """Write the state; a run that is stopped meanwhile keeps the one before."""
        folder.mkdir(parents=True, exist_ok=True)
        new = folder / "state.json.new"
        state = {"names": NAMES, "start": asdict(self.start), "means": self.means, "scores": self.scores}
        new.write_text(json.dumps(state))
        os.replace(new, folder / "state.json")


def search(run: Run, folder: Path, rounds: int, pairs: int, workers: int) -> None:
    """Play rounds until there are so many, saving after each."""
    console = Console(stderr=True)
    with get_context("forkserver").Pool(workers) as pool, Progress(console=console) as progress:
        for number in range(len(run.scores), rounds):
            rng = np.random.default_rng([number])
            mean, noise = np.array(run.means[-1]), rng.standard_normal((pairs, len(NAMES)))
            tasks = list(draw_tasks(run.start, mean, noise, rng))
            line = progress.add_task(f"round {number + 1}", total=len(tasks))
            scores = []
            for score in pool.imap(play, tasks, chunksize=4):
                scores.append(score)
                progress.advance(line)
            t = t_values(noise, np.array(scores))
            run.means.append((mean + PACE * np.clip(t / 2.0, -2.0, 2.0)).tolist())
            run.scores.append(float(np.mean(scores)))
            run.save(folder)
            strongest = sorted(range(len(t)), key=lambda i: -abs(t[i]))[:5]
            said = ", ".join(f"{NAMES[i]} {t[i]:+.1f}" for i in strongest)
            console.print(f"round {number + 1}: mean score {run.scores[-1]:.3f}; t values {said}")


def show(run: Run, first: int, last: int) -> None:
    """Print the constants at the mean of some rounds' means, counted from 1."""
    if not 1 <= first <= last <= len(run.scores):
        raise SystemExit(f"rounds {first} to {last} are not there; expected some of 1 to {len(run.scores)}")
    found = scaled(run.start, tuple(np.array(run.means[first : last + 1]).mean(axis=0)))
    for field in fields(found):
        if any(name.partition(".")[0] == field.name for name in NAMES):
            value = getattr(found, field.name)
            near = tuple(round(v, 3) for v in value) if isinstance(value, tuple) else round(value, 4)
            print(f"    {field.name}={near},")


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--run", type=Path, required=True, help="folder of the search")
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--pairs", type=int, default=600, help="pairs of games in a round")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    parser.add_argument(
        "--show", type=int, nargs=2, metavar=("FIRST", "LAST"), help="print the mean of these rounds"
    )
    given = parser.parse_args()
    run = Run.load(given.run)
    if given.show:
        show(run, *given.show)
    else:
        search(run, given.run, given.rounds, given.pairs, given.workers)


if __name__ == "__main__":
    main()
