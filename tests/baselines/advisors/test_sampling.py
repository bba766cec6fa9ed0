"""A few boards that stand for many: shares add up, and over all offsets no board is favoured."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ks_baselines.advisors.outcomes import sample_boards

Weights = st.lists(st.floats(1e-6, 1.0), min_size=1, max_size=40)


def sample(weights: np.ndarray, most: int, at: float) -> dict[int, float]:
    chosen, shares = np.full(most, -1, np.int32), np.zeros(most)
    padded = np.concatenate([weights, [9.0]])  # beyond the count there is something else
    count = sample_boards(padded, len(weights), most, at, chosen, shares)
    assert 1 <= count <= most
    assert len(set(chosen[:count].tolist())) == count
    return dict(zip(chosen[:count].tolist(), shares[:count].tolist(), strict=True))


@settings(max_examples=200, deadline=None)
@given(Weights, st.integers(1, 20), st.floats(0.0, 1.0, exclude_max=True))
def test_shares_add_up(weights: list[float], most: int, at: float) -> None:
    scaled = np.array(weights) / sum(weights)
    found = sample(scaled, most, at)
    assert all(0 <= board < len(weights) for board in found)
    assert sum(found.values()) == pytest.approx(1, abs=1e-9)
    if len(weights) <= most:
        assert list(found.values()) == scaled.tolist()
        return
    for board, weight in enumerate(scaled):  # as often as is due, rounded up or down
        drawn = round(found.get(board, 0.0) * most)
        assert abs(drawn - weight * most) < 1 + 1e-9


@pytest.mark.parametrize("most", [1, 4, 16])
def test_no_board_is_favoured(most: int) -> None:
    weights = np.random.default_rng(most).dirichlet(np.full(30, 0.5))
    offsets, total = (np.arange(2000) + 0.5) / 2000, np.zeros(30)
    for at in offsets:
        for board, share in sample(weights, most, float(at)).items():
            total[board] += share
    assert total / len(offsets) == pytest.approx(weights, abs=2 / len(offsets))
