"""Root parallelism: shares of a budget, sums of roots, and trees that differ."""

from __future__ import annotations

import multiprocessing
import threading
from collections.abc import Callable
from functools import partial
from typing import Any

import chess
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from ks_baselines.mcts import advantage_search_player, mcts_a_player, mcts_b_player, mcts_c_player
from ks_baselines.mcts.threads import add_roots, in_threads, share_out
from ks_baselines.mcts.tree import MOVE

from ks_env.core.ruleset import ICC
from ks_env.games import kriegspiel
from ks_env.games.kriegspiel.game import Game

Make = Callable[..., Any]
MAKERS: list[Make] = [mcts_a_player, mcts_b_player, mcts_c_player, advantage_search_player]


@given(st.integers(0, 10**6), st.integers(1, 256))
def test_shares_add_up(budget: int, threads: int) -> None:
    shares = share_out(budget, threads)
    assert sum(shares) == budget
    assert len(shares) == threads
    assert max(shares) - min(shares) <= 1


def test_calls_are_made_at_once() -> None:
    barrier = threading.Barrier(3, timeout=10)

    def call(number: int) -> int:
        barrier.wait()
        return number

    assert in_threads([partial(call, n) for n in range(3)]) == [0, 1, 2]


def test_a_forked_process_has_threads_of_its_own() -> None:
    in_threads([lambda: 0, lambda: 1])
    child = multiprocessing.get_context("fork").Process(target=in_threads, args=([lambda: 0, lambda: 1],))
    child.start()
    child.join(20)
    assert child.exitcode == 0


def test_an_error_in_a_thread_is_told() -> None:
    def fail() -> int:
        raise ValueError("of a thread")

    with pytest.raises(ValueError, match="of a thread"):
        in_threads([lambda: 0, fail])


def root(moves: dict[int, tuple[int, float]]) -> np.ndarray:
    """MOVE[N] from visits and totals; others hold what an earlier search has left."""
    entries = np.zeros(len(moves), MOVE)
    for entry, (move, (visits, total)) in zip(entries, moves.items(), strict=True):
        entry["move"], entry["visits"], entry["total"] = move, visits, total
        entry["value"] = total / visits if visits else 99.0
        entry["legal"] = 0.5 if visits else 99.0
    return entries


def test_roots_are_added_up_by_move() -> None:
    first = root({7: (2, 4.0), 3: (0, 55.0), 5: (1, 1.0), 9: (0, 1.0)})
    second = root({3: (3, 6.0), 9: (0, 2.0), 5: (3, 0.0), 7: (2, 0.0)})
    whole = add_roots([first, second])
    assert whole["move"].tolist() == [7, 3, 5, 9]
    assert whole["visits"].tolist() == [4, 3, 4, 0]
    assert whole["value"][:3].tolist() == [1.0, 2.0, 0.25]
    assert whole["legal"][:3].tolist() == [0.5, 0.5, 0.5]
    assert first["visits"].tolist() == [2, 0, 1, 0]


def test_values_weigh_each_tree_by_its_draws() -> None:
    """Two trees that each trust the first look as much as 50 draws: their mean by weights 51 and 59."""
    trees = [root({1: (2, 51 * 1.0)}), root({1: (10, 59 * 2.0)})]
    assert add_roots(trees, 50.0)["value"][0] == pytest.approx((51 + 118) / 110)


@pytest.mark.parametrize("make", MAKERS)
@pytest.mark.parametrize("threads", [1, 2, 3])
def test_each_thread_has_its_share_and_its_stream(make: Make, threads: int) -> None:
    player = make(nodes=1000, threads=threads)
    player.begin(kriegspiel.opening(chess.WHITE, ICC, chess.STARTING_FEN, 3))
    player.think(Game().view(True), player.look(Game().view(True)))
    assert player.nodes == 1000
    grown = [int(tree.nodes[0]["visits"]) for tree in player.trees]
    assert grown == share_out(1000, threads)
    assert int(player.root["visits"].sum()) == sum(
        int(tree.moves[: len(player.root)]["visits"].sum()) for tree in player.trees
    )
    orders = {tree.moves[: len(player.root)]["move"].tobytes() for tree in player.trees}
    assert len(orders) == threads


@pytest.mark.parametrize("make", MAKERS)
def test_more_threads_than_nodes(make: Make) -> None:
    player = make(nodes=2, threads=4)
    player.begin(kriegspiel.opening(chess.WHITE, ICC, chess.STARTING_FEN, 3))
    assert Game().mask(True)[player.choose(Game().view(True))]
    assert player.nodes == 2
    assert player.explain(Game().view(True), 9).nodes == 2


def test_all_threads_take_the_advice() -> None:
    player = advantage_search_player(nodes=400, threads=2)
    player.begin(kriegspiel.opening(chess.WHITE, ICC, chess.STARTING_FEN, 3))
    player.choose(Game().view(True))
    one, two = (
        dict(zip(*(tree.moves[: len(player.root)][name].tolist() for name in ("move", "bias")), strict=True))
        for tree in player.trees
    )
    assert one == two
    assert any(one.values())
