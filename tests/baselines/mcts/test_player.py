"""Approaches B and C, and `advantage-search`: tries, budgets, seeds, nothing that their seat may not know."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from functools import partial
from pathlib import Path
from typing import Any

import chess
import numpy as np
import pytest
from ks_baselines.mcts import advantage_search_player, mcts_a_player, mcts_b_player, mcts_c_player
from ks_baselines.mcts.advantage_search.constants import DEFAULT
from ks_baselines.mcts.constants import APPROACH_B, APPROACH_C
from ks_baselines.mcts.player import TreePlayer
from numba import from_dtype

from ks_env.belief.profile import SHIPPED, Profile
from ks_env.core.actions import text_to_action
from ks_env.core.ruleset import ICC, RULESETS
from ks_env.games import kriegspiel
from ks_env.games.kriegspiel.game import Game
from ks_env.games.opening import Opening
from ks_env.players import CountsWork, make_player
from tests.baselines.games import play

B = "ks_baselines.mcts:mcts_b_player"
Make = Callable[..., TreePlayer]
MAKERS: dict[str, Make] = {
    "C": mcts_c_player,
    "C, two threads": partial(mcts_c_player, threads=2),
    "ours": advantage_search_player,
    "ours, two threads": partial(advantage_search_player, threads=2),
    "B, k = 1": mcts_b_player,
    "B, k = 4": partial(mcts_b_player, k=4),
    "the hybrid": partial(mcts_b_player, k=4, hybrid=True),
    "B, three threads": partial(mcts_b_player, k=2, threads=3),
}
each_player = pytest.mark.parametrize("make", MAKERS.values(), ids=MAKERS.keys())


@pytest.mark.parametrize("ruleset", sorted(RULESETS))
@each_player
def test_tries_are_in_the_mask_under_all_rulesets(ruleset: str, make: Make) -> None:
    assert play(make(nodes=60), ruleset < "c", ruleset, 1, 120)


@each_player
def test_games_hang_on_their_seed_and_not_on_earlier_games(make: Make) -> None:
    used, fresh = make(nodes=200), make(nodes=200)
    play(used, False, "icc", 9, 30)
    assert play(used, True, "icc", 1, 60) == play(fresh, True, "icc", 1, 60)
    assert used.nodes == fresh.nodes > 0


@pytest.mark.parametrize("budget", [1, 100, 3000])
@each_player
def test_the_budget_is_kept(budget: int, make: Make) -> None:
    player = make(nodes=budget)
    player.begin(kriegspiel.opening(True, ICC, chess.STARTING_FEN, 0))
    player.choose(Game().view(True))
    assert isinstance(player, CountsWork)
    assert player.nodes == budget


@each_player
def test_a_budget_in_seconds(make: Make) -> None:
    player = make(seconds=0.05)
    player.begin(kriegspiel.opening(True, ICC, chess.STARTING_FEN, 0))
    assert Game().mask(True)[player.choose(Game().view(True))]
    assert player.nodes > 0


@each_player
def test_equal_views_equal_tries(make: Make) -> None:
    """Two games that differ in what Black has played only, unheard by White."""
    chosen = []
    for replies in (("g8f6", "b8c6"), ("a7a6", "h7h6")):
        game, player = Game(), make(nodes=300)
        player.begin(kriegspiel.opening(True, ICC, chess.STARTING_FEN, 0))
        made = []
        for reply in replies:
            made.append(player.choose(game.view(True)))
            game.ask(made[-1])
            game.ask(reply)
        made.append(player.choose(game.view(True)))
        chosen.append((made, player.place.tobytes()))
    assert chosen[0] == chosen[1]


@pytest.mark.parametrize("make", [mcts_c_player, mcts_b_player], ids=["C", "B"])
def test_a_hanging_man_is_taken_back_first(make: Make) -> None:
    game, player = Game(fen="4k2r/pppp4/8/3n4/8/2P5/3Q4/1N2K3 b - - 0 1"), make()
    player.begin(kriegspiel.opening(True, ICC, game.start_fen, 0))
    game.ask("d5c3")
    assert player.choose(game.view(True)) == text_to_action("b1c3", True)


@pytest.mark.parametrize("make", [mcts_c_player, mcts_b_player], ids=["C", "B"])
def test_a_check_is_answered_by_the_search(make: Make) -> None:
    game, player = Game(fen="4k3/8/8/8/q7/8/4N3/4K3 b - - 0 1"), make(nodes=50)
    player.begin(kriegspiel.opening(True, ICC, game.start_fen, 0))
    game.ask("a4a1")
    player.choose(game.view(True))
    assert player.nodes == 50


@pytest.mark.parametrize("spec", ["advantage-search", "mcts-c:endings", "mcts-b:endings,nodes=100"])
def test_it_chases_a_bare_king_to_mate(spec: str) -> None:
    game, player = Game(fen="8/8/8/3k4/8/8/8/QK6 w - - 0 1"), make_player(spec)
    opponent = make_player("random")
    player.begin(kriegspiel.opening(True, ICC, game.start_fen, 0))
    opponent.begin(kriegspiel.opening(False, ICC, game.start_fen, 0))
    while game.to_play is not None:
        game.ask((player if game.to_play else opponent).choose(game.view(game.to_play)))
    assert game.winner is True


def test_constants_reach_the_kernels() -> None:
    for constants in (APPROACH_B, APPROACH_C, DEFAULT):
        record = constants.record()[0]
        assert set(record.dtype.names) == {field.name for field in fields(constants)}
        for name in record.dtype.names:
            assert np.allclose(record[name], np.array(getattr(constants, name), np.float32))


def test_kernels_of_the_paper_s_program_and_of_ours_are_apart() -> None:
    """Numba would use those compiled for one record for another that it can convert to it."""
    paper, ours = (from_dtype(constants.record().dtype) for constants in (APPROACH_C, DEFAULT))
    assert paper.can_convert_to(None, ours) is None
    assert ours.can_convert_to(None, paper) is None


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("mcts-c:nodes=0", "nodes is 0; expected an integer from 1 to"),
        ("mcts-c:seconds=-1", "seconds is -1; expected a positive number"),
        ("mcts-c:literal", "unexpected keyword argument 'literal'"),
        ("advantage-search:nodes=0", "'advantage-search': nodes is 0; expected an integer from 1 to"),
        ("advantage-search:threads=0", "threads is 0; expected an integer from 1 to 256"),
        ("mcts-c:threads=0", "threads is 0; expected an integer from 1 to 256"),
        ("mcts-c:threads=1.5", "threads is 1.5; expected an integer from 1 to 256"),
        (f"{B}:k=0", "k is 0; expected an integer from 1 to 50"),
        (f"{B}:k=51", "k is 51; expected an integer from 1 to 50"),
        (f"{B}:k=two", "k is 'two'; expected an integer from 1 to 50"),
        (f"{B}:nodes=0", "nodes is 0; expected an integer from 1 to"),
        (f"{B}:seconds=0", "seconds is 0; expected a positive number"),
        (f"{B}:threads=0", "threads is 0; expected an integer from 1 to 256"),
        (
            "mcts-a:profile=nowhere.npz",
            "'mcts-a': profile is 'nowhere.npz': .*No such file.*wrote",
        ),
        (f"{B}:profile=pyproject.toml", "profile is 'pyproject.toml': .*is not a profile"),
        ("mcts-c:profile=3", "'mcts-c': profile is 3: .*expected a file that `ks profile` wrote"),
        ("mcts-c:c=-1", "c is -1; expected a number of at least 0"),
        (f"{B}:c=low", "c is 'low'; expected a number of at least 0"),
        ("mcts-c:endings=2", "endings is 2; expected True or False"),
        (f"{B}:endings=no", "endings is 'no'; expected True or False"),
        (f"{B}:hybrid=2", "hybrid is 2; expected True or False"),
    ],
)
def test_parameters_that_make_no_player(spec: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        make_player(spec)


@pytest.mark.parametrize("make", [mcts_a_player, mcts_b_player, mcts_c_player], ids=["A", "B", "C"])
def test_the_opponent_s_profile(make: Any, tmp_path: Path) -> None:
    """The shipped profile named as a file changes no try; one of other habits does."""
    same, other = tmp_path / "same.npz", tmp_path / "other.npz"
    shipped = Profile.load(SHIPPED)
    shipped.save(same)
    places = shipped.places[:, ::-1].copy()
    Profile(places, shipped.games, "backwards").save(other)
    maps = []
    for file in (None, same, other):
        game, player = Game(ICC), make(nodes=100, profile=file if file is None else str(file))
        player.begin(kriegspiel.opening(True, ICC, chess.STARTING_FEN, 0))
        tries = []
        for _ in range(4):
            tries.append(player.choose(game.view(True)))
            while game.to_play:
                game.ask(tries[-1] if game.mask(True)[tries[-1]] else int(game.mask(True).argmax()))
            game.ask(sorted(game.legal())[0])
        if make is mcts_a_player:
            maps.append((tries, player.pool.weights.tobytes()))
        else:
            maps.append((tries, player.place["maps"].tobytes()))
    assert maps[0] == maps[1]
    assert maps[0][1] != maps[2][1]


def test_names() -> None:
    assert make_player("advantage-search:nodes=50").name == "advantage-search"
    assert make_player("mcts-c:nodes=50").name == "mcts-c"
    assert make_player(f"{B}:nodes=50").name == "mcts-b:k=1"
    assert make_player(f"{B}:k=7").name == "mcts-b:k=7"
    assert make_player(f"{B}:k=7,endings").name == "mcts-b:k=7,endings"
    assert make_player(f"{B}:k=7,endings,hybrid").name == "mcts-b:k=7,hybrid,endings"
    assert make_player("mcts-c:endings").name == "mcts-c:endings"
    assert mcts_c_player(c=0.5).constants.exploration == 0.5


def test_a_hidden_start_without_placements() -> None:
    with pytest.raises(ValueError, match="cannot begin without a position"):
        mcts_c_player().begin(Opening.of(Game(hidden_start=True), True))


@each_player
def test_explanations_are_of_what_is_played(make: Make) -> None:
    game, player = Game(), make(nodes=2000)
    player.begin(kriegspiel.opening(True, ICC, chess.STARTING_FEN, 0))
    explained = player.explain(game.view(True), 4)
    assert explained.chosen == player.choose(game.view(True)) == explained.tries[0].action
    assert explained.reason == "search"
    assert explained.nodes == 2000
    visits = [one.components["visits"] for one in explained.tries]
    assert visits == sorted(visits, reverse=True)
    for one in explained.tries:
        assert one.line[0] == one.action
