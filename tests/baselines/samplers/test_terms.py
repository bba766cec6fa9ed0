"""The terms `judged`: boards drawn by weight, and numpy's account of what the search says of them."""

from __future__ import annotations

from typing import Any

import chess
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from ks_baselines.samplers.terms import (
    BOARDS,
    NEAR,
    STATE_TERMS,
    TRY_TERMS,
    JudgedTerms,
)
from ks_baselines.samplers.values import LARGEST, NOT_LEGAL, OwnJudge, weigh

from ks_env.belief.particles import Particles
from ks_env.belief.particles.layout import make_population, population_of
from ks_env.belief.particles.population import draw_rows, resample
from ks_env.belief.terms.raw import RawTerms
from ks_env.core.ruleset import BERKELEY_ANY, ICC
from ks_env.core.tables import ANY
from ks_env.games import kriegspiel
from ks_env.games.kriegspiel.game import Game
from tests.belief.terms.seat import SeatTries, preset

RAW = len(RawTerms.tries)


@given(st.lists(st.floats(0.001, 1), min_size=1, max_size=40), st.integers(0, 2**64 - 1), st.integers(1, 30))
def test_boards_are_drawn_by_weight(weights: list[float], seed: int, room: int) -> None:
    weight = np.array(weights) / sum(weights)
    rows, times = np.zeros(room, np.int32), np.zeros(room, np.int64)
    found = draw_rows(weight, len(weight), np.array([seed], np.uint64), rows, times)
    assert times[:found].sum() == room
    assert (np.diff(rows[:found]) > 0).all()
    drawn = np.zeros(len(weight))
    drawn[rows[:found]] = times[:found]
    assert (np.abs(drawn - weight * room) < 1 + 1e-9).all()


def test_they_are_those_of_systematic_resampling() -> None:
    rng = np.random.default_rng(0)
    source, out = make_population(50), make_population(16)
    source.weight[:] = rng.dirichlet(np.ones(50))
    source.moved[:] = np.arange(50)
    resample(source, 50, out, np.array([7], np.uint64))
    rows, times = np.zeros(16, np.int32), np.zeros(16, np.int64)
    found = draw_rows(source.weight, 50, np.array([7], np.uint64), rows, times)
    assert np.repeat(rows[:found], times[:found]).tolist() == out.moved.tolist()


class Known(SeatTries):
    """A seat with its population."""

    @property
    def boards(self) -> Any:
        return self.memory[0]["boards"]


def drawn_boards(record: Any, view: Any) -> np.ndarray:
    """TRUTH[16] in White's frame, by the filter's own functions."""
    particles = Particles(len(record["weight"]))
    particles._records[0] = record
    out = make_population(BOARDS)
    resample(population_of(record), int(record["count"]), out, record["random"].copy())
    held = population_of(particles.record)
    for name in ("men", "rights", "ep"):
        getattr(held, name)[:BOARDS] = getattr(out, name)
    return particles._whole(np.arange(BOARDS))


def account(values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """TRY_TERMS and the first two of STATE_TERMS, of values of 16 boards."""
    sums, _ = weigh(values)
    legal = values != NOT_LEGAL
    some = legal.any(axis=1)
    sums, values, legal = sums / some.sum(), values[some].astype(float), legal[some]
    best = sums.max()
    out = np.zeros((values.shape[1], 7))
    out[:, 0] = np.maximum((sums - best) / 25, -3)
    out[:, 1] = np.maximum((sums - best) / 300, -3)
    out[:, 2] = legal.mean(0)
    top = values.max(axis=1, keepdims=True)
    out[:, 3] = (legal & (values >= top - NEAR)).mean(0)
    out[:, 5] = (legal & (values >= LARGEST)).mean(0)
    for k in range(values.shape[1]):
        own = values[legal[:, k], k]
        if len(own):
            out[k, 4] = min(1, own.std() / 500)
            out[k, 6] = max(-1, (own.min() - own.mean()) / 900)
    return out, np.array([np.clip(best / 1000, -1, 1), out[int(sums.argmax()), 4]])


@pytest.mark.parametrize("seed", range(4))
def test_numpy_comes_to_the_same(seed: int) -> None:
    game, rng = Game(ICC), np.random.default_rng(seed)
    seat, compared = Known(preset("judged"), kriegspiel.opening(chess.WHITE)), 0
    raw = SeatTries(preset("raw"), kriegspiel.opening(chess.WHITE))
    while compared < 25:
        if game.board().turn == chess.WHITE:
            view = game.view(chess.WHITE)
            tries = seat.tries(view, ICC)
            plain = raw.tries(view, ICC)
            assert (tries.terms[:, :RAW] == plain.terms).all()
            assert (tries.state[:, : -len(STATE_TERMS)] == plain.state).all()
            values = OwnJudge(1, 1).judge(drawn_boards(seat.boards, view), tries.actions)
            terms, state = account(values)
            np.testing.assert_allclose(tries.terms[:, RAW:], terms, atol=2e-5)
            np.testing.assert_allclose(tries.state[0, -4:-2], state, atol=2e-5)
            assert tries.state[0, -1] == 1
            compared += 1
        legal = list(game.board().legal_moves)
        game.ask(legal[rng.integers(len(legal))].uci())


def test_what_is_exactly_known() -> None:
    """Before the first move all is known: no spread, nothing refused, a population worth its whole room."""
    tries = Known(preset("judged"), kriegspiel.opening(chess.WHITE)).tries(Game().view(chess.WHITE), ICC)
    judged = tries.terms[:, RAW:]
    assert (judged[:, 2] == 1).all()
    assert not judged[:, 4:].any()
    assert judged[:, 0].max() == 0
    assert tries.state[0, -2:].tolist() == [1, 1]


def test_the_question_has_no_values() -> None:
    game = Game(BERKELEY_ANY)
    for move in ("e2e4", "d7d5"):
        game.ask(move)
    tries = Known(preset("judged"), kriegspiel.opening(chess.WHITE, BERKELEY_ANY)).tries
    found = tries(game.view(chess.WHITE), BERKELEY_ANY)
    assert found.actions[-1] == ANY
    assert not found.terms[-1, RAW:].any()
    assert found.terms[:-1, RAW:].any()


def test_names_and_numbers() -> None:
    terms = JudgedTerms()
    assert terms.tries[RAW:] == TRY_TERMS
    assert terms.states[-4:] == STATE_TERMS
    assert JudgedTerms(room=16).memory["boards"]["weight"].shape == (16,)
