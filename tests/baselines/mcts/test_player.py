"""Approach C as a player: tries, budgets, seeds, and nothing that its seat may not know."""

from __future__ import annotations

import chess
import numpy as np
import pytest

from baselines.mcts import mcts_c_player
from baselines.mcts.constants import CONSTANTS, DEFAULT, LITERAL
from ks_env.core.game import Game
from ks_env.core.ruleset import ICC, RULESETS
from ks_env.players import CountsWork, make_player
from tests.baselines.games import play


@pytest.mark.parametrize("ruleset", sorted(RULESETS))
@pytest.mark.parametrize("literal", [False, True])
def test_tries_are_in_the_mask_under_all_rulesets(ruleset: str, literal: bool) -> None:
    assert play(mcts_c_player(nodes=60, literal=literal), ruleset < "c", ruleset, 1, 120)


@pytest.mark.parametrize("literal", [False, True])
def test_games_hang_on_their_seed_and_not_on_earlier_games(literal: bool) -> None:
    used = mcts_c_player(nodes=200, literal=literal)
    play(used, False, "icc", 9, 30)
    fresh = mcts_c_player(nodes=200, literal=literal)
    assert play(used, True, "icc", 1, 60) == play(fresh, True, "icc", 1, 60)
    assert used.nodes == fresh.nodes > 0


@pytest.mark.parametrize("budget", [1, 100, 3000])
def test_the_budget_is_kept(budget: int) -> None:
    player = mcts_c_player(nodes=budget, literal=True)
    player.begin(True, ICC, chess.STARTING_FEN, 0)
    player.choose(Game().view(True))
    assert isinstance(player, CountsWork)
    assert player.nodes == budget


def test_a_budget_in_seconds() -> None:
    player = mcts_c_player(seconds=0.05)
    player.begin(True, ICC, chess.STARTING_FEN, 0)
    assert Game().mask(True)[player.choose(Game().view(True))]
    assert player.nodes > 0


@pytest.mark.parametrize("literal", [False, True])
def test_equal_views_equal_tries(literal: bool) -> None:
    """Two games that differ in what Black has played only, unheard by White."""
    chosen = []
    for replies in (("g8f6", "b8c6"), ("a7a6", "h7h6")):
        game, player = Game(), mcts_c_player(nodes=300, literal=literal)
        player.begin(True, ICC, chess.STARTING_FEN, 0)
        made: list[object] = []
        for reply in replies:
            made.append(player.choose(game.view(True)))
            game.ask(int(made[-1]))  # type: ignore[call-overload]
            game.ask(reply)
        made.append(player.choose(game.view(True)))
        made.append(player.place.tobytes())
        chosen.append(made)
    assert chosen[0] == chosen[1]


def test_a_hanging_man_is_taken_back_first() -> None:
    game, player = Game(fen="4k2r/pppp4/8/3n4/8/2P5/3Q4/1N2K3 b - - 0 1"), mcts_c_player(literal=True)
    player.begin(True, ICC, game.start_fen, 0)
    game.ask("d5c3")
    assert player.choose(game.view(True)) == game._number("b1c3", True)


def test_it_chases_a_bare_king_to_mate() -> None:
    game, player, opponent = Game(fen="8/8/8/3k4/8/8/8/QK6 w - - 0 1"), mcts_c_player(), make_player("random")
    player.begin(True, ICC, game.start_fen, 0)
    opponent.begin(False, ICC, game.start_fen, 0)
    while game.to_play is not None:
        game.ask((player if game.to_play else opponent).choose(game.view(game.to_play)))
    assert game.winner is True


def test_constants_reach_the_kernels() -> None:
    for constants in (LITERAL, DEFAULT):
        record = constants.record()[0]
        for name in CONSTANTS.names or ():
            assert np.allclose(record[name], np.array(getattr(constants, name), np.float32))


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("mcts-c:nodes=0", "nodes is 0; expected an integer of at least 1"),
        ("mcts-c:seconds=-1", "seconds is -1; expected a positive number"),
        ("mcts-c:literal=3", "literal is 3; expected True or False"),
    ],
)
def test_parameters_that_make_no_player(spec: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        make_player(spec)


def test_names() -> None:
    assert make_player("mcts-c:literal").name == "mcts-c:literal"
    assert make_player("mcts-c:nodes=50").name == "mcts-c"


def test_a_hidden_start_without_placements() -> None:
    with pytest.raises(ValueError, match="cannot begin without a position"):
        mcts_c_player().begin(True, ICC, None, 0)


def test_explanations_are_of_what_is_played() -> None:
    game, player = Game(), mcts_c_player(nodes=2000, literal=True)
    player.begin(True, ICC, chess.STARTING_FEN, 0)
    explained = player.explain(game.view(True), 4)
    assert explained.chosen == player.choose(game.view(True)) == explained.tries[0].action
    assert explained.reason == "search"
    assert explained.nodes == 2000
    visits = [one.visits for one in explained.tries]
    assert visits == sorted(visits, reverse=True)
    for one in explained.tries:
        assert one.line[0] == one.action
        assert one.messages
        assert sum(times for _, times in one.messages) < one.visits
