"""How many metapositions are evaluated a second, and where the time goes.

    python -m benchmarks.darkboard --games 6 --rounds 7

Positions are taken from games of the player against `capture`. A metaposition evaluated is an own move made
on a copy of the record (pseudo) and its static value (eval), which takes an opponent's turn (meta) for the
entropy that two plies add. The search is timed whole; its parts are timed by themselves over the same moves,
so that their shares need not add up to the whole. Seconds are those of the process on its core, so that a
busy machine takes none of them away.
"""

import argparse
from collections.abc import Callable
from functools import cache
from time import process_time
from typing import Any

import chess
from ks_baselines.darkboard.components import controlled, entropy, slice_ages
from ks_baselines.darkboard.constants import Constants
from ks_baselines.darkboard.evaluation import SAFETY_ALONE, THREATS, OwnMen, evaluation_of
from ks_baselines.darkboard.moves import end_of, generate, start_of
from ks_baselines.darkboard.player import DarkboardPlayer, darkboard_player
from ks_baselines.darkboard.search import Work, make_move

from ks_env.belief.metaposition.layout import Metaposition
from ks_env.belief.metaposition.opponent_move import simulate_meta
from ks_env.core.bits import ALL
from ks_env.core.jit import kernel
from ks_env.core.record import f8, i8
from ks_env.core.ruleset import ICC
from ks_env.games import kriegspiel
from ks_env.games.kriegspiel.game import Game
from ks_env.players.registry import make_player

PSEUDO, META, CONTROL, ENTROPY, OWN_MEN, EVAL, GENERATE = range(7)
PARTS = (
    "pseudo (copy and move)",
    "meta (copy and spread)",
    "control",
    "entropy",
    "what the own men are worth",
    "pseudo and the whole of eval",
    "generate (once a node)",
)
Sample = tuple[Any, Any]  # METAPOSITION and VIEW


@cache
def part_kernel(men: OwnMen) -> Callable[..., float]:
    """A kernel (work, m, part, c): do one part of the work for every move of the metaposition.

    The number that it returns keeps the work from being skipped.
    """
    evaluate, prepare, weigh = evaluation_of(men), men.prepare, men.weigh

    @kernel
    def run_part(work: Work, m: Metaposition, part: int, c: Constants) -> float:
        n = generate(m, work.moves[1])
        if part == GENERATE:
            return f8(n)
        prepare(m, work.boards, work.density)
        child, later = work.scratch[0], work.scratch[1]
        by, planes, row = work.boards[:7], work.boards[7:12], work.parts[0]
        total = 0.0
        for i in range(n):
            move = i8(work.moves[1, i])
            start, end = start_of(move), end_of(move)
            if part == PSEUDO or part == EVAL or i == 0:
                work.scratch[0] = m
                make_move(child, move, 0)
            if part == PSEUDO:
                total += child.own[0] & ALL
            elif part == META:
                work.scratch[1] = child
                simulate_meta(later)
                total += later.ghosts[0] & ALL
            elif part == CONTROL:
                total += controlled(child, by) & ALL
            elif part == ENTROPY:
                total += entropy(child, planes, c)
            elif part == OWN_MEN:
                slice_ages(child, planes)
                weigh(m, child, start, end, 0, ALL, work.boards, c, row, work.density)
            else:
                work.scratch[1] = child
                total += evaluate(m, child, later, start, end, 0, 1, 0.0, c, work.boards, row, work.density)
        return total

    return run_part


def sample_positions(player: DarkboardPlayer, games: int) -> list[Sample]:
    """Metapositions and views at the player's turns in games against `capture`."""
    opponent = make_player("capture")
    found: list[Sample] = []
    for number in range(games):
        colour = number % 2 == 0
        game = Game(ICC)
        player.begin(kriegspiel.opening(colour, ICC, chess.STARTING_FEN, number))
        opponent.begin(kriegspiel.opening(not colour, ICC, chess.STARTING_FEN, number))
        while game.to_play is not None:
            if game.to_play == colour:
                view = game.view(colour)
                action = player.choose(view)
                found.append((player.metaposition[0].copy(), view))
            else:
                action = opponent.choose(game.view(not colour))
            game.ask(action)
    return [sample for sample in found if sample[0]["most"][0] > 1]


def time_search(player: DarkboardPlayer, samples: list[Sample]) -> tuple[int, float]:
    """Metapositions evaluated and seconds over all samples."""
    player.nodes = 0
    seconds = 0.0
    for m, view in samples:
        player.metaposition[0] = m
        player.past.state[:] = 0
        n = player.look(view)
        begun = process_time()
        player.think(view, n)
        seconds += process_time() - begun
    return player.nodes, seconds


def _median(measure: Callable[[], float], rounds: int) -> tuple[float, float, float]:
    values = sorted(measure() for _ in range(rounds))
    return values[len(values) // 2], values[0], values[-1]


def measure_search(player: DarkboardPlayer, samples: list[Sample], rounds: int) -> tuple[float, float, float]:
    """Metapositions a second: median, least and greatest of the rounds."""

    def one() -> float:
        nodes, seconds = time_search(player, samples)
        return nodes / seconds

    return _median(one, rounds)


def measure_part(
    player: DarkboardPlayer, samples: list[Sample], part: int, rounds: int
) -> tuple[float, float, float]:
    """Nanoseconds a move of one part: median, least and greatest of the rounds."""
    work, c = player.work, player.constants_record
    run_part = part_kernel(SAFETY_ALONE if player.more is None else THREATS)
    moves = sum(int(run_part(work, m, GENERATE, c)) for m, _ in samples)

    def one() -> float:
        begun = process_time()
        for m, _ in samples:
            run_part(work, m, part, c)
        return (process_time() - begun) / moves * 1e9

    one()
    return _median(one, rounds)


def main(arguments: Any = None) -> None:
    """Print the speeds."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--games", type=int, default=6, help="games from which the positions are taken")
    parser.add_argument("--rounds", type=int, default=7, help="rounds of measurement")
    parser.add_argument("--metapositions", type=int, default=10_000, help="budget of a choice")
    options = parser.parse_args(arguments)
    for improved in (True, False):
        player = darkboard_player(metapositions=options.metapositions, improved=improved)
        samples = sample_positions(darkboard_player(metapositions=500), options.games)
        time_search(player, samples[:2])
        rate = measure_search(player, samples, options.rounds)
        print(f"{player.name}: {len(samples)} positions of {options.games} games")
        print("  metapositions a second  {:9.0f}  ({:.0f} to {:.0f})".format(*rate))
        for part, name in enumerate(PARTS):
            time = measure_part(player, samples, part, options.rounds)
            print("  {:32} {:6.0f} ns  ({:.0f} to {:.0f})".format(name, *time))


if __name__ == "__main__":
    main()
