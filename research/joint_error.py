"""How wrong a joint distribution is that has too little room for all of its boards.

    python -m research.joint_error --games 20 --seed 1

In random games the same seat keeps several distributions: one that stays exact, and others with less room. At
each of its turns in which one of these is no longer exact it is compared with the exact one. A game is left
when that one has no room either.
"""

import argparse
import json
import platform
import random
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import chess
import numpy as np
import numpy.typing as npt
from rich.console import Console
from rich.table import Table

from ks_env.belief.joint.joint import Joint
from ks_env.games.invisible.game import InvisibleGame
from ks_env.games.invisible.hidden import all_choices, parse_both

HIDDEN = ("2R v 2R", "3P 2N v 2B N", "2B 2R Q v 2B 2R Q")
# Half of the pawns are gone, so that hidden men get about, as they do not in the first turns of a random game
OPEN = "rnbqkbnr/1pp2pp1/8/8/8/8/1PP2PP1/RNBQKBNR w KQkq - 0 1"
ROOMS = (64, 256, 1024, 4096)
MOST = 1 << 15  # room of the distribution that has to be exact
TURNS = 40  # own turns a game
LEGAL = 0.8  # share of tries that are drawn among the legal ones: games of refusals alone teach nothing

Sample = tuple[float, float, float, bool]  # distance of marginals, entropy missed, of how much; truth lost
Row = dict[str, Any]


def marginal_distance(one: npt.NDArray[np.float64], other: npt.NDArray[np.float64]) -> float:
    """Total variation distance of the marginals, the mean over hidden men: 0 the same, 1 never the same.

    Args:
        one: f8[16, 64], as `Joint.marginals` gives them.
        other: likewise.
    """
    men = (one.sum(axis=1) > 0) | (other.sum(axis=1) > 0)
    if not men.any():
        return 0.0
    return float(0.5 * np.abs(one - other)[men].sum(axis=1).mean())


def compare(joint: Joint, exact: Joint, truth: dict[int, int]) -> Sample:
    """A distribution beside the exact one, of the same seat and turn."""
    entropy = exact.entropy()
    distance = marginal_distance(joint.marginals(), exact.marginals())
    return distance, joint.entropy() - entropy, entropy, joint.chance(truth) == 0.0


def _ask(rng: random.Random, game: InvisibleGame, mover: bool) -> None:
    legal = sorted(game.legal())
    if rng.random() >= LEGAL:
        legal = np.flatnonzero(game.mask(mover)).tolist()
    game.ask(rng.choice(legal))


def play(rng: random.Random, hidden: str) -> Iterator[tuple[int, Sample | None]]:
    """One random game: for each of the seat's turns and each room, the error; None where it is exact."""
    white, black = parse_both(hidden)
    choices = len(all_choices(chess.Board(OPEN), white, black))
    game = InvisibleGame((white, black), fen=OPEN, choice=rng.randrange(choices))
    seat = rng.random() < 0.5
    exact, joints = Joint(MOST), {room: Joint(room) for room in ROOMS}
    for joint in (exact, *joints.values()):
        joint.begin(game.view(seat))
    while game.plies < 2 * TURNS and game.to_play is not None:
        _ask(rng, game, game.to_play)
        view = game.view(seat)
        for joint in (exact, *joints.values()):
            joint.follow(view)
        if not exact.exact:
            return
        if view["turn"] and view["refusals"] == 0:
            mirror = 0 if seat else 56
            truth = {n: s ^ mirror for n, s in game.hidden_squares(not seat).items()}
            for room, joint in joints.items():
                yield room, None if joint.exact else compare(joint, exact, truth)


def _spread(values: npt.NDArray[np.float64]) -> dict[str, float]:
    low, high = np.quantile(values, (0.05, 0.95))
    return {"mean": float(values.mean()), "5 %": float(low), "95 %": float(high)}


def row_of(hidden: str, room: int, samples: list[Sample | None]) -> Row:
    """The figures of one room, over all turns in which it was not exact."""
    wrong = np.array([sample for sample in samples if sample is not None], np.float64).reshape(-1, 4)
    row: Row = {"hidden": hidden, "room": room, "turns": len(samples), "not exact": len(wrong)}
    if len(wrong):
        row["distance of the marginals"] = _spread(wrong[:, 0])
        row["entropy, bits more"] = _spread(wrong[:, 1])
        row["exact entropy, bits"] = _spread(wrong[:, 2])
        row["truth lost"] = float(wrong[:, 3].mean())
    return row


def measure(hidden: str, games: int, seed: int) -> list[Row]:
    """Random games with these hidden men: one row a room."""
    samples: dict[int, list[Sample | None]] = {room: [] for room in ROOMS}
    for number in range(games):
        for room, sample in play(random.Random(f"{seed} {hidden} {number}"), hidden):
            samples[room].append(sample)
    return [row_of(hidden, room, found) for room, found in samples.items()]


def _cell(row: Row, name: str) -> str:
    if name not in row:
        return ""
    return f"{row[name]['mean']:.2f} ({row[name]['5 %']:.2f}, {row[name]['95 %']:.2f})"


def table_of(rows: list[Row], title: str) -> Table:
    """The results as a table; in brackets the middle 90 % of turns."""
    table = Table(title=title)
    spreads = {
        "distance of the marginals": "distance",
        "entropy, bits more": "bits more",
        "exact entropy, bits": "exact bits",
    }
    for column in ("hidden", "room", "turns", "not exact", *spreads.values(), "truth lost"):
        table.add_column(column, justify="left" if column == "hidden" else "right")
    for row in rows:
        lost = f"{row['truth lost']:.1%}" if "truth lost" in row else ""
        counts = (str(row[name]) for name in ("hidden", "room", "turns", "not exact"))
        table.add_row(*counts, *(_cell(row, name) for name in spreads), lost)
    return table


def main(arguments: Sequence[str] | None = None) -> None:
    """Play, print the table, and write the results where asked."""
    parser = argparse.ArgumentParser(
        prog="python -m research.joint_error", description=(__doc__ or "").splitlines()[0]
    )
    parser.add_argument("--games", type=int, default=20, help="games for each set of hidden men")
    parser.add_argument("--seed", type=int, default=1, help="of the games")
    parser.add_argument("--hidden", nargs="+", default=HIDDEN, help="sets of hidden men, such as '2R v 2R'")
    parser.add_argument("--json", type=Path, help="file to write the results to")
    options = parser.parse_args(arguments)
    if options.games < 1:
        parser.error("expected at least one game")
    rows = [row for hidden in options.hidden for row in measure(hidden, options.games, options.seed)]
    Console().print(table_of(rows, f"{options.games} games a set, seed {options.seed}"))
    if options.json is not None:
        setting: Row = {
            "games": options.games,
            "seed": options.seed,
            "most boards": MOST,
            "own turns": TURNS,
            "start": OPEN,
        }
        setting["python"] = platform.python_version()
        options.json.parent.mkdir(parents=True, exist_ok=True)
        text = json.dumps({"setting": setting, "rows": rows}, indent=2)
        options.json.write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
