"""Darkboard as a player: tries, budgets, rules, and nothing that its seat may not know."""

from __future__ import annotations

from dataclasses import fields
from hashlib import sha256

import chess
import numpy as np
import pytest
from ks_baselines.darkboard import darkboard_player
from ks_baselines.darkboard.constants import DEFAULT, IMPROVED, LITERAL
from ks_baselines.darkboard.evaluation import COMPONENTS
from ks_baselines.darkboard.player import BIAS
from ks_baselines.darkboard.search import dynamic_alpha
from numba import from_dtype

from ks_env.core.actions import text_to_action
from ks_env.core.ruleset import ICC, RULESETS
from ks_env.core.tables import ANY
from ks_env.games import kriegspiel
from ks_env.games.kriegspiel.game import Game
from ks_env.games.opening import Opening
from ks_env.players import CountsWork, make_player
from tests.baselines.darkboard.records import metaposition
from tests.baselines.games import play

WORDS: list[dict[str, bool]] = [{}, {"improved": True}, {"literal": True}]
TRANSCRIPTS = {"icc": "ae2229668594", "berkeley-any": "c3dd5fb61ab2"}  # of `darkboard:improved`


@pytest.mark.parametrize("ruleset", sorted(RULESETS))
@pytest.mark.parametrize("word", WORDS)
def test_tries_are_in_the_mask_under_all_rulesets(ruleset: str, word: dict[str, bool]) -> None:
    for seed in range(2):
        tries = play(darkboard_player(metapositions=200, **word), seed % 2 == 0, ruleset, seed)
        assert tries


@pytest.mark.parametrize("ruleset", ["english", "berkeley-any"])
@pytest.mark.parametrize("word", WORDS)
def test_any_is_asked_where_it_pays(ruleset: str, word: dict[str, bool]) -> None:
    tries = play(darkboard_player(metapositions=200, **word), True, ruleset, 3)
    assert 0 < tries.count(ANY) < len(tries)


@pytest.mark.parametrize("word", WORDS)
def test_games_hang_on_their_seed_and_not_on_earlier_games(word: dict[str, bool]) -> None:
    used = darkboard_player(metapositions=500, **word)
    play(used, False, "icc", 9, 40)
    fresh = darkboard_player(metapositions=500, **word)
    assert play(used, True, "icc", 1, 80) == play(fresh, True, "icc", 1, 80)
    assert used.nodes == fresh.nodes > 0


def test_seeds_break_ties() -> None:
    games = set()
    for seed in range(4):
        player, opponent, game = darkboard_player(metapositions=100), make_player("capture"), Game()
        player.begin(kriegspiel.opening(True, ICC, chess.STARTING_FEN, seed))
        opponent.begin(kriegspiel.opening(False, ICC, chess.STARTING_FEN, 1))
        while game.to_play is not None and game.plies < 60:
            game.ask((player if game.to_play else opponent).choose(game.view(game.to_play)))
        games.add(game.board().fen())
    assert len(games) > 1


@pytest.mark.parametrize("budget", [100, 1000, 5000])
def test_the_budget_is_kept(budget: int) -> None:
    player = darkboard_player(metapositions=budget)
    player.begin(kriegspiel.opening(True, ICC, chess.STARTING_FEN, 0))
    player.choose(Game().view(True))
    assert isinstance(player, CountsWork)
    assert player.nodes <= budget + 100  # the node in hand is finished


def test_a_budget_in_seconds() -> None:
    player = darkboard_player(seconds=0.05)
    player.begin(kriegspiel.opening(True, ICC, chess.STARTING_FEN, 0))
    assert Game().mask(True)[player.choose(Game().view(True))]
    assert player.nodes > 0


def test_equal_views_equal_tries() -> None:
    """Two games that differ in what Black has played only, unheard by White."""
    lines = ("g8f6", "b8c6"), ("a7a6", "h7h6")
    chosen = []
    for replies in lines:
        game, player = Game(), darkboard_player(metapositions=500)
        player.begin(kriegspiel.opening(True, ICC, chess.STARTING_FEN, 0))
        made = []
        for reply in replies:
            made.append(player.choose(game.view(True)))
            game.ask(made[-1])
            game.ask(reply)
        made.append(player.choose(game.view(True)))
        chosen.append((made, player.metaposition.tobytes()))
    assert chosen[0] == chosen[1]


def test_pawn_tries_and_recaptures_come_first() -> None:
    game, player = Game(fen="4k2r/ppp5/8/3p4/4P3/8/8/3QK3 w - - 0 1"), darkboard_player()
    player.begin(kriegspiel.opening(True, ICC, game.start_fen, 0))
    assert player.choose(game.view(True)) == text_to_action("e4d5", True)
    game = Game(fen="4k2r/pppp4/8/3n4/8/2P5/3Q4/1N2K3 b - - 0 1")
    player.begin(kriegspiel.opening(True, ICC, game.start_fen, 0))
    game.ask("d5c3")
    explained = player.explain(game.view(True), 5)
    assert explained.reason == "hard rule"
    assert explained.chosen == player.choose(game.view(True)) == text_to_action("b1c3", True)


@pytest.mark.parametrize(
    ("fen", "told", "rule"),
    [
        ("4k2r/ppp5/8/3p4/4P3/8/8/3QK3 w - - 0 1", [], "e4d5"),  # a pawn try
        ("4k2r/pppp4/8/3n4/8/2P5/3Q4/1N2K3 b - - 0 1", ["d5c3"], "b1c3"),  # a capture
        ("4k3/4r3/8/8/3P4/8/4P3/4K2R b - - 0 1", ["e7e2"], "e1e2"),  # a check
    ],
)
def test_only_the_improved_program_has_hard_rules(fen: str, told: list[str], rule: str) -> None:
    game = Game(fen=fen)
    for move in told:
        game.ask(move)
    view, reasons = game.view(True), {}
    for word in ("improved", "literal"):
        player = darkboard_player(metapositions=1000, **{word: True})
        player.begin(kriegspiel.opening(True, ICC, game.start_fen, 0))
        explained = player.explain(view, 5)
        assert explained.chosen == player.choose(view)
        reasons[word] = explained.reason
        if word == "improved":
            assert explained.chosen == text_to_action(rule, True)
    assert reasons == {"improved": "hard rule", "literal": "search"}


def test_literal_has_no_loop_breaker() -> None:
    biases = {}
    for word in ("improved", "literal"):
        game, player = Game(), darkboard_player(metapositions=200, **{word: True})
        player.begin(kriegspiel.opening(True, ICC, chess.STARTING_FEN, 0))
        for move in ("g1f3", "g8f6", "f3g1", "f6g8", "g1f3", "g8f6"):
            if game.to_play:
                player.choose(game.view(True))
            game.ask(move)
        player.weigh(game.view(True))
        biases[word] = float(player.bias.min())
    assert biases["literal"] >= 0 > biases["improved"]


def test_the_anchor_does_not_change() -> None:
    for ruleset, expected in TRANSCRIPTS.items():
        tries = play(darkboard_player(metapositions=2000, improved=True), True, ruleset, 0)
        assert sha256(str(tries).encode()).hexdigest()[:12] == expected


def test_alpha_moves_by_the_balance_of_material() -> None:
    """Who has the upper hand favours open play, who is behind plays conservatively.

    See Ciancarini and Favini (2007, §3.2).
    """
    even = metaposition("Ke1 Ra1 Pa2", "Ke8 Ra8 Pa7")[0]
    ahead = metaposition("Ke1 Ra1 Rh1 Pa2", "Ke8 Ra8 Pa7")[0]
    behind = metaposition("Ke1 Ra1", "Ke8 Ra8 Rh8 Pa7")[0]
    literal, improved = LITERAL.record()[0], IMPROVED.record()[0]
    assert (
        0 < dynamic_alpha(ahead, literal) < dynamic_alpha(even, literal) < dynamic_alpha(behind, literal) < 1
    )
    assert dynamic_alpha(even, literal) == LITERAL.alpha
    for m in (even, ahead, behind):
        assert dynamic_alpha(m, improved) == IMPROVED.alpha


def test_explanations_are_of_what_is_played() -> None:
    game, player = Game(), darkboard_player(metapositions=3000)
    player.begin(kriegspiel.opening(True, ICC, chess.STARTING_FEN, 0))
    explained = player.explain(game.view(True), 5)
    assert explained.chosen == player.choose(game.view(True)) == explained.tries[0].action
    values = [one.value for one in explained.tries]
    assert values == sorted(values, reverse=True)
    for one in explained.tries:
        assert one.line[0] == one.action
        assert one.components.keys() <= {*COMPONENTS, BIAS}
        assert abs(one.components[BIAS]) < DEFAULT.jitter + 1e-6
    assert explained.nodes > 0
    assert len(explained.tries[0].line) > 1


def test_constants_reach_the_kernels() -> None:
    for constants in (IMPROVED, LITERAL, DEFAULT):
        record = constants.record()[0]
        assert set(record.dtype.names) == {field.name for field in fields(constants)}
        for name in record.dtype.names:
            assert np.all(record[name] == np.array(getattr(constants, name)))


def test_kernels_of_the_paper_s_program_and_of_ours_are_apart() -> None:
    """Numba would use those compiled for one record for another that it can convert to it."""
    paper, ours = (from_dtype(constants.record().dtype) for constants in (IMPROVED, DEFAULT))
    assert paper.can_convert_to(None, ours) is None
    assert ours.can_convert_to(None, paper) is None


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("darkboard:metapositions=0", "metapositions is 0; expected an integer from 1 to"),
        ("darkboard:depth=x", "depth is 'x'; expected an integer"),
        ("darkboard:seconds=1e999", "seconds is inf; expected a positive number"),
        ("darkboard:seconds=-1", "seconds is -1; expected a positive number"),
        ("darkboard:literal=3", "literal is 3; expected True or False"),
        ("darkboard:kbnk=2", "kbnk is 2; expected True or False"),
        ("darkboard:improved=1", "improved is 1; expected True or False"),
        ("darkboard:literal,kbnk", "expected one of improved, literal and kbnk"),
        ("darkboard:improved,kbnk", "expected one of improved, literal and kbnk"),
        ("darkboard:improved,literal", "expected one of improved, literal and kbnk"),
    ],
)
def test_parameters_that_make_no_player(spec: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        make_player(spec)


def test_names() -> None:
    assert make_player("darkboard:literal").name == "darkboard:literal"
    assert make_player("darkboard:improved").name == "darkboard:improved"
    assert make_player("darkboard:metapositions=500").name == "darkboard"


def test_a_view_of_another_game() -> None:
    game, player = Game(), darkboard_player()
    player.begin(kriegspiel.opening(True, ICC, chess.STARTING_FEN, 0))
    for move in ("e2e4", "e7e5", "g1f3", "b8c6"):
        game.ask(move)
    with pytest.raises(ValueError, match="cannot follow the view"):
        player.choose(game.view(True))


def test_a_hidden_start_without_placements() -> None:
    with pytest.raises(ValueError, match="cannot begin without a position"):
        darkboard_player().begin(Opening.of(Game(hidden_start=True), True))
