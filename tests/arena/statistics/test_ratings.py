from dataclasses import replace
from math import inf
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ks_arena.statistics.davidson import chances, hessian_covariance, log_likelihood, maximise
from ks_arena.statistics.elo import elo_interval, elo_of, points_of
from ks_arena.statistics.evidence import connected_groups
from ks_arena.statistics.pairs import mean_points, pairs_of, pentanomial
from ks_arena.statistics.ratings import Ratings, fit, fit_evidence, fit_games, fit_groups

from research.scenarios import Scenario
from tests.arena.statistics.test_pairs import game

LABELS = ("ann", "bob", "cleo", "dan")
FOUR = Scenario("four", (0.6, 0.2, -0.2, -0.6), 200, 0.3, 1.0)


def columns(scenario: Scenario, seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """A drawn study as white, black, outcome and pair, one row a game."""
    design, times = scenario.design, scenario.draw(1, np.random.default_rng(seed))[0]
    rows = []
    pair = 0
    for pattern, often in zip(design.patterns, times, strict=True):
        for _ in range(often):
            rows += [(design.white[c], design.black[c], 1 - o, pair) for c, o in np.argwhere(pattern)]
            pair += 1
    return tuple(np.array(rows).T)


def large(labels: tuple[str, ...], scenario: Scenario, seed: int) -> Ratings:
    """The same of counts, for many games."""
    times = scenario.draw(1, np.random.default_rng(seed))[0]
    return fit_evidence(labels, scenario.evidence(times))


def test_games_and_counts_are_fitted_alike() -> None:
    one, other = drawn(3), large(LABELS, FOUR, 3)
    assert one.parameters == pytest.approx(other.parameters, abs=1e-9)
    for mine, yours in zip(one.players, other.players, strict=True):
        assert mine.interval == pytest.approx(yours.interval, abs=1e-6)
    assert one.games.tolist() == other.games.tolist()


def drawn(seed: int, **options: object) -> Ratings:
    return fit(LABELS, *columns(FOUR, seed), **options)  # type: ignore[arg-type]


@settings(max_examples=10, deadline=None)
@given(st.integers(0, 2**32 - 1), st.sampled_from(["ann", "dan", None]))
def test_zero_is_a_matter_of_taste(seed: int, anchor: str | None) -> None:
    free, anchored = drawn(seed), drawn(seed, anchor=anchor)
    assert np.mean([each.value for each in free.players]) == pytest.approx(0, abs=1e-6)
    for first, second in (("ann", "bob"), ("dan", "bob")):
        assert anchored.difference(first, second) == free.difference(first, second)
        apart = anchored[first].value - anchored[second].value
        assert apart == pytest.approx(free.difference(first, second).value)
    if anchor:
        assert anchored[anchor].interval == (0, 0)
        assert anchored["bob"].interval == pytest.approx(free.difference("bob", anchor).interval)


@settings(max_examples=10, deadline=None)
@given(st.integers(0, 2**32 - 1))
def test_order_of_games_and_names_of_pairs_do_not_matter(seed: int) -> None:
    games = columns(FOUR, seed)
    shuffle = np.random.default_rng(seed).permutation(len(games[0]))
    white, black, outcome, pair = (column[shuffle] for column in games)
    one, other = fit(LABELS, *games), fit(LABELS, white, black, outcome, 7 * pair + 3)
    for mine, yours in zip(one.players, other.players, strict=True):
        assert (mine.value, *mine.interval) == pytest.approx((yours.value, *yours.interval), abs=1e-6)


@settings(max_examples=10, deadline=None)
@given(st.integers(0, 2**32 - 1))
def test_colours_turned_round_turn_the_advantage_round(seed: int) -> None:
    white, black, outcome, pair = columns(FOUR, seed)
    one, other = fit(LABELS, white, black, outcome, pair), fit(LABELS, black, white, -outcome, pair)
    assert other.white_advantage.value == pytest.approx(-one.white_advantage.value, abs=1e-6)
    assert [each.value for each in other.players] == pytest.approx(
        [each.value for each in one.players], abs=1e-6
    )


def test_many_games_give_the_truth() -> None:
    scenario = Scenario("large", (0.6, 0.2, -0.2, -0.6), 20_000, 0.3, 1.0)
    ratings = large(LABELS, scenario, 1)
    assert ratings.parameters == pytest.approx(scenario.parameters, abs=0.05)
    assert ratings.draw.low < 1 / 3 < ratings.draw.high
    assert ratings.games.tolist() == [3 * 2 * 20_000] * 4


def test_the_maximum_is_one() -> None:
    """The slope of the likelihood by differences, and the Hessian beside second differences."""
    design, times = FOUR.design, FOUR.draw(1, np.random.default_rng(2))
    counts, precision = design.counts(times), np.full(6, 0.01)
    best = maximise(design, counts, precision)
    step = 1e-4

    def at(move: np.ndarray) -> float:
        return float(log_likelihood(design, counts, best + move, precision)[0])

    moves = step * np.eye(6)
    assert [at(m) - at(-m) for m in moves] == pytest.approx([0] * 6, abs=1e-7)
    # Rounding is divided by the square of the step, and along one direction the curve is nearly flat.
    step = 1e-3
    moves = step * np.eye(6)
    curve = [[(at(a + b) - at(a - b) - at(b - a) + at(-a - b)) / (4 * step**2) for b in moves] for a in moves]
    covariance = hessian_covariance(design, times, best, precision)[0]
    assert -np.linalg.inv(curve) == pytest.approx(covariance, rel=1e-3, abs=1e-4)


def test_small_differences_are_logistic_elo() -> None:
    for nu in (0.05, 1.0, 16.0):
        scenario = Scenario("near", (0.05, -0.05), 50_000, 0.0, nu)
        ratings = large(("a", "b"), scenario, 3)
        points = ratings.expected_points("a", "b")
        assert elo_of(points) == pytest.approx(ratings.difference("a", "b").value, rel=0.01, abs=0.05)


def test_two_players_are_as_by_pair() -> None:
    """With two nearly equal players the joint fit says what the points by pair say."""
    white, black, outcome, pair = columns(Scenario("two", (0.1, 0.0), 400, 0.2, 1.0, 0.5), 5)
    ratings = fit(("a", "b"), white, black, outcome, pair)
    points = np.where(white == 0, 1 + outcome, 1 - outcome) / 2
    counts = pentanomial(points[np.argsort(pair, kind="stable")].reshape(-1, 2))
    assert ratings.difference("a", "b").interval == pytest.approx(elo_interval(counts), abs=1.5)
    assert ratings.expected_points("a", "b") == pytest.approx(mean_points(counts), abs=0.003)


def test_pairs_that_hang_together_widen_the_sandwich_only() -> None:
    games = columns(Scenario("suits", (0.4, 0.1, -0.1, -0.4), 300, 0.3, 1.0, 0.8), 6)
    widths = {}
    for kind in ("sandwich", "hessian", "bootstrap"):
        low, high = fit(LABELS, *games, intervals=kind).difference("ann", "dan").interval
        widths[kind] = high - low
    assert widths["sandwich"] > 1.2 * widths["hessian"]
    assert widths["bootstrap"] == pytest.approx(widths["sandwich"], rel=0.1)


def rows(*games: tuple[int, int, int]) -> tuple[np.ndarray, ...]:
    found = np.array([game for each in games for game in (each, (each[1], each[0], -each[2]))]).T
    return (*found, np.arange(found.shape[1]) // 2)


def test_undefeated_player_has_an_open_end() -> None:
    games = [(0, 1, 1)] * 20 + [(0, 2, 1)] * 20 + [(1, 2, 1)] * 5 + [(1, 2, -1)] * 5 + [(1, 2, 0)] * 5
    ratings = fit("abc", *rows(*games))
    assert ratings.one_sided() == {"a": "below", "b": "above", "c": "above"}
    assert ratings["a"].high == inf
    assert ratings["b"].low == -inf
    # Forty wins of forty, by the profile likelihood of a rate: exp(-3.84 / 2 / 40), with the other games'
    low = ratings.difference("a", "b").low
    assert 300 < low < ratings.difference("a", "b").value < inf
    assert np.isfinite(ratings.difference("b", "c").interval).all()
    with pytest.raises(ValueError, match="prior"):
        fit("abc", *rows(*games), prior=None)


def test_profile_end_is_that_of_a_rate() -> None:
    """n decisive games all won: the likelihood of d is (1 + exp(-d)) ** -n, with no draw in sight."""
    ratings = fit("ab", *rows(*[(0, 1, 1)] * 50))
    low = points_of(ratings.difference("a", "b").low)
    assert low == pytest.approx(np.exp(-3.8415 / 2 / 100), abs=3e-3)


def test_chain_of_losses() -> None:
    """Each beats the next and no one else: nothing bounds the middle one."""
    ratings = fit("abc", *rows(*[(0, 1, 1)] * 9, *[(1, 2, 1)] * 9))
    assert ratings.one_sided() == {"a": "below", "b": "no", "c": "above"}
    assert ratings["b"].interval == (-inf, inf)


def test_players_who_have_not_met() -> None:
    games = rows((0, 1, 1), (2, 3, 0))
    with pytest.raises(ValueError, match="groups of players: ann, bob; cleo, dan"):
        fit(LABELS, *games)
    assert connected_groups(5, games[0], games[1]) == [(0, 1), (2, 3), (4,)]


def test_games_of_a_study() -> None:
    games = [game(0, 0, 1), game(0, 1, 0), game(1, 0, 0), game(1, 1, -1), game(0, 0, 0, 1), game(0, 1, 1, 1)]
    ratings = fit_games(["a", "b"], games)
    assert ratings.games.tolist() == [6, 6]
    assert int(ratings.evidence.times.sum()) == 3  # pair 0 of two pairings is two clusters
    assert len(pairs_of(games[:4])) == 2


def test_groups_are_rated_apart() -> None:
    games = [game(0, 0, 1), game(0, 1, 0), game(1, 0, -1)]
    apart = [replace(each, white={"a": "c", "b": "d"}[each.white], pairing=1) for each in games]
    apart = [replace(each, black={"a": "c", "b": "d"}[each.black]) for each in apart]
    found = fit_groups(["a", "c", "b", "e", "d"], [*games, *apart])
    assert [each.labels for each in found] == [("a", "b"), ("c", "d")]
    assert found[0].players == found[1].players == fit_games(["a", "b"], games).players
    assert fit_groups(["a", "b"], []) == []


def test_bootstrap_follows_its_seed() -> None:
    games = columns(FOUR, 1)
    one, same, other = (fit(LABELS, *games, intervals="bootstrap", seed=seed) for seed in (1, 1, 2))
    assert one.players == same.players != other.players


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"white": [0, 4]}, "number outside 0 to 3"),
        ({"white": [0, 1]}, "game 1: a player against itself"),
        ({"outcome": [1, 2]}, "expected -1, 0 and 1"),
        ({"pair": [0]}, "lengths"),
        ({"intervals": "wald"}, "'wald'; expected 'sandwich'"),
        ({"anchor": "eve"}, "'eve'; expected one of ann"),
        ({"prior": 0.0}, "a prior of 0.0; expected"),
    ],
)
def test_what_cannot_be_rated(change: dict[str, object], words: str) -> None:
    values: dict[str, object] = {"white": [0, 0], "black": [1, 1], "outcome": [1, 0], "pair": [0, 0]} | change
    arrays = {name: np.array(values.pop(name)) for name in ("white", "black", "outcome", "pair")}
    labels = LABELS[:2] if set(change) & {"intervals", "anchor", "prior"} else LABELS
    with pytest.raises(ValueError, match=words):
        fit(labels, **arrays, **values)  # type: ignore[arg-type]


def test_no_games_and_unknown_players() -> None:
    none = np.zeros(0, dtype=int)
    with pytest.raises(ValueError, match="not 0"):
        fit(LABELS, none, none, none, none)
    with pytest.raises(ValueError, match="not 0"):
        fit_games(LABELS, [])
    with pytest.raises(KeyError, match="no player 'eve'"):
        drawn(1)["eve"]


def test_chances_are_davidsons() -> None:
    """White wins, draw, Black wins as w : √(o w b) : o b, with worths w and b and order effect o, nu 1."""
    found = chances(FOUR.design, FOUR.parameters[None])[0]
    worth, order = np.exp(FOUR.parameters[:4]), np.exp(-FOUR.parameters[4])
    for white, black, likely in zip(FOUR.design.white, FOUR.design.black, found, strict=True):
        weights = np.array([worth[white], np.sqrt(order * worth[white] * worth[black]), order * worth[black]])
        assert likely == pytest.approx(weights / weights.sum())


def test_wins_and_draws_without_a_loss_determine_nothing() -> None:
    """Strength and draws can grow together for ever, each making the games likelier."""
    games = {"white": [0, 1] * 40, "black": [1, 0] * 40, "pair": np.arange(80) // 2}
    columns: Any = {name: np.array(column) for name, column in games.items()}
    outcome = np.array([1, 0] * 40)
    ratings = fit(["A", "B"], outcome=outcome, **columns)
    assert not ratings.determined
    with pytest.raises(ValueError, match="no finite ratings fit these games best"):
        fit(["A", "B"], outcome=outcome, prior=None, **columns)
    outcome[:2] = -1, 1  # the other wins a pair
    assert fit(["A", "B"], outcome=outcome, prior=None, **columns).determined
    assert fit(["A", "B"], outcome=outcome, **columns).decisive == 41


@given(seed=st.integers(0, 2**32 - 1))
@settings(max_examples=30, deadline=None)
def test_what_is_determined_needs_no_prior(seed: int) -> None:
    """Without a prior the likelihood has a maximum where the linear program says so, and only there."""
    random = np.random.default_rng(seed)
    white = np.array([0, 1, 1, 2, 0, 2])
    columns: Any = {"white": white, "black": np.array([1, 0, 2, 1, 2, 0]), "pair": np.arange(6) // 2}
    outcome = random.integers(-1, 2, 6)
    ratings = fit(["A", "B", "C"], outcome=outcome, **columns)
    wide, wider = (
        fit(["A", "B", "C"], outcome=outcome, prior=prior, **columns).parameters for prior in (30.0, 300.0)
    )
    # without a draw the draw parameter has no end, and the model does without it
    kept = slice(None) if (outcome == 0).any() else slice(-1)
    assert ratings.determined == bool(np.abs(wider - wide)[kept].max() < 0.5)
