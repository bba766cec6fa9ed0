from math import log

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ks_arena.statistics.pairs import SHARES
from ks_arena.statistics.sprt import Sprt

PAIR = {0: (0, 0), 1: (0.5, 0), 2: (0.5, 0.5), 3: (1, 0.5), 4: (1, 1)}

# By LLR_logistic of fishtest, server/fishtest/stats/LLRcalc.py, which replaces a 0 by 0.001.
FISHTEST = [
    ((3, 20, 50, 22, 5), 0, 20, 0.04032037241670679),
    ((3, 20, 50, 22, 5), 0, 5, 0.17838022438188125),
    ((3, 20, 50, 22, 5), -10, 10, 0.9344729113889829),
    ((0, 10, 30, 12, 0), 0, 20, -0.27041453628885204),
    ((0, 10, 30, 12, 0), 0, 5, 0.085226848211516),
    ((12, 40, 60, 30, 8), 0, 20, -2.9973011351582723),
    ((12, 40, 60, 30, 8), -10, 10, -2.0579732004260216),
]
# From the tests of fastchess, app/tests/sprt_test.cpp, to two digits.
FASTCHESS = [
    ((223, 9863, 20279 + 1000, 10037, 246), 0.5, 2.5, -3.07),
    ((871, 26175, 55003 + 980, 26678, 821), 0, 2, -4.98),
]


@pytest.mark.parametrize(("counts", "elo0", "elo1", "expected"), FISHTEST)
def test_llr_is_that_of_fishtest(counts: tuple[int, ...], elo0: float, elo1: float, expected: float) -> None:
    test = Sprt(elo0, elo1)
    assert test.llr(np.maximum(counts, 1e-3)) == pytest.approx(expected, abs=1e-12)
    assert test.llr(np.array(counts)) == pytest.approx(expected, abs=1e-4)


@pytest.mark.parametrize(("counts", "elo0", "elo1", "expected"), FASTCHESS)
def test_llr_is_that_of_fastchess(counts: tuple[int, ...], elo0: float, elo1: float, expected: float) -> None:
    assert Sprt(elo0, elo1).llr(np.array(counts)) == pytest.approx(expected, abs=0.01)


def test_bounds_are_walds() -> None:
    test = Sprt(0, 10, alpha=0.05, beta=0.1)
    assert (test.lower, test.upper) == pytest.approx((log(0.1 / 0.95), log(0.9 / 0.05)))


@settings(max_examples=50)
@given(st.lists(st.integers(0, 200), min_size=5, max_size=5), st.floats(0, 50), st.floats(1, 100))
def test_sides_turned_round(counts: list[int], elo0: float, apart: float) -> None:
    found = Sprt(elo0, elo0 + apart).llr(np.array(counts))
    mirrored = Sprt(-elo0 - apart, -elo0).llr(np.array(counts[::-1]))
    assert mirrored == pytest.approx(-found, abs=1e-8)


@settings(max_examples=50)
@given(st.lists(st.integers(1, 200), min_size=5, max_size=5), st.floats(1, 60))
def test_llr_tells_on_which_side_the_mean_is(counts: list[int], elo: float) -> None:
    share = np.array(counts) @ SHARES / sum(counts)
    llr = Sprt(-elo, elo).llr(np.array(counts))
    assert np.sign(round(llr, 9)) == np.sign(round(share - 0.5, 12))


@settings(max_examples=12, deadline=None)
@given(st.integers(0, 2**32 - 1), st.floats(-0.3, 0.3))
def test_order_is_that_of_one_pair_after_another(seed: int, lean: float) -> None:
    law = np.array([1 - lean, 1, 2, 1, 1 + lean]) / 6
    order = np.random.default_rng(seed).choice(5, size=60, p=law)
    test = Sprt(0, 120)
    verdict = test.run_in_order([PAIR[int(each)] for each in order])
    ends = [test.verdict(np.bincount(order[:played], minlength=5)) for played in range(1, len(order) + 1)]
    assert verdict == next((end for end in ends if end), None)


def test_first_crossing_counts_in_a_long_test() -> None:
    """What comes after the crossing is not looked at."""
    pairs = [PAIR[each] for each in (0, 4)] * 3000 + [PAIR[4]] * 2000 + [PAIR[0]] * 6000
    verdict = Sprt(-20, 20).run_in_order(pairs)
    assert verdict is not None
    assert verdict.accepted == "H1"
    assert 6000 < verdict.stopped_at < 8000


def test_nothing_after_an_incomplete_pair_is_judged() -> None:
    won = [(1.0, 1.0)] * 400
    assert Sprt(0, 20).run_in_order(won) is not None
    assert Sprt(0, 20).run_in_order([*won[:10], (1.0,), *won]) is None


def test_draws_alone_speak_for_no_difference() -> None:
    verdict = Sprt(0, 20).run_in_order([(0.5, 0.5)] * 400)
    assert verdict is not None
    assert verdict.accepted == "H0"


def test_before_the_first_pair() -> None:
    assert Sprt(0, 20).llr(np.zeros(5)) == 0
    assert Sprt(0, 20).verdict(np.zeros(5)) is None
    assert Sprt(0, 20).run_in_order([]) is None


@pytest.mark.parametrize(
    "values", [(5, 5), (5, 0), (float("nan"), 5), (0, float("inf")), (0, 5, 0, 0.1), (0, 5, 0.1, 0.5)]
)
def test_no_test(values: tuple[float, ...]) -> None:
    with pytest.raises(ValueError, match="expected"):
        Sprt(*values)


def test_negative_counts() -> None:
    with pytest.raises(ValueError, match="none negative"):
        Sprt(0, 5).llr(np.array([1, 2, 3, 4, -1]))
