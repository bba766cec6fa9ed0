"""No seat is shown what it has not been told: each leak by name on hand-made pairs, then pairs by search."""

from __future__ import annotations

import random
from collections.abc import Sequence

import chess
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ks_env.core.ruleset import RULESETS
from ks_env.games.kriegspiel.game import Game
from tests.leaks import PROBES, LeakError, Probe, Twins, pairs, twins
from tests.leaks.twins import ENCODERS, alike, peek
from tests.oracle import RULES, OracleGame, actions
from tests.starts import draw_start

ALL = tuple(RULES)
UNHEARD_REFUSALS = ("icc",)
UNHEARD_NONSENSE = ("berkeley", "berkeley-any")


def twins_of(ruleset: str, fen: str, seat: chess.Color, first: Sequence[str], second: Sequence[str]) -> Twins:
    """A pair made by two scripts of tries in UCI."""
    pair = Twins(ruleset, fen, seat)
    for game, script in enumerate((first, second)):
        for uci in script:
            turn = pair.oracles[game].board.turn
            move = chess.Move.from_uci(uci)
            pair.ask(game, actions.number_of(move, turn))
    return pair


CLOCK = ("clock", chess.STARTING_FEN, chess.WHITE, ["e2e4", "g8f6"], ["e2e4", "a7a6"])
REPETITION = (
    "repetition",
    chess.STARTING_FEN,
    chess.WHITE,
    ["g1f3", "g8f6", "f3g1", "f6g8"],
    ["g1f3", "b8c6", "f3g1", "g8f6"],
)
EN_PASSANT = ("en passant", "4k3/3p4/8/4P3/8/8/8/4K3 b - - 0 1", chess.WHITE, ["d7d5"], ["d7d6"])
CASTLING = (
    "castling",
    "r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w KQkq - 0 1",
    chess.WHITE,
    ["a2a3", "h8g8", "a3a4", "g8h8"],
    ["a2a3", "a8b8", "a3a4", "b8a8"],
)
PROMOTION_KIND = ("kind", "4k3/8/8/8/8/7K/p6P/8 b - - 0 1", chess.WHITE, ["a2a1q"], ["a2a1n"])
PROMOTION = ("promotion", "4k3/8/8/8/8/7K/p6P/8 b - - 0 1", chess.WHITE, ["a2a1q"], ["e8e7"])

Pair = tuple[str, str, chess.Color, list[str], list[str]]


def check(ruleset: str, pair: Pair, differing: str) -> Twins:
    """The seat has heard the same, the hidden states differ in what is named, and nothing shows it."""
    twin = twins_of(ruleset, *pair[1:])
    assert twin.same_history(), twin.transcript()
    assert differing in twin.hidden()
    twin.compare()
    return twin


# -- each item of the list, by name --------------------------------------------------------------------------


@pytest.mark.parametrize("unheard", [1, 3, 40])
def test_illegal_tries_of_the_opponent(unheard: int) -> None:
    refused = ["e2d3", "e2f3", "d2e3", "b2a3"]
    script = [refused[i % len(refused)] for i in range(unheard)]
    start = ("", chess.STARTING_FEN, chess.BLACK)
    for ruleset in UNHEARD_REFUSALS:
        check(ruleset, (*start, script, []), "tries that were not heard")
        check(ruleset, (*start, [*script, "e2e4"], ["e2e4"]), "tries that were not heard")


@pytest.mark.parametrize("ruleset", UNHEARD_NONSENSE)
def test_unheard_nonsense_of_the_opponent(ruleset: str) -> None:
    start = ("", chess.STARTING_FEN, chess.BLACK)
    check(ruleset, (*start, ["a1a5", "e1e2", "a1a5"], []), "tries that were not heard")
    check(ruleset, (*start, ["d2e3", "a1a5", "e2e4"], ["f2e3", "e2e4"]), "tries that were not heard")


def test_the_waiting_seat_sees_nothing_of_a_refusal() -> None:
    game = Game(RULESETS["icc"])
    before = {name: probe(game, chess.BLACK) for name, probe in PROBES.items()}
    for uci in ("e2d3", "d1d4", "e2d3"):
        game.ask(uci)
    assert {name: probe(game, chess.BLACK) for name, probe in PROBES.items()} == before


@pytest.mark.parametrize("ruleset", ALL)
def test_half_move_clock(ruleset: str) -> None:
    check(ruleset, CLOCK, "half-move clock")


@pytest.mark.parametrize("ruleset", ALL)
def test_repetition_count(ruleset: str) -> None:
    check(ruleset, REPETITION, "repetition count")


@pytest.mark.parametrize("ruleset", ALL)
def test_en_passant_available(ruleset: str) -> None:
    check(ruleset, EN_PASSANT, "en passant available")


@pytest.mark.parametrize("ruleset", ALL)
def test_castling_rights_of_the_opponent(ruleset: str) -> None:
    twin = check(ruleset, CASTLING, "opponent's castling rights")
    assert "placement" not in twin.hidden()


@pytest.mark.parametrize("ruleset", ALL)
def test_promotions_of_the_opponent(ruleset: str) -> None:
    check(ruleset, PROMOTION_KIND, "opponent's promotions")
    if not RULES[ruleset].promotion_said:
        check(ruleset, PROMOTION, "opponent's promotions")


# -- the pairs above would show each leak --------------------------------------------------------------------


def _repetitions(game: Game, seat: chess.Color) -> bytes:
    board = game.board()
    start = chess.Board(game.start_fen)
    return repr(board.board_fen() == start.board_fen()).encode()


LEAKS: dict[str, tuple[Pair, Probe]] = {
    "illegal tries": (
        ("", chess.STARTING_FEN, chess.WHITE, ["e2e4", "e7d6", "e7e6"], ["e2e4", "e7e6"]),
        lambda game, seat: repr(len(game.log())).encode(),
    ),
    "tries this turn": (
        ("", chess.STARTING_FEN, chess.WHITE, ["e2e4", "e7d6"], ["e2e4"]),
        lambda game, seat: repr(int(game.row()["truth"]["answered"])).encode(),
    ),
    "half-move clock": (CLOCK, lambda game, seat: repr(game.board().halfmove_clock).encode()),
    "repetition": (REPETITION, _repetitions),
    "en passant": (EN_PASSANT, lambda game, seat: repr(game.board().ep_square).encode()),
    "castling rights": (CASTLING, lambda game, seat: repr(game.board().castling_rights).encode()),
    "promotions": (
        PROMOTION,
        lambda game, seat: repr(sorted(p.symbol() for p in game.board().piece_map().values())).encode(),
    ),
    "legal tries": (EN_PASSANT, lambda game, seat: game.board().fen().encode()),
}


@pytest.mark.parametrize("name", LEAKS)
def test_the_comparison_sees_a_leak(name: str) -> None:
    pair, probe = LEAKS[name]
    twin = twins_of("icc", *pair[1:])
    assert twin.same_history()
    with pytest.raises(LeakError, match=name):
        twin.compare({name: probe})


@pytest.mark.parametrize("encoder", ENCODERS)
def test_the_comparison_sees_a_leak_into_an_encoders_memory(encoder: str) -> None:
    twin = twins_of("icc", *EN_PASSANT[1:])
    assert twin.same_history()
    twin.compare()
    memory = twin.followed[encoder].memory
    part = memory["place"] if encoder == "belief-particles" else memory
    known = part if encoder == "metaposition" else part["known"]
    known["age"][0, 60] ^= 1
    with pytest.raises(LeakError, match=f"the encoder {encoder} shows planes and memory that differ"):
        twin.compare()


# -- a hidden start ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("ruleset", ALL)
@pytest.mark.parametrize("other", ["8/8/8/5k2/8/8/8/QK6 w - - 0 1", "8/7k/8/8/8/8/8/QK6 w - - 0 1"])
def test_a_hidden_start_does_not_show_the_opponents_men(ruleset: str, other: str) -> None:
    fens = ("8/8/3k4/8/8/8/8/QK6 w - - 0 1", other)
    oracles = [OracleGame(ruleset, fen) for fen in fens]
    assert oracles[0].heard[chess.WHITE] == oracles[1].heard[chess.WHITE]
    first, second = (Game(RULESETS[ruleset], fen, hidden_start=True) for fen in fens)
    for name, probe in PROBES.items():
        assert probe(first, chess.WHITE) == probe(second, chess.WHITE), name


HIDDEN_PAIRS = [
    (chess.WHITE, "8/8/3k4/8/8/8/8/QK6 w - - 0 1", "8/8/8/5k2/8/8/8/QK6 w - - 0 1"),
    (chess.WHITE, "3k4/1p3n2/8/8/8/8/PP6/RK6 w - - 0 1", "8/5p1k/8/8/5b2/8/PP6/RK6 w - - 0 1"),
    (chess.BLACK, "4k2r/pp6/8/8/8/8/6PP/RN4K1 b k - 0 1", "4k2r/pp6/8/8/4R3/1P6/7P/6K1 b k - 0 1"),
]


@pytest.mark.parametrize("ruleset", ALL)
def test_games_from_hidden_starts_that_look_alike(ruleset: str) -> None:
    """They are played on, each from its own start, for as long as the seat hears the same."""
    compared = 0
    for number in range(12):
        rng = random.Random(f"hidden {ruleset} {number}")
        seat, fen, other = HIDDEN_PAIRS[number % len(HIDDEN_PAIRS)]
        twin = Twins(ruleset, fen, seat, other=other)
        if not twin.same_history():
            continue
        twin.compare()
        for _ in range(30):
            if not twin.advance(rng) or not twin.same_history():
                break
            twin.compare()
        assert "placement" in twin.hidden() or twin.over
        compared += twin.comparisons
    assert compared > 60


# -- pairs found by search, and by hypothesis ----------------------------------------------------------------


@pytest.mark.parametrize("ruleset", ALL)
def test_pairs_found_by_search(ruleset: str) -> None:
    seen: set[str] = set()
    differed = 0
    for twin in twins(12, ruleset, seed=7, most_turns=40):
        seen |= twin.differences.keys()
        differed += bool(twin.differences)
    assert differed >= 10
    assert {"placement", "half-move clock", "legal tries", "opponent's castling rights"} <= seen


@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large]
)
@given(
    rng=st.randoms(use_true_random=False),
    ruleset=st.sampled_from(ALL),
    seed=st.integers(0, 10_000),
    seat=st.booleans(),
    turns=st.integers(1, 12),
)
def test_pairs_found_by_hypothesis(
    rng: random.Random, ruleset: str, seed: int, seat: bool, turns: int
) -> None:
    twin = Twins(ruleset, draw_start(random.Random(seed)), seat)
    for _ in range(turns):
        if not twin.advance(rng) or not twin.same_history():
            break
        twin.compare()


@pytest.mark.parametrize("ruleset", ALL)
def test_several_games_that_look_the_same(ruleset: str) -> None:
    """Each differs from each other out of sight, and most are played on to the end."""
    found = [alike(number, ruleset, seed=11, games=4, most_turns=30) for number in range(4)]
    assert sum(len(games.differing) for games in found) >= 18
    assert max(len(games.live) for games in found) == 4
    assert "particles" in found[0].followed
    for games in found:
        assert len(games.live) > 1
        histories = [games.oracles[game].heard[games.seat] for game in games.live]
        assert all(heard == histories[0] for heard in histories)


def test_games_that_sound_otherwise_are_left_behind() -> None:
    games = Twins("icc", chess.STARTING_FEN, chess.WHITE, games=3)
    for game, script in enumerate((["e2e4", "d7d5"], ["e2e4", "e7e6"], ["e2e4", "f7f5"])):
        for uci in script:
            turn = games.oracles[game].board.turn
            games.ask(game, actions.number_of(chess.Move.from_uci(uci), turn))
    assert not games.same_history()  # two of the moves offer a capture
    games.live = [0, 2]
    assert games.same_history()
    games.compare()
    assert games.differing == {(0, 2)}
    taking = actions.number_of(chess.Move.from_uci("e4d5"), chess.WHITE)
    assert peek(games.oracles[0], taking, chess.WHITE) != peek(games.oracles[2], taking, chess.WHITE)


def test_pairs_for_other_tests_differ_out_of_sight() -> None:
    found = list(pairs(5, "icc", seed=3))
    assert len(found) == 5
    for first, second, seat in found:
        assert len(first.heard(seat)) == len(second.heard(seat))
        assert first.to_play == second.to_play
