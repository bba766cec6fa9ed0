"""Weighted maximax against a plain recursive reading of Ciancarini and Favini (2007, Fig. 1)."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from ks_baselines.darkboard.components import entropy
from ks_baselines.darkboard.constants import IMPROVED
from ks_baselines.darkboard.evaluation import COMPONENTS, SAFETY_ALONE, evaluation_of
from ks_baselines.darkboard.moves import end_of, generate, kind_of, predicted_capture, start_of
from ks_baselines.darkboard.search import (
    go_down,
    is_final,
    make_move,
    new_work,
    search_of,
)

from ks_env.belief.metaposition import simulate_meta
from ks_env.belief.metaposition.layout import Metaposition
from tests.baselines.darkboard.records import metaposition

evaluate = evaluation_of(SAFETY_ALONE)
prepare_root, look_into_root = search_of(SAFETY_ALONE)
WIDE = IMPROVED.__class__(best_moves=48.0, killers=0.0)


def moves_of(m: Metaposition) -> list[int]:
    out = np.zeros(512, np.int32)
    return [int(move) for move in out[: generate(m, out)]]


def static(m: np.ndarray, move: int, depth: int, c: Any) -> tuple[float, np.ndarray]:
    """Value of a move by itself, and the metaposition after it."""
    captured = predicted_capture(m[0], kind_of(move), start_of(move), end_of(move))
    after, planes = m.copy(), np.zeros(5, np.uint64)
    make_move(after[0], move, captured)
    later, boards = after.copy(), np.zeros(17, np.uint64)
    value = evaluate(
        m[0],
        after[0],
        later[0],
        start_of(move),
        end_of(move),
        captured,
        depth,
        entropy(m[0], planes, c),
        c,
        boards,
        np.zeros(len(COMPONENTS)),
        np.zeros(28),
    )
    return float(value), after


def value(m: np.ndarray, move: int, depth: int, left: int, alpha: float, c: Any) -> float:
    """Ciancarini and Favini (2007, Fig. 1)."""
    here, after = static(m, move, depth, c)
    if left == 0 or here < c["low"] or here > c["high"]:
        return here
    simulate_meta(after[0])
    best = max(value(after, x, depth + 1, left - 1, alpha, c) for x in moves_of(after[0]))
    return here * alpha + best * (1 - alpha)


@pytest.mark.parametrize("left", [0, 1, 2])
def test_values_are_those_of_the_paper(left: int) -> None:
    m = metaposition("Ke1 Pa2 Nb1", "Kg8 Kh8 Pd5 Pd4 Rc7 Rc8 Ng6")
    c = WIDE.record()[0]
    work, moves = new_work(), moves_of(m[0])
    work.moves[0, : len(moves)] = moves
    prepare_root(work, m[0], len(moves), np.zeros(512), c)
    done = look_into_root(work, left, 0.6, 10**9, len(moves), c)
    expected = [value(m, move, 0, left, 0.6, c) for move in moves]
    assert work.values[: len(moves)] == pytest.approx(expected)
    assert done >= len(moves)


def test_assumed_lines_lead_to_the_values() -> None:
    m = metaposition("Ke1 Pa2 Nb1", "Kg8 Kh8 Pd5 Rc7 Ng6")
    c = WIDE.record()[0]
    work, moves = new_work(), moves_of(m[0])
    work.moves[0, : len(moves)] = moves
    prepare_root(work, m[0], len(moves), np.zeros(512), c)
    look_into_root(work, 2, 0.6, 10**9, 0, c)
    best = int(np.argmax(work.values[: len(moves)]))
    worth, weight, now = 0.0, 1.0, m
    line = [int(x) for x in work.assumed[best] if x]
    assert len(line) == 3
    for depth, move in enumerate(line):
        here, now = static(now, move, depth, c)
        last = depth == len(line) - 1
        worth += weight * here * (1.0 if last else 0.6)
        weight *= 0.4
        simulate_meta(now[0])
    assert worth == pytest.approx(work.values[best])


def test_infinite_nodes_are_not_expanded() -> None:
    c = IMPROVED.record()[0]
    assert is_final(IMPROVED.low - 1, c)
    assert is_final(IMPROVED.high + 1, c)
    assert not is_final(0.0, c)
    m = metaposition("Kg6 Qa7", "Kh8")  # Qa8, Qg7 and Qh7 mate: +5000
    work, moves = new_work(), moves_of(m[0])
    work.moves[0, : len(moves)] = moves
    n = prepare_root(work, m[0], len(moves), np.zeros(512), c)
    done = look_into_root(work, 1, 0.5, 10**9, n, c)
    mates = [i for i in range(n) if work.static[0, i] > IMPROVED.high]
    assert mates
    for i in mates:
        assert work.values[i] == work.static[0, i]
        assert [int(x) for x in work.assumed[i] if x] == [moves[i]]
    opened = [i for i in range(n) if np.isfinite(work.values[i]) and not is_final(work.static[0, i], c)]
    assert len(opened) < n
    nodes = 0
    for i in opened:
        go_down(work, 0, i)
        nodes += len(moves_of(work.nodes[1]))
    assert done == n + nodes


def test_a_search_stops_at_its_limit() -> None:
    m = metaposition("Ke1 Ra1 Rh1 Qd1 Pa2 Nb1", "Kg8 Kh8 Pd5 Rc7 Ng6")
    c = IMPROVED.record()[0]
    work, moves = new_work(), moves_of(m[0])
    work.moves[0, : len(moves)] = moves
    n = prepare_root(work, m[0], len(moves), np.zeros(512), c)
    done = look_into_root(work, 4, 0.9, 300, n, c)
    assert 300 < done < 300 + 200
