"""The solved endings beside the known figures, and how often their tables mate a bare king before a referee.

    python -m research.endings --trials 400 --timed --result docs/results/endgames.json

In trials the men play `Table.best` where it is certain, else `Table.gamble`, from any placement: games
counted, nothing proved. The bare king sees the true board, which is more than Kriegspiel gives it, and moves
in one of these ways:

    random    any legal move, all equally likely
    evading   takes a man when it can; else goes to the square nearest the centre, of equals the one
              farthest from the opponent's king, of equals a random one
"""

import json
import math
import platform
import random
import sys
import time
from collections import Counter
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import chess
import numpy as np
import typer
from ks_train.commands.plain import plainly

from ks_env.belief.endgames.ending import ENDINGS, Ending, ending_named
from ks_env.belief.endgames.king_set import ALL_SQUARES, KingSet
from ks_env.belief.endgames.solver import WinningSets, solve_sets
from ks_env.belief.endgames.table import Table, solve
from ks_env.core.actions import action_to_move
from ks_env.core.answers import Reason
from ks_env.core.files import write_aside
from ks_env.core.ruleset import ICC, Ruleset
from ks_env.games.kriegspiel.game import Game

BareKing = Callable[[Game, random.Random], int]

SEED = 1
HEAD = f"{'ending':<7}{'placements':>11}{'sure wins':>11}{'moves':>8}   known"


class Trial(NamedTuple):
    """One game: why it ended, whether by mate of the bare king, and the seat's accepted moves and tries."""

    reason: Reason
    mated: bool
    moves: int
    tries: int


def random_king(game: Game, rng: random.Random) -> int:
    """Any legal move."""
    return rng.choice(sorted(game.legal()))


def evading_king(game: Game, rng: random.Random) -> int:
    """A capture; else toward the centre and away from the other king."""
    board, mover = game.board(), bool(game.to_play)
    other = board.king(not mover)
    assert other is not None

    def worth(action: int) -> tuple[bool, float, int, float]:
        end = action_to_move(action, mover).to_square
        file, rank = abs(chess.square_file(end) - 3.5), abs(chess.square_rank(end) - 3.5)
        away = chess.square_distance(end, other)
        return board.piece_at(end) is not None, -max(file, rank), away, rng.random()

    return max(sorted(game.legal()), key=worth)


KINGS: dict[str, BareKing] = {"random": random_king, "evading": evading_king}


def start_fen(table: Table, place: int, king: int, colour: bool) -> str:
    """The position of a placement with the bare king on a square of its seat's frame, the men to move."""
    board, mirror = chess.Board(None), 0 if colour else 56
    for kind, square in zip(table.places.kinds[place], table.places.squares[place], strict=True):
        board.set_piece_at(int(square) ^ mirror, chess.Piece(int(kind), colour))
    board.set_piece_at(king ^ mirror, chess.Piece(chess.KING, not colour))
    board.turn = colour
    return board.fen()


def play(
    table: Table,
    fen: str,
    bare_king: BareKing,
    rng: random.Random,
    ruleset: Ruleset = ICC,
    squares: int = ALL_SQUARES,
) -> Trial:
    """Play one game of the table's men against a bare king whose place is hidden at the start.

    A man that is taken ends the game: what is left cannot mate. `squares` is a board, in the seat's frame, of
    those on which the bare king may stand at the start.
    """
    game = Game(ruleset, fen, hidden_start=True)
    seat = game.to_play
    assert seat is not None
    king, tries = KingSet(game.view(seat)["kinds"], squares), 0
    while game.to_play is not None:
        if game.to_play != seat:
            game.ask(bare_king(game, rng))
            continue
        king.update(game.view(seat))
        choice = table.best(king.kinds, king.squares) or table.gamble(king.kinds, king.squares)
        assert choice is not None  # the true square is in the set, and it leaves some try legal
        game.ask(choice.action)
        tries += 1
    return Trial(game.reason, game.reason is Reason.CHECKMATE, (game.plies + 1) // 2, tries)


def wilson(hits: int, games: int) -> list[float]:
    """Wilson's 95 % interval of a share."""
    z, share = 1.96, hits / games
    middle, half = (
        share + z * z / (2 * games),
        z * math.sqrt(share * (1 - share) / games + (z / (2 * games)) ** 2),
    )
    return [round(max(0.0, (middle + sign * half) / (1 + z * z / games)), 4) for sign in (-1, 1)]


def run_trials(table: Table, which: str, games: int, seed: int, *, sure: bool = False) -> dict[str, object]:
    """Games from random placements without (or with) a sure win, the bare king on any legal square.

    Args:
        table: of the ending.
        which: how the bare king moves, a name in `KINGS`.
        games: how many; the placements without a sure win come round in turn, in random order.
        seed: of placements, squares and the bare king.
        sure: from the placements with a sure win instead.

    Returns:
        counts of games by end, the share of mates, and the mean number of moves and tries of those.
    """
    rng = random.Random(seed)
    places = np.flatnonzero((table.sure_placements() > 0) == sure).tolist()
    if not places or games < 1:
        return {"games": 0}
    order = rng.sample(places, len(places))
    ends: Counter[str] = Counter()
    mates: list[Trial] = []
    for number in range(games):
        place = order[number % len(order)]
        squares = [s for s in range(64) if int(table.places.full[place]) >> s & 1]
        fen = start_fen(table, place, rng.choice(squares), bool(number % 2))
        trial = play(table, fen, KINGS[which], rng)
        ends[trial.reason.name.lower()] += 1
        if trial.mated:
            mates.append(trial)
    moves, tries = sum(t.moves for t in mates), sum(t.tries for t in mates)
    return {
        "games": games,
        "mates": len(mates),
        "share of mates": round(len(mates) / games, 4),
        "95 % interval": wilson(len(mates), games),
        "ends": dict(ends.most_common()),
        "moves a mate": round(moves / max(len(mates), 1), 2),
        "tries a move": round(tries / max(moves, 1), 3),
    }


def figures(table: Table) -> dict[str, Any]:
    """What the solution says of an ending, beside what is known of it."""
    moves = table.sure_placements()
    sure = moves[moves > 0]
    placements, wins, least, most = table.ending.known
    own = int(table.wins.first[table.places.own])
    ours = [len(moves), len(sure), int(sure.min()), int(sure.max())]
    return {
        "placements": ours[0],
        "sure wins": ours[1],
        "moves, least": ours[2],
        "moves, most": ours[3],
        "known": {"placements": placements, "sure wins": wins, "moves, least": least, "moves, most": most},
        "agrees": ours == list(table.ending.known),
        "sure wins by moves": {str(n): int(np.sum(sure == n)) for n in range(ours[2], ours[3] + 1)},
        "winning sets": own,
        "longest win of any set": int(table.wins.depths[:own].max()),
    }


def line(name: str, found: dict[str, Any]) -> str:
    """One line of the table."""
    known = found["known"]
    span = f"{found['moves, least']}–{found['moves, most']}"
    known_span = f"{known['moves, least']}–{known['moves, most']}"
    verdict = "the same" if found["agrees"] else "DIFFERENT"
    ours = f"{name:<7}{found['placements']:>11,}{found['sure wins']:>11,}{span:>8}"
    return f"{ours}   {known['sure wins']:,} of {known['placements']:,}, {known_span}: {verdict}"


def timed_solution(ending: Ending) -> tuple[WinningSets, float]:
    """Solve from scratch; the winning sets and the seconds of processor time."""
    begin = time.process_time()
    wins = solve_sets(ending)
    return wins, time.process_time() - begin


def study(ending: Ending, trials: int, timed: bool) -> dict[str, Any]:
    """Figures of one ending, with trials and the time to solve it where asked for."""
    table = solve(ending)
    found = figures(table)
    if timed:
        wins, seconds = timed_solution(ending)
        found["processor seconds to solve (the first one with compiling)"] = round(seconds, 1)
        found["same as the kept table"] = bool(np.array_equal(wins.sets, table.wins.sets))
    if trials:
        found["trials under the fifty-move rule"] = {
            f"{kind}, {king} king": run_trials(table, king, trials, SEED, sure=sure)
            for kind, sure in (("no sure win", False), ("sure win", True))
            for king in KINGS
        }
    return found


def endings(
    names: Annotated[list[str] | None, typer.Argument(help="such as KQK; all by default")] = None,
    trials: Annotated[int, typer.Option(min=0, help="games of each kind and ending")] = 0,
    timed: Annotated[bool, typer.Option("--timed", help="solve anew for the time it takes")] = False,
    result: Annotated[Path | None, typer.Option(help="JSON file for the figures")] = None,
) -> None:
    """Print the solved endings against a bare king beside the known figures; exit status 1 if one differs."""
    chosen = [ending_named(name) for name in names or ENDINGS]
    print(HEAD)
    found = {}
    for ending in chosen:
        found[ending.name] = study(ending, trials, timed)
        print(line(ending.name, found[ending.name]), flush=True)
    if result is not None:
        value = {
            "what": "Kriegspiel endings against a bare king solved exactly: placements up to symmetry from "
            "which mate is certain wherever the king stands, and moves to mate in the worst case",
            "made with": {
                "command": " ".join(["python -m research.endings", *sys.argv[1:]]),
                "python": platform.python_version(),
                "numpy": version("numpy"),
                "numba": version("numba"),
                "seed of the trials": SEED,
            },
            "endings": found,
        }
        write_aside(result, json.dumps(value, indent=2, ensure_ascii=False) + "\n")
    if not all(each["agrees"] for each in found.values()):
        raise typer.Exit(1)


app = typer.Typer(pretty_exceptions_enable=False)
app.command()(plainly(endings))

if __name__ == "__main__":
    app()
