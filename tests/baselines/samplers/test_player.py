"""The samplers as players: in all rulesets, the same with the same seed, told when dry, no leak."""

from __future__ import annotations

import json
import shlex

import chess
import pytest
from ks_baselines.samplers import SamplerPlayer
from ks_baselines.uci import UciError

from ks_env.core.ruleset import RULESETS
from ks_env.games import kriegspiel
from ks_env.games.kriegspiel.game import Game
from ks_env.players import make_player
from tests.baselines.engines import fake, need
from tests.baselines.games import play
from tests.leaks.replayed import decisions
from tests.leaks.scripted import finished_pairs
from tests.oracle import RULES

SMALL = "boards=8,depth=1,pool=300"
KINDS = ("sampler-los:boards=8,depth=1", f"sampler-aosp:{SMALL}", f"sampler-hs:{SMALL},low=20")


def made(spec: str) -> SamplerPlayer:
    player = make_player(spec)
    assert isinstance(player, SamplerPlayer)
    return player


@pytest.mark.parametrize("ruleset", RULESETS)
@pytest.mark.parametrize("spec", KINDS)
def test_every_ruleset(spec: str, ruleset: str) -> None:
    player = made(spec)
    tries = play(player, ruleset != "rand", ruleset, 3, 60)
    assert len(tries) >= 10
    assert player.nodes > 30
    counters = json.loads(player.notes)
    assert (counters["turns"] > 7) == (player.kind != "sampler-los")


@pytest.mark.parametrize("spec", KINDS)
def test_a_seed_and_a_budget_fix_the_game(spec: str) -> None:
    first = play(made(spec), True, "icc", 11, 60)
    assert play(made(f"{spec},processes=3"), True, "icc", 11, 60) == first
    assert play(made(spec), True, "icc", 12, 60) != first


@pytest.mark.parametrize("kind", ["aosp", "hs"])
def test_a_pool_that_runs_dry_says_so(kind: str) -> None:
    """The board that a pool of one holds is soon contradicted."""
    player = made(f"sampler-{kind}:boards=4,depth=1,pool=1")
    play(player, True, "icc", 5, 80)
    counters = json.loads(player.notes)
    assert counters["dry"] >= 1
    hybrid = kind == "hs"
    assert (counters["refilled"] > 0, counters["drawn"] > 0, counters["without"] > 10) == (
        hybrid,
        hybrid,
        not hybrid,
    )


def test_turns_that_were_missed_leave_no_board() -> None:
    player, game = made(f"sampler-aosp:{SMALL}"), Game(RULESETS["icc"])
    player.begin(kriegspiel.opening(chess.WHITE, RULESETS["icc"], chess.STARTING_FEN, 1))
    for move in ("e2e4", "e7e5", "g1f3", "g8f6"):
        game.ask(move)
    action = player.choose(game.view(chess.WHITE))
    assert game.mask(chess.WHITE)[action]
    assert json.loads(player.notes)["dry"] == 1


def test_explained() -> None:
    player, game = made(f"sampler-hs:{SMALL}"), Game(RULESETS["icc"])
    player.begin(kriegspiel.opening(chess.WHITE, RULESETS["icc"], chess.STARTING_FEN, 1))
    found = player.explain(game.view(chess.WHITE), 3)
    assert found.chosen == found.tries[0].action
    assert [row.value for row in found.tries] == sorted((row.value for row in found.tries), reverse=True)
    assert found.nodes == 1  # one board fits
    assert found.tries[0].components["dry"] == 0
    actions, values = player.weighed()
    assert (len(actions), len(values)) == (20, 20)


@pytest.mark.parametrize("spec", KINDS)
def test_the_same_history_is_the_same_try(spec: str) -> None:
    """Pairs of games that the seat cannot tell apart."""
    player, compared = made(spec), 0
    for ruleset in RULES:
        for pair in finished_pairs(ruleset, 1, seed=4):
            first, second = (
                [(action, player.notes) for action in decisions(player, pair, game, pair.seat)]
                for game in (0, 1)
            )
            assert first == second, pair.transcript()
            compared += len(first)
    assert compared > 20


def test_seconds() -> None:
    player, game = made("sampler-hs:seconds=0.05"), Game(RULESETS["icc"])
    player.begin(kriegspiel.opening(chess.BLACK, RULESETS["icc"], chess.STARTING_FEN, 1))
    game.ask("e2e4")
    assert game.mask(chess.BLACK)[player.choose(game.view(chess.BLACK))]
    assert 1 <= player.nodes <= 20


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        ("sampler-hs:boards=0", "boards is 0"),
        ("sampler-hs:pool=none", "pool is 'none'"),
        ("sampler-aosp:depth=99", "depth is 99"),
        ("sampler-los:seconds=-1", "seconds is -1"),
        ("sampler-los:nodes=100", "without an engine"),
        ("sampler-hs:pool=10,low=11", "low is 11"),
        ("sampler-aosp:low=3", "low"),
        ("sampler-hs:processes=0", "processes is 0"),
    ],
)
def test_what_cannot_be(spec: str, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        make_player(spec)


def test_an_engine_that_dies_in_a_game() -> None:
    player = made("sampler-los:boards=2,engine=" + repr(shlex.join(fake("multipv", "mortal"))))
    with pytest.raises(UciError, match="died twice"):
        play(player, True, "icc", 1, 4)


@pytest.mark.parametrize("engine", ["stockfish", "gnuchess --uci"])
def test_real_engines_play(engine: str) -> None:
    need(engine)
    limit = "nodes=200" if engine == "stockfish" else "depth=1"
    spec = f"sampler-hs:boards=2,pool=100,{limit},processes=2,engine={engine}"
    first = play(made(spec), True, "icc", 1, 8)
    assert len(first) >= 4
    assert play(made(spec), True, "icc", 1, 8) == first
