"""The trees of approach C and of `advantage-search`: its sums, its draws, and the values of exchanges."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import chess
import numpy as np
import pytest
from ks_baselines.darkboard.moves import pack
from ks_baselines.mcts import AdvantageSearchPlayer, advantage_search_player, mcts_b_player, mcts_c_player
from ks_baselines.mcts.advantage_search.constants import DEFAULT
from ks_baselines.mcts.advantage_search.losses import accepted_value
from ks_baselines.mcts.advantage_search.search import prepare as prepare_losses
from ks_baselines.mcts.approach_c.search import prepare, static_value
from ks_baselines.mcts.constants import APPROACH_C
from ks_baselines.mcts.explain import children
from ks_baselines.mcts.messages import CHECK, ILLEGAL, PAWN_TAKEN, PIECE_TAKEN, draw_answer
from ks_baselines.mcts.player import TreePlayer
from ks_baselines.mcts.tree import Tree, new_tree
from ks_baselines.mcts.worth import exchange, other_guards

from ks_env.belief.location.layout import PAWNS
from ks_env.belief.profile import shipped_drifts
from ks_env.core.record import f4
from ks_env.core.ruleset import ICC
from ks_env.games import kriegspiel
from ks_env.games.kriegspiel.game import Game

C = APPROACH_C.record()[0]


def searched(make: Callable[..., TreePlayer], nodes: int = 3000, moves: tuple[str, ...] = ()) -> TreePlayer:
    """A player after one decision."""
    game, player = Game(), make(nodes=nodes)
    player.begin(kriegspiel.opening(True, ICC, chess.STARTING_FEN, 4))
    for move in moves:
        if game.to_play:
            player.choose(game.view(True))
        game.ask(move)
    player.think(game.view(True), player.look(game.view(True)))
    return player


@pytest.mark.parametrize("make", [mcts_c_player, advantage_search_player])
def test_values_and_visits_add_up_through_the_tree(make: Callable[..., TreePlayer]) -> None:
    player = searched(make, 3000, ("e2e4", "d7d5", "e4d5", "d8d5"))
    tree, checked, trust = player.tree, 0, float(player.constants.trust)
    for index in range(int(tree.used[0])):
        node = tree.nodes[index]
        entries = tree.moves[node["first"] : node["first"] + node["tried"]]
        if len(entries) == 0:
            continue
        assert node["value"] == pytest.approx(entries["value"].max(), abs=1e-3)
        for entry in entries:
            below = children(player.tree, entry)
            assert entry["visits"] == 1 + sum(int(child["times"]) for child in below)
            drawn = sum(float(child["times"] * child["value"]) for child in below)
            weight = int(entry["visits"]) - 1 + trust
            assert entry["value"] == pytest.approx(float(entry["total"]) / weight, abs=1e-3)
            assert (float(entry["total"]) - drawn) / trust == pytest.approx(
                judged(player, node, entry), abs=2e-2
            )
            checked += 1
    assert checked > 1500


def judged(player: TreePlayer, node: Any, entry: Any) -> float:
    """What the move was worth when it was looked at, worked out anew."""
    tree, c = player.tree, player.record
    tree.used[2] = -1
    if isinstance(player, AdvantageSearchPlayer):
        prepare_losses(tree, int(entry["node"]), c)
        return float(accepted_value(node, entry, tree.control, tree.guards, tree.losses, tree.sums[1], c))
    prepare(tree, int(entry["node"]), c)
    return float(static_value(node, entry, tree.control[0], tree.guards, tree.sums, c))


def test_all_moves_of_the_root_are_looked_at_first() -> None:
    player = searched(mcts_c_player, 20)
    assert int(player.tree.nodes[0]["tried"]) == 20
    assert (player.tree.moves[:20]["visits"] == 1).all()


@pytest.mark.parametrize("make", [mcts_b_player, mcts_c_player, advantage_search_player])
def test_what_was_refused_is_not_tried_again_in_the_turn(make: Callable[..., TreePlayer]) -> None:
    """After refusals a child has the moves of the node above it, less the one that was refused."""
    game, player = Game(fen="4k3/pp4pp/2p2p2/3pp3/8/8/PPP2PPP/R1BQKB1R w KQ - 0 1"), make(nodes=6000)
    player.begin(kriegspiel.opening(True, ICC, game.start_fen, 4))
    player.think(game.view(True), player.look(game.view(True)))
    tree, depths = player.tree, []
    for index in range(1, int(tree.used[0])):
        node, refused = tree.nodes[index], set()
        while node["move"] >= 0 and node["key"] == ILLEGAL:
            entry = tree.moves[node["move"]]
            refused.add(int(entry["move"]))
            node = tree.nodes[entry["node"]]
        wanted = set(moves_of(tree, node)) - refused
        if refused:
            assert moves_of(tree, tree.nodes[index]) == sorted(wanted)
            depths.append(len(refused))
    assert max(depths) >= 2


def moves_of(tree: Tree, node: Any) -> list[int]:
    """Packed, in order."""
    return sorted(tree.moves[node["first"] : node["first"] + node["count"]]["move"].tolist())


def test_the_best_move_of_a_node_is_kept() -> None:
    player = searched(mcts_c_player, 3000, ("e2e4", "d7d5", "e4d5", "d8d5"))
    tree = player.tree
    for index in range(int(tree.used[0])):
        node = tree.nodes[index]
        entries = tree.moves[node["first"] : node["first"] + node["tried"]]
        if len(entries):
            assert tree.moves[node["best"]]["value"] == node["value"] == entries["value"].max()


def test_chances_are_chances() -> None:
    player = searched(mcts_c_player, 3000)
    tree = player.tree
    for index in range(int(tree.used[0])):
        node = tree.nodes[index]
        for entry in tree.moves[node["first"] : node["first"] + node["tried"]]:
            for name in ("legal", "pawn", "piece", "check"):
                assert -1e-5 <= entry[name] <= 1 + 1e-5
            assert entry["pawn"] + entry["piece"] <= 1 + 1e-5


def test_answers_are_drawn_as_often_as_they_are_probable() -> None:
    tree = new_tree(2, 4)
    tree.random[0] = 5
    entry = tree.moves[0]
    entry["legal"], entry["pawn"], entry["piece"], entry["check"] = 0.8, 0.3, 0.2, 0.25
    drawn = Counter(int(draw_answer(tree, entry)) for _ in range(20_000))
    wanted = {
        ILLEGAL: 0.2,
        PAWN_TAKEN: 0.8 * 0.3 * 0.75,
        PIECE_TAKEN + CHECK: 0.8 * 0.2 * 0.25,
    }
    for answer, chance in wanted.items():
        assert drawn[answer] / 20_000 == pytest.approx(chance, abs=0.012)
    assert drawn[ILLEGAL + CHECK] == 0


def test_the_opponent_makes_its_pawn_tries() -> None:
    """A knight before pawns that have not moved is taken by one of them in nine turns of ten."""
    game, player = Game(fen="7k/p1p1p1pp/8/8/4N3/8/PPPPPPPP/4K3 w - - 0 1"), mcts_c_player(nodes=3000)
    player.begin(kriegspiel.opening(True, ICC, game.start_fen, 0))
    player.think(game.view(True), player.look(game.view(True)))
    tree = player.tree
    entries = {int(e["move"]) & 0xFFF: e for e in tree.moves[: tree.nodes[0]["tried"]]}
    before_pawns, away = entries[chess.E4 | chess.D6 << 6], entries[chess.E4 | chess.C3 << 6]
    assert player.constants.pawn_try == 0.9
    assert judged(player, tree.nodes[0], before_pawns) == pytest.approx(
        judged(player, tree.nodes[0], away) - 0.9, abs=0.1
    )
    quiet = max(children(tree, away), key=lambda child: int(child["times"]))
    unmoved = quiet["place"]["maps"][PAWNS][[chess.C7, chess.E7]]
    drawn = {True: 0, False: 0}
    for child in children(tree, before_pawns):
        if child["key"] % CHECK != ILLEGAL:
            drawn[int(child["key"]) // 8 - 1 == chess.D6] += int(child["times"])
            if child["key"] // 8 == 0:
                pawns = child["place"]["maps"][PAWNS]
                assert (pawns[[chess.C7, chess.E7]] < 0.8 * unmoved).all(), "they did not take"
    assert drawn[True] / sum(drawn.values()) == pytest.approx(0.9, abs=0.15)


def test_men_drift_in_the_tree_of_the_paper_s_programs_alone() -> None:
    for seat in (True, False):
        paper, ours = mcts_c_player(nodes=50), advantage_search_player(nodes=50)
        for player in (paper, ours):
            player.begin(kriegspiel.opening(seat, ICC, chess.STARTING_FEN, 0))
        assert (paper.tree.drifts == shipped_drifts()[1 if seat else 0]).all()
        assert (ours.tree.drifts == 1).all()
    tree = searched(mcts_c_player, 500, ("e2e4", "d7d5", "e4d5", "d8d5")).tree
    assert tree.nodes[0]["time"] == 2, "the opponent has made two moves"
    for index in range(1, int(tree.used[0])):
        node = tree.nodes[index]
        above = tree.nodes[tree.moves[node["move"]]["node"]]
        assert node["time"] == above["time"] + (node["key"] != ILLEGAL)


def test_exchanges() -> None:
    """A man that nobody takes costs nothing; an unprotected one its worth; a protected one the difference."""
    one = f4(1)
    assert exchange(one, f4(0), f4(1), 0, C) == 0
    assert exchange(one, one, f4(1), 0, C) == 1
    assert exchange(one, f4(0.5), f4(1), 0, C) == pytest.approx(0.5)
    assert exchange(one, one, f4(1), 1, C) == 0  # taken back, and nobody left to take again
    assert exchange(f4(9), one, f4(1), 1, C) == 8
    assert exchange(one, one, f4(2), 1, C) == 1  # taken back and lost once more: not worth it, nor worse


def test_a_promotion_is_worth_a_queen() -> None:
    game, player = Game(fen="7k/P7/8/8/8/8/8/K7 w - - 0 1"), advantage_search_player(nodes=400)
    player.begin(kriegspiel.opening(True, ICC, game.start_fen, 0))
    player._prepare_root(game.view(True), player.look(game.view(True)))
    player.grow(player.tree, 400)
    entries = player.tree.moves[: player.tree.nodes[0]["tried"]]
    values = {
        int(entry["move"]) & 0xFFF: float(entry["value"]) for entry in entries if entry["move"] >> 16 == 0
    }
    promotes = chess.A7 | chess.A8 << 6
    others = [value for move, value in values.items() if move != promotes]
    gain = DEFAULT.own[chess.QUEEN] - DEFAULT.own[chess.PAWN]
    assert values[promotes] > max(others) + 0.5 * gain


def test_a_pushed_pawn_is_no_guard_of_its_square() -> None:
    guards = np.zeros(64, np.int64)
    guards[chess.E4] = 1
    push = pack(chess.E2, chess.E4, chess.PAWN, 0)
    knight = pack(chess.C3, chess.E4, chess.KNIGHT, 0)
    assert other_guards(guards, push) == 1
    assert other_guards(guards, knight) == 0


def test_the_tree_is_bounded_by_its_memory() -> None:
    """With room for three nodes, or for the moves of three, the search ends early and still has a choice."""
    for nodes, moves in ((3, 1000), (1000, 60)):
        player = mcts_c_player(nodes=500)
        player.begin(kriegspiel.opening(chess.WHITE, ICC, chess.STARTING_FEN, 0))
        player.trees[0] = player.tree = player.tree._replace(
            nodes=player.tree.nodes[:nodes], moves=player.tree.moves[:moves]
        )
        assert Game().mask(True)[player.choose(Game().view(True))]
        assert player.nodes < 500
        assert player.tree.used[0] <= nodes
        assert player.tree.used[1] <= moves
