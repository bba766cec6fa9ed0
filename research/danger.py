"""How often the opponent captures a man in its next turn: the regression behind `losses.chance_taken`.

    python -m research.danger --games 80 --against darkboard:metapositions=1

The default player plays, and after each of its moves every man but the king is noted with what the player
expects around it and whether it was captured in the opponent's turn. A logistic regression is fitted for men
that stood still, that moved, and that captured, on four fifths of the games; on the others its log loss
stands beside that of the plain rate. It prints `constants.DANGER`.
"""

import argparse
from collections.abc import Iterator, Sequence
from typing import Any

import chess
import numpy as np
from ks_baselines.darkboard.moves import pack
from ks_baselines.mcts.advantage_search.losses import LEAST, MOVED, STOOD, TERMS, TOOK
from ks_baselines.mcts.advantage_search.player import AdvantageSearchPlayer, advantage_search_player
from ks_baselines.mcts.advantage_search.search import prepare
from ks_baselines.mcts.worth import other_guards
from rich.console import Console
from rich.progress import track
from rich.table import Table
from scipy.optimize import minimize

from ks_env.belief.location.answers import king_control, pawn_control
from ks_env.core.ruleset import ICC
from ks_env.core.tables import ANY, KING, TRY_FROM, TRY_TO
from ks_env.core.tries import INFORMED
from ks_env.games import kriegspiel
from ks_env.games.kriegspiel.game import Game
from ks_env.games.kriegspiel.layout import View
from ks_env.games.kriegspiel.tries import list_tries
from ks_env.players.registry import make_player

NODES = 45  # of the player: each try is judged once
LONGEST = 500  # half-moves of a game
DECAY = 1e-4  # of the weights but the constant
NAMES = {STOOD: "stood still", MOVED: "moved", TOOK: "captured"}
Rows = list[tuple[float, ...]]  # game, what the man did, the regression's terms, whether it was captured


def terms_of(player: AdvantageSearchPlayer, square: int, guards: int) -> tuple[float, ...]:
    """The regression's terms for a man on the square, see `losses.chance_taken`; after `look_around`."""
    maps, pieces = player.place[0]["maps"], float(player.tree.control[1, square])
    pawns = float(pawn_control(maps, square))
    king = float(king_control(maps, square)) if guards == 0 else 0.0
    logarithms = [float(np.log(max(float(LEAST), number))) for number in (pawns, pieces)]
    return (
        1.0,
        min(1.0, pawns),
        logarithms[0],
        min(2.0, pieces),
        logarithms[1],
        min(1.0, king),
        min(3, guards),
    )


def look_around(player: AdvantageSearchPlayer, view: View) -> None:
    """Work out Prob_control and guards in the turn that the player has just decided."""
    n = int(list_tries(view, player.rules, INFORMED, player.tries))
    player._prepare_root(view, n - 1 if n > 1 and player.tries[n - 1] == ANY else n)
    prepare(player.tree, 0, player.record)


def men_after(player: AdvantageSearchPlayer, view: View, action: int) -> Rows:
    """What the man did, terms and square, for each own man after an accepted try; `view` is the one after."""
    start, end = int(TRY_FROM[action]), int(TRY_TO[action])
    kind = int(view["men"][end]) & 7
    packed = int(pack(start, end, kind, 0))
    rows = []
    for square in range(64):
        if int(view["men"][square]) & 7 in (0, KING):
            continue
        doing = STOOD if square != end else TOOK if view["took"] >= 0 else MOVED
        guards = (
            int(player.tree.guards[square])
            if square != end
            else int(other_guards(player.tree.guards, packed))
        )
        rows.append((float(doing), *terms_of(player, square, guards), float(square)))
    return rows


def rows_of(player: AdvantageSearchPlayer, opponent: Any, seed: int) -> Iterator[tuple[float, ...]]:
    """One game; a row for each man in each turn."""
    game, colour = Game(ICC), seed % 2 == 0
    player.begin(kriegspiel.opening(colour, ICC, chess.STARTING_FEN, seed))
    opponent.begin(kriegspiel.opening(not colour, ICC, chess.STARTING_FEN, seed))
    noted: Rows = []
    while game.to_play is not None and game.plies < LONGEST:
        if game.to_play != colour:
            game.ask(opponent.choose(game.view(not colour)))
            continue
        view = game.view(colour)
        for row in noted:
            yield (float(seed), *row[:-1], float(row[-1] == view["lost"]))
        noted = []
        action, plies = player.choose(view), game.plies
        look_around(player, view)
        game.ask(action)
        if game.plies > plies:
            noted = men_after(player, game.view(colour), action)


def loss(weights: np.ndarray, terms: np.ndarray, taken: np.ndarray) -> tuple[float, np.ndarray]:
    """Log loss of a logistic regression and its gradient."""
    odds = terms @ weights
    value = np.mean(np.logaddexp(0.0, odds) - taken * odds) + DECAY * np.sum(weights[1:] ** 2)
    slope = terms.T @ (1 / (1 + np.exp(-odds)) - taken) / len(taken)
    slope[1:] += 2 * DECAY * weights[1:]
    return float(value), slope


def fit(terms: np.ndarray, taken: np.ndarray) -> np.ndarray:
    """The weights of least loss: f8[TERMS]."""
    found = minimize(loss, np.zeros(TERMS), (terms, taken), jac=True, method="L-BFGS-B")
    return np.asarray(found.x)


def report(rows: np.ndarray, console: Console) -> None:
    """Fit, and print the weights with their loss on the games left out."""
    table = Table("men that", "number", "captured", "log loss", "of the plain rate")
    games, left_out = rows[:, 0], rows[:, 0] % 5 == 0
    for doing, name in NAMES.items():
        here = rows[:, 1] == doing
        terms, taken = rows[:, 2:-1], rows[:, -1]
        learnt, tested = here & ~left_out, here & left_out
        weights, rate = fit(terms[learnt], taken[learnt]), np.mean(taken[learnt])
        plain = -np.mean(np.where(taken[tested] > 0, np.log(rate), np.log(1 - rate)))
        found = loss(np.r_[weights], terms[tested], taken[tested])[0] - DECAY * np.sum(weights[1:] ** 2)
        table.add_row(name, f"{here.sum():,}", f"{taken[here].mean():.2%}", f"{found:.4f}", f"{plain:.4f}")
        console.print(f"    *({', '.join(f'{w:.3f}' for w in weights)}),  # {name}", highlight=False)
    console.print(table)
    console.print(f"{len(np.unique(games))} games, a fifth of them left out of the fit")


def main(arguments: Sequence[str] | None = None) -> None:
    """The command."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--games", type=int, default=80)
    parser.add_argument("--against", nargs="+", default=["darkboard:metapositions=1"])
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args(arguments)
    player, opponents = advantage_search_player(nodes=NODES), [make_player(name) for name in given.against]
    rows = [
        row
        for i in track(range(given.games), "games", transient=True)
        for row in rows_of(player, opponents[i % len(opponents)], given.seed + i)
    ]
    report(np.array(rows), Console())


if __name__ == "__main__":
    main()
