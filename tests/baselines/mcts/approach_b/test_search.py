"""The tree and the simulations of approach B, held against approach C's weighted average."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import chess
import numpy as np
import pytest
from ks_baselines.darkboard.moves import end_of, kind_of, start_of
from ks_baselines.mcts import MctsBPlayer, mcts_b_player
from ks_baselines.mcts.approach_b.search import simulate, simulate_after_mean
from ks_baselines.mcts.approach_c.search import prepare, static_value
from ks_baselines.mcts.constants import Constants
from ks_baselines.mcts.explain import children
from ks_baselines.mcts.worth import count_guards, guards_of

from ks_env.core.jit import kernel
from ks_env.core.record import f8
from ks_env.core.ruleset import ICC
from ks_env.core.tables import TRY_TO
from ks_env.games import kriegspiel
from ks_env.games.kriegspiel.game import Game

OPENED = ("e2e4", "d7d5", "e4d5", "d8d5")
CHECKING = "r3k2r/ppp2ppp/2n5/3q4/3P4/2N2N2/PPP2PPP/R2QK2R w KQkq - 0 1"
PROMOTING = "4k3/1P4P1/8/3r4/2B5/8/5Q2/4K3 w - - 0 1"


def searched(
    k: int, nodes: int = 3000, moves: tuple[str, ...] = (), fen: str = chess.STARTING_FEN, seed: int = 4
) -> MctsBPlayer:
    """A player after one decision."""
    game, player = Game(fen=fen), mcts_b_player(k=k, nodes=nodes)
    player.begin(kriegspiel.opening(True, ICC, fen, seed))
    for move in moves:
        if game.to_play:
            player.choose(game.view(True))
        game.ask(move)
    player.think(game.view(True), player.look(game.view(True)))
    return player


@pytest.mark.parametrize("k", [1, 4])
def test_visits_and_values_add_up_through_the_tree(k: int) -> None:
    player = searched(k, 3000, OPENED)
    tree, checked = player.tree, 0
    assert tree.nodes[0]["visits"] == 3000
    for index in range(int(tree.used[0])):
        node = tree.nodes[index]
        entries = tree.moves[node["first"] : node["first"] + node["tried"]]
        assert node["visits"] == node["times"]
        if len(entries) == 0:
            continue
        assert node["visits"] == entries["visits"].sum()
        assert node["value"] == pytest.approx(entries["total"].sum() / node["visits"], abs=1e-3)
        for entry in entries:
            below = children(player.tree, entry)
            assert entry["visits"] == 1 + sum(int(child["times"]) for child in below)
            assert entry["value"] == pytest.approx(float(entry["total"]) / int(entry["visits"]), abs=1e-4)
            checked += 1
    assert checked > 1500


@pytest.mark.parametrize("k", [1, 3, 10, 50])
@pytest.mark.parametrize("fen", [chess.STARTING_FEN, CHECKING, PROMOTING])
def test_values_are_bounded_by_the_men_on_the_board(k: int, fen: str) -> None:
    player = searched(k, 800, fen=fen)
    men = {colour: len(chess.SquareSet(chess.Board(fen).occupied_co[colour])) for colour in (True, False)}
    entries = player.tree.moves[: int(player.tree.used[1])]
    values = entries[entries["visits"] > 0]["value"]
    assert np.isfinite(values).all()
    assert values.min() >= 1 - men[False] - 1e-3  # all own men lost but the king, and none of the opponent's
    assert values.max() <= men[True] - 1 + 1e-3


def mean_by(simulate: Callable[..., float]) -> Callable[..., tuple[float, float]]:
    """A kernel: mean and sample deviation of so many simulations from a move of the root."""

    @kernel
    def mean_of(tree: Any, place: int, k: int, times: int, c: Constants) -> tuple[float, float]:
        total, squares = 0.0, 0.0
        for _ in range(times):
            outcome = f8(simulate(tree, 0, place, k, c))
            total += outcome
            squares += outcome * outcome
        mean = total / times
        return mean, np.sqrt(max(0.0, squares / times - mean * mean))

    return mean_of


mean_of_simulations = mean_by(simulate)
mean_of_the_hybrid = mean_by(simulate_after_mean)


@pytest.mark.parametrize(
    ("fen", "moves"),
    [
        (chess.STARTING_FEN, OPENED),
        (chess.STARTING_FEN, ("e2e4", "d7d5", "f1b5", "c7c6", "b5c6", "b8c6")),
        (CHECKING, ()),
        (PROMOTING, ()),
    ],
)
def test_simulations_of_one_try_converge_to_the_weighted_average(fen: str, moves: tuple[str, ...]) -> None:
    """With k = 1 approach C works out at once what B samples: the models are one.

    The tolerance is five standard errors of the mean of 40,000 simulations, and 0.001 for float32. In one
    thing C differs: it stops a string of captures where going on would lose. Where all men are worth the
    same, as here, that never binds.
    """
    player, samples = searched(1, 60, moves, fen), 40_000
    tree, c = player.tree, player.record
    tree.used[2:] = -1
    root = tree.nodes[0]
    differing = 0
    for place in range(int(root["tried"])):
        mean, deviation = mean_of_simulations(tree, place, 1, samples, c)
        prepare(tree, 0, c)
        entry = tree.moves[place]
        wanted = static_value(root, entry, tree.control[0], tree.guards, tree.sums, c)
        assert mean == pytest.approx(float(wanted), abs=5 * deviation / np.sqrt(samples) + 1e-3), (
            chess.square_name(start_of(int(entry["move"]))),
            chess.square_name(end_of(int(entry["move"]))),
            kind_of(int(entry["move"])),
        )
        differing += deviation > 0
    assert differing > 3


@pytest.mark.parametrize(("fen", "moves"), [(chess.STARTING_FEN, OPENED), (CHECKING, ()), (PROMOTING, ())])
@pytest.mark.parametrize("k", [1, 2, 5])
def test_the_hybrid_has_the_mean_of_b_and_less_noise(k: int, fen: str, moves: tuple[str, ...]) -> None:
    """The tolerance is five standard errors of both means, and 0.001 for float32."""
    player, samples = searched(1, 60, moves, fen), 10_000
    tree, c = player.tree, player.record
    tree.used[2:] = -1
    plain, less = 0.0, 0.0
    for place in range(int(tree.nodes[0]["tried"])):
        mean, deviation = mean_of_the_hybrid(tree, place, k, samples, c)
        wanted, noise = mean_of_simulations(tree, place, k, samples, c)
        error = np.hypot(deviation, noise) / np.sqrt(samples)
        assert mean == pytest.approx(wanted, abs=5 * error + 1e-3)
        plain, less = plain + noise**2, less + deviation**2
    assert less < plain
    assert k > 1 or less < 1e-6


def test_longer_simulations_lose_and_take_more() -> None:
    """More tries, more of what may happen."""
    player = searched(1, 60, OPENED)
    deviations = [mean_of_simulations(player.tree, 0, k, 2000, player.record)[1] for k in (1, 5, 20)]
    assert deviations[0] < deviations[1] < deviations[2]


@pytest.mark.parametrize("fen", [chess.STARTING_FEN, CHECKING, PROMOTING])
def test_guards_of_one_square_are_those_of_all(fen: str) -> None:
    player = searched(1, 40, fen=fen)
    known, guards = player.place[0]["known"], np.zeros(64, np.int64)
    count_guards(known, guards)
    assert [int(guards_of(known, square)) for square in range(64)] == guards.tolist()


@pytest.mark.parametrize("k", [1, 3])
def test_a_man_is_taken_back_without_a_rule(k: int) -> None:
    """The search alone visits a recapture most: the knight on c3 is certain, and nobody can guard it."""
    game = Game(fen="4k3/7p/8/3n4/8/2P5/7P/1N2K3 b - - 0 1")
    player = mcts_b_player(k=k, nodes=3000)
    player.begin(kriegspiel.opening(True, ICC, game.start_fen, 2))
    game.ask("d5c3")
    place = player.think(game.view(True), player.look(game.view(True)))
    assert chess.square_name(int(TRY_TO[player.tries[place]])) == "c3"
