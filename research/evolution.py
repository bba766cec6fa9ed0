"""Search for better constants by playing: evolution strategies with antithetic pairs.

Every constant of a `Space` is varied by its own x. A pair of games is played with x = mean ± step · ε,
ε drawn anew for each pair, from the same seed against the same opponent; the difference of their scores,
times ε, is an estimate of the gradient (Salimans et al., "Evolution Strategies as a Scalable Alternative to
Reinforcement Learning", 2017, §2). A round takes the mean of these and moves along it, each constant by its t
value, so that those without effect stay where they are. The state is written after each round, and a run goes
on where it was stopped.
"""

import argparse
import json
import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass, fields
from functools import cache, partial
from math import exp, inf
from multiprocessing import get_context
from pathlib import Path
from typing import Any, NamedTuple

import chess
import numpy as np
from rich.console import Console
from rich.progress import Progress

from ks_env.core.ruleset import ICC
from ks_env.games import kriegspiel
from ks_env.games.kriegspiel.game import Game
from ks_env.players.protocol import Player
from ks_env.players.registry import make_player

STEP = 0.35  # standard deviation of x
PACE = 0.12  # how far a constant moves at a t value of 2

X = tuple[float, ...]


@dataclass(frozen=True)
class Space:
    """What is searched, and by which games.

    Attributes:
        names: of the constants that are varied; `name.3` is entry 3 of a tuple.
        default: a dataclass of constants, where a search starts.
        vary: the constants at an x, from those at the start.
        make: a player with these constants.
        opponents: names, and how often each is met in proportion to the others.
        draw: score of a draw; a win is 1, a loss 0.
    """

    names: tuple[str, ...]
    default: Any
    vary: Callable[[Any, X], Any]
    make: Callable[[Any], Player]
    opponents: Mapping[str, float]
    draw: float


class Task(NamedTuple):
    """A game: the constants at the start, x, the opponent's name and the seed."""

    start: Any
    x: X
    opponent: str
    seed: int


def changed(values: dict[str, Any], name: str, change: Callable[[float], float]) -> None:
    """Change one constant in a dict of them, or all entries of a tuple, or the one that is named."""
    field, _, kind = name.partition(".")
    old = values[field]
    if isinstance(old, tuple):
        values[field] = tuple(change(v) if kind in ("", str(i)) else v for i, v in enumerate(old))
    else:
        values[field] = change(old)


def values_of(constants: Any) -> dict[str, Any]:
    """The constants by name."""
    return {field.name: getattr(constants, field.name) for field in fields(constants)}


def scale(values: dict[str, Any], name: str, power: float, most: float = inf) -> None:
    """Multiply a constant by exp(power), to at most so much; see `changed`."""
    changed(values, name, lambda value: float(min(most, value * exp(power))))


@cache
def opponent_named(name: str) -> Player:
    """The opponent, made once a process."""
    return make_player(name)


def play(space: Space, task: Task) -> float:
    """The score of one game; the colour is that of the seed."""
    player, colour = space.make(space.vary(task.start, task.x)), task.seed % 2 == 0
    seats: dict[bool, Player] = {colour: player, not colour: opponent_named(task.opponent)}
    for seat, other in seats.items():
        other.begin(kriegspiel.opening(seat, ICC, chess.STARTING_FEN, task.seed))
    game = Game(ICC)
    while game.to_play is not None:
        game.ask(seats[game.to_play].choose(game.view(game.to_play)))
    if game.winner is None:
        return space.draw
    return 1.0 if game.winner == colour else 0.0


def draw_tasks(
    space: Space, start: Any, mean: np.ndarray, noise: np.ndarray, rng: np.random.Generator
) -> Iterator[Task]:
    """Two games for each row of noise, mean + step · ε and mean - step · ε."""
    names, weights = list(space.opponents), np.array(list(space.opponents.values()), float)
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
        start: the constants at x = 0.
        means: the mean x at the start and after each round.
        scores: the rounds' mean scores.
    """

    start: Any
    means: list[list[float]]
    scores: list[float]

    @classmethod
    def load(cls, folder: Path, space: Space) -> "Run":
        """The run's state; at the start, the default constants."""
        file, kind = folder / "state.json", type(space.default)
        if not file.exists():
            return cls(space.default, [[0.0] * len(space.names)], [])
        state = json.loads(file.read_text())
        if state["names"] != list(space.names):
            raise SystemExit(f"{file} is of other constants; expected {', '.join(space.names)}")
        start = {key: tuple(v) if isinstance(v, list) else v for key, v in state["start"].items()}
        if set(start) != {field.name for field in fields(kind)}:
            raise SystemExit(f"{file} is of other constants; expected those of {kind.__module__}")
        return cls(kind(**start), state["means"], state["scores"])

    def save(self, folder: Path, space: Space) -> None:
        """Write the state; a run that is stopped meanwhile keeps the one before."""
        folder.mkdir(parents=True, exist_ok=True)
        new = folder / "state.json.new"
        state = {
            "names": space.names,
            "start": asdict(self.start),
            "means": self.means,
            "scores": self.scores,
        }
        new.write_text(json.dumps(state))
        os.replace(new, folder / "state.json")


def search(space: Space, run: Run, folder: Path, rounds: int, pairs: int, workers: int) -> None:
    """Play rounds until there are so many, saving after each."""
    console = Console(stderr=True)
    with get_context("forkserver").Pool(workers) as pool, Progress(console=console) as progress:
        for number in range(len(run.scores), rounds):
            rng = np.random.default_rng([number])
            mean, noise = np.array(run.means[-1]), rng.standard_normal((pairs, len(space.names)))
            tasks = list(draw_tasks(space, run.start, mean, noise, rng))
            line = progress.add_task(f"round {number + 1}", total=len(tasks))
            scores = []
            for score in pool.imap(partial(play, space), tasks, chunksize=4):
                scores.append(score)
                progress.advance(line)
            t = t_values(noise, np.array(scores))
            run.means.append((mean + PACE * np.clip(t / 2.0, -2.0, 2.0)).tolist())
            run.scores.append(float(np.mean(scores)))
            run.save(folder, space)
            strongest = sorted(range(len(t)), key=lambda i: -abs(t[i]))[:5]
            said = ", ".join(f"{space.names[i]} {t[i]:+.1f}" for i in strongest)
            console.print(f"round {number + 1}: mean score {run.scores[-1]:.3f}; t values {said}")


def show(space: Space, run: Run, first: int, last: int) -> None:
    """Print the constants at the mean of some rounds' means, counted from 1."""
    if not 1 <= first <= last <= len(run.scores):
        raise SystemExit(f"rounds {first} to {last} are not there; expected some of 1 to {len(run.scores)}")
    found = space.vary(run.start, tuple(np.array(run.means[first : last + 1]).mean(axis=0)))
    for field in fields(found):
        if any(name.partition(".")[0] == field.name for name in space.names):
            value = getattr(found, field.name)
            near = tuple(round(v, 3) for v in value) if isinstance(value, tuple) else round(value, 4)
            print(f"    {field.name}={near},")


def main(space: Space, about: str) -> None:
    """The command of a player's search."""
    parser = argparse.ArgumentParser(description=about, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--run", type=Path, required=True, help="folder of the search")
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--pairs", type=int, default=600, help="pairs of games in a round")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    parser.add_argument(
        "--show", type=int, nargs=2, metavar=("FIRST", "LAST"), help="print the mean of these rounds"
    )
    given = parser.parse_args()
    run = Run.load(given.run, space)
    if given.show:
        show(space, run, *given.show)
    else:
        search(space, run, given.run, given.rounds, given.pairs, given.workers)
