"""The two players that are kernels do what their description says."""

from __future__ import annotations

import random
from collections import Counter

import chess
import numpy as np
import pytest
from scipy import stats

from benchmarks.draw import random_actions
from ks_env.core.actions import action_to_text
from ks_env.core.answers import Kind
from ks_env.core.ruleset import RULESETS
from ks_env.core.tables import ANY
from ks_env.games import kriegspiel
from ks_env.games.kriegspiel.game import Game
from ks_env.players import make_player
from ks_env.players.protocol import Player
from tests.starts import draw_start

ALL = tuple(RULESETS)
WITH_ANY = ("berkeley-any", "english")
STRICT = 1e-4  # of the chi-square tests, whose seeds are fixed


def seated(name: str, ruleset: str, seed: int, colour: bool = chess.WHITE) -> Player:
    player = make_player(name)
    player.begin(kriegspiel.opening(colour, RULESETS[ruleset], seed=seed))
    return player


def chosen(name: str, game: Game, draws: int = 60) -> Counter[str]:
    """What the player to move tries in this position, by frequency; the game is left alone."""
    mover = game.to_play
    assert mover is not None
    player = seated(name, game.ruleset.name, 5, mover)
    view = game.view(mover).copy()
    return Counter(action_to_text(player.choose(view), mover) for _ in range(draws))


def played(ruleset: str, fen: str, *tries: str) -> Game:
    game = Game(RULESETS[ruleset], fen)
    for uci in tries:
        game.ask(uci)
    return game


# -- random --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("ruleset", ALL)
@pytest.mark.parametrize("fen", [chess.STARTING_FEN, "r3k2r/8/8/3pP3/8/8/8/R3K2R w KQkq d6 0 1"])
def test_random_is_uniform_over_the_informed_mask(ruleset: str, fen: str) -> None:
    game = played(ruleset, fen)
    allowed = set(np.flatnonzero(game.mask(chess.WHITE)).tolist()) - {ANY}
    player, view = seated("random", ruleset, 1), game.view(chess.WHITE).copy()
    counts = Counter(player.choose(view) for _ in range(40 * len(allowed)))
    assert set(counts) == allowed
    assert stats.chisquare([counts[action] for action in sorted(allowed)]).pvalue > STRICT


def test_random_leaves_out_what_was_refused() -> None:
    game = played("icc", "4k3/7p/8/8/r7/8/8/R3K3 w - - 0 1", "a1a5")
    assert not {"a1a5", "a1a6", "a1a7", "a1a8"} & set(chosen("random", game, 300))


def test_seeds() -> None:
    game = played("icc", chess.STARTING_FEN)
    view = game.view(chess.WHITE)
    first, second, third = (
        [player.choose(view) for _ in range(30)]
        for player in (seated("random", "icc", 1), seated("random", "icc", 1), seated("random", "icc", 2))
    )
    assert first == second != third


@pytest.mark.parametrize("name", ["random", "capture"])
@pytest.mark.parametrize("ruleset", ALL)
def test_all_tries_are_in_the_informed_mask(name: str, ruleset: str) -> None:
    asked = 0
    for seed in range(8):
        game = Game(RULESETS[ruleset], draw_start(random.Random(seed)))
        players = {colour: seated(name, ruleset, seed, colour) for colour in chess.COLORS}
        for _ in range(80):
            if game.to_play is None:
                break
            action = players[game.to_play].choose(game.view(game.to_play))
            assert game.mask(game.to_play)[action]
            asked += action == ANY
            assert game.ask(action).kind is not Kind.NONSENSE
    assert (asked > 0) == (name == "capture" and ruleset in WITH_ANY)


# -- capture -------------------------------------------------------------------------------------------------

# e4xd5 is legal; b2's and e4's other captures are shapes of the own board
PAWNS = "4k3/8/8/3p4/4P3/8/1P6/R3K3 w - - 0 1"
SHAPES = {"e4d5", "e4f5", "b2a3", "b2c3"}


@pytest.mark.parametrize("ruleset", ALL)
def test_capture_knows_of_pawn_tries_as_far_as_they_are_said(ruleset: str) -> None:
    tries = set(chosen("capture", played(ruleset, PAWNS), 200))
    if ruleset in ("icc", "cincinnati"):
        assert tries == SHAPES
    elif ruleset == "rand":
        assert tries == {"e4d5", "e4f5"}  # of the pawn that was named
    elif ruleset in WITH_ANY:
        assert tries == {"any?"}
    else:
        assert {"a1a2", "e1d1", "b2b3"} | SHAPES <= tries  # it is told nothing


@pytest.mark.parametrize("ruleset", WITH_ANY)
def test_capture_after_the_answer(ruleset: str) -> None:
    yes = played(ruleset, PAWNS, "any?")
    assert set(chosen("capture", yes, 200)) == SHAPES
    refused = played(ruleset, PAWNS, "any?", "b2a3")
    assert set(chosen("capture", refused, 200)) == SHAPES - {"b2a3"}  # free again or not, it goes on
    no = set(chosen("capture", played(ruleset, "4k3/8/8/8/4P3/8/1P6/R3K3 w - - 0 1", "any?"), 300))
    assert not no & (SHAPES | {"any?"})
    assert {"a1a8", "e1e2", "b2b4"} <= no


@pytest.mark.parametrize("ruleset", WITH_ANY)
def test_capture_does_not_ask_without_a_pawn_capture_to_try(ruleset: str) -> None:
    game = played(ruleset, "4k3/7p/8/8/8/8/8/R3K3 w - - 0 1")
    assert game.mask(chess.WHITE)[ANY]
    assert "any?" not in chosen("capture", game, 200)


def test_capture_does_not_try_pawns_when_none_can_take() -> None:
    tries = set(chosen("capture", played("icc", "4k3/8/8/8/4P3/8/1P6/R3K3 w - - 0 1"), 300))
    assert not tries & SHAPES
    assert {"a1a8", "e1e2", "e4e5"} <= tries


# Black takes on d4, where knight and queen may retake
TAKEN = "3rk3/8/8/8/3N4/8/2N5/3QK2R b - - 0 1"
RETAKES = {"c2d4", "d1d4"}


@pytest.mark.parametrize("ruleset", ALL)
def test_capture_retakes_on_the_square_announced(ruleset: str) -> None:
    game = played(ruleset, TAKEN, "d8d4")
    assert set(chosen("capture", game, 200)) == RETAKES
    later = played(ruleset, TAKEN, "d8d4", "e1e2", "e8e7")  # the chance has passed
    assert len(chosen("capture", later, 300)) > 10


@pytest.mark.parametrize("ruleset", ALL)
def test_pawn_captures_come_before_recaptures(ruleset: str) -> None:
    game = played(ruleset, "3rk3/8/8/8/3N4/4P3/2N5/3QK3 b - - 0 1", "d8d4")
    tries = set(chosen("capture", game, 200))
    if ruleset == "berkeley":
        assert tries == {*RETAKES, "e3d4"}
    elif ruleset in WITH_ANY:
        assert tries == {"any?"}
        assert set(chosen("capture", played(ruleset, game.start_fen, "d8d4", "any?"))) == {"e3d4", "e3f4"}
    else:
        assert tries == {"e3d4", "e3f4"}


def test_refused_recaptures_run_out_and_then_anything_goes() -> None:
    """A pawn that White does not see stands between the bishop and d4."""
    game = played("icc", "4k3/8/8/8/r2N2K1/4p3/8/6B1 b - - 0 1", "a4d4")
    assert set(chosen("capture", game, 100)) == {"g1d4"}
    assert game.ask("g1d4").kind is Kind.ILLEGAL
    tries = set(chosen("capture", game, 300))
    assert "g1d4" not in tries
    assert len(tries) > 4


def test_capture_is_uniform_among_what_is_left_to_it() -> None:
    counts = chosen("capture", played("icc", PAWNS), 2000)
    assert stats.chisquare(list(counts.values())).pvalue > STRICT
    retakes = chosen("capture", played("icc", TAKEN, "d8d4"), 2000)
    assert stats.chisquare(list(retakes.values())).pvalue > STRICT


def test_capture_captures_more_than_random() -> None:
    taken = {}
    for name in ("capture", "random"):
        taken[name] = 0
        for seed in range(6):
            game = Game()
            mine, other = seated(name, "icc", seed), seated("random", "icc", 100 + seed, chess.BLACK)
            for _ in range(200):
                if game.to_play is None:
                    break
                player = mine if game.to_play else other
                game.ask(player.choose(game.view(game.to_play)))
            taken[name] += int(game.view(chess.WHITE)["men_taken"])
    assert taken["capture"] > 1.3 * taken["random"]


# -- draws from masks ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [1, 63, 64, 65, 1859, 1920])
def test_random_actions_are_uniform(size: int) -> None:
    rng = np.random.default_rng(size)
    mask = np.zeros(size, np.int8)
    allowed = np.sort(rng.choice(size, min(size, 37), replace=False))
    allowed[-1] = size - 1  # the last place counts too
    mask[allowed] = 1
    rows = 8000
    masks, actions = np.tile(mask, (rows, 1)), np.full(rows, -1, np.int64)
    random_actions(masks, np.array([size], np.uint64), actions)
    values, counts = np.unique(actions, return_counts=True)
    assert set(values) == set(np.flatnonzero(mask))
    if len(values) > 1:
        assert stats.chisquare(counts).pvalue > STRICT


def test_random_actions_by_row() -> None:
    rng = np.random.default_rng(0)
    masks = (rng.random((300, 1859)) < 0.01).astype(np.int8)
    masks[7] = 0
    stream, actions = np.array([3], np.uint64), np.full(300, -1, np.int64)
    random_actions(masks, stream, actions)
    assert actions[7] == 0
    rest = np.delete(np.arange(300), 7)
    assert masks[rest, actions[rest]].all()
    again = np.zeros(300, np.int64)
    random_actions(masks, stream, again)
    assert (again != actions).any()  # the stream goes on
    repeat = np.zeros(300, np.int64)
    random_actions(masks, np.array([3], np.uint64), repeat)
    assert (repeat == actions).all()
