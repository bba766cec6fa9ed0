"""Approach A as a player: tries, budgets, seeds, and nothing that its seat may not know."""

from __future__ import annotations

import re
from typing import Any

import chess
import numpy as np
import pytest
from ks_baselines.mcts import mcts_a_player
from ks_baselines.mcts.approach_a.constants import DEFAULT

from ks_env.core.actions import text_to_action
from ks_env.core.ruleset import ICC, RULESETS
from ks_env.games import kriegspiel
from ks_env.games.kriegspiel.game import Game
from ks_env.games.opening import Opening
from ks_env.players import CountsWork
from tests.baselines.games import play


@pytest.mark.parametrize("ruleset", sorted(RULESETS))
def test_tries_are_in_the_mask_under_all_rulesets(ruleset: str) -> None:
    assert play(mcts_a_player(nodes=60), ruleset < "c", ruleset, 1, 120)


def test_games_hang_on_their_seed_and_not_on_earlier_games() -> None:
    used = mcts_a_player(nodes=150)
    play(used, False, "icc", 9, 30)
    fresh = mcts_a_player(nodes=150)
    assert play(used, True, "icc", 1, 60) == play(fresh, True, "icc", 1, 60)
    assert used.nodes == fresh.nodes > 0
    assert play(used, True, "icc", 2, 60) != play(fresh, True, "icc", 1, 60)


@pytest.mark.parametrize("budget", [1, 100, 3000])
def test_the_budget_is_kept(budget: int) -> None:
    player = mcts_a_player(nodes=budget)
    player.begin(kriegspiel.opening(True, ICC, chess.STARTING_FEN, 0))
    player.choose(Game().view(True))
    assert isinstance(player, CountsWork)
    assert player.nodes == budget == player.trees[0].nodes[0]["visits"]


def test_a_budget_in_seconds() -> None:
    player = mcts_a_player(seconds=0.05)
    player.begin(kriegspiel.opening(True, ICC, chess.STARTING_FEN, 0))
    assert Game().mask(True)[player.choose(Game().view(True))]
    assert player.nodes > 0


def test_a_full_tree_goes_on_counting() -> None:
    """With room for the root alone, each iteration still plays its game and is counted."""
    player = mcts_a_player(nodes=400)
    player.begin(kriegspiel.opening(True, ICC, chess.STARTING_FEN, 0))
    player.trees[0] = player.trees[0]._replace(nodes=player.trees[0].nodes[:1])
    assert Game().mask(True)[player.choose(Game().view(True))]
    assert player.trees[0].nodes[0]["visits"] == 400
    assert player.trees[0].moves["visits"][:20].sum() == 400


def test_without_any_board_a_try_is_drawn() -> None:
    player = mcts_a_player(nodes=50)
    player.begin(kriegspiel.opening(True, ICC, chess.STARTING_FEN, 0))
    player.record["attempts"] = 0
    assert Game().mask(True)[player.choose(Game().view(True))]
    assert player.nodes == 0


def test_equal_views_equal_tries() -> None:
    """Two games that differ in what Black has played only, unheard by White."""
    chosen = []
    for replies in (("g8f6", "b8c6"), ("a7a6", "h7h6")):
        game, player = Game(), mcts_a_player(nodes=300)
        player.begin(kriegspiel.opening(True, ICC, chess.STARTING_FEN, 0))
        made: list[Any] = []
        for reply in replies:
            made.append(player.choose(game.view(True)))
            game.ask(made[-1])
            game.ask(reply)
        made.append(player.choose(game.view(True)))
        made += [player.place.tobytes(), player.pool.boards.tobytes(), player.trees[0].nodes.tobytes()]
        chosen.append(made)
    assert chosen[0] == chosen[1]


@pytest.mark.parametrize(
    ("fen", "mate"),
    [
        ("6k1/5ppp/8/8/8/8/8/R3K2R w - - 0 1", "a1a8"),
        ("r3k2r/8/8/8/8/8/5PPP/6K1 b - - 0 1", "a8a1"),
    ],
)
def test_it_mates_in_one_on_a_board_that_it_knows(fen: str, mate: str) -> None:
    game, player = Game(fen=fen), mcts_a_player(nodes=2000)
    colour = game.board().turn
    player.begin(kriegspiel.opening(colour, ICC, fen, 3))
    explained = player.explain(game.view(colour), 1)
    assert explained.chosen == text_to_action(mate, colour)
    assert explained.tries[0].value == 1.0


def test_a_hanging_man_is_taken_back_first() -> None:
    game, player = Game(fen="4k2r/pppp4/8/3n4/8/2P5/3Q4/1N2K3 b - - 0 1"), mcts_a_player()
    player.begin(kriegspiel.opening(True, ICC, game.start_fen, 0))
    game.ask("d5c3")
    assert player.choose(game.view(True)) == text_to_action("b1c3", True)
    assert player.nodes == 0


def test_constants_reach_the_kernels() -> None:
    record = DEFAULT.record()[0]
    for name in record.dtype.names:
        assert np.isclose(record[name], getattr(DEFAULT, name))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"nodes": 0}, "nodes is 0; expected an integer from 1 to"),
        ({"nodes": 2.5}, "nodes is 2.5; expected an integer from 1 to"),
        ({"seconds": -1}, "seconds is -1; expected a positive number"),
    ],
)
def test_parameters_that_make_no_player(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=re.escape(message)):
        mcts_a_player(**options)


def test_a_hidden_start() -> None:
    fens = [f"8/8/8/{k}/8/8/8/QK6 w - - 0 1" for k in ("3k4", "5k2", "6k1")]
    game, player = Game(fen=fens[1], hidden_start=True), mcts_a_player(nodes=300)
    with pytest.raises(ValueError, match="cannot begin without a position"):
        player.begin(Opening.of(game, True))
    player.begin(Opening.of(game, True, fens=fens))
    assert game.mask(True)[player.choose(game.view(True))]
    kings = {
        int(board["kinds"][chess.KING] & board["seats"][1]).bit_length() - 1 for board in player.pool.boards
    }
    assert kings == {chess.D5, chess.F5, chess.G5}


def test_explanations_are_of_what_is_played() -> None:
    game, player = Game(), mcts_a_player(nodes=2000)
    player.begin(kriegspiel.opening(True, ICC, chess.STARTING_FEN, 0))
    explained = player.explain(game.view(True), 4)
    assert explained.chosen == player.choose(game.view(True)) == explained.tries[0].action
    assert explained.reason == "search"
    assert explained.nodes == 2000
    visits = [one.components["visits"] for one in explained.tries]
    assert visits == sorted(visits, reverse=True)
    for one in explained.tries:
        assert one.line[0] == one.action
        assert one.components["chance: legal"] == 1.0
