"""Terms of states and tries, and the networks that judge them."""

from __future__ import annotations

from pathlib import Path

import chess
import numpy as np
import pytest

from baselines.darkboard.moves import pack
from baselines.mcts.advantage.network import (
    PLACES,
    Network,
    judge,
    read_networks,
    shipped_networks,
    write_networks,
)
from baselines.mcts.advantage.state_terms import STATE_TERMS
from baselines.mcts.advantage.try_terms import TRY_TERMS
from baselines.mcts.constants import DEFAULT
from baselines.mcts.player import MctsPlayer
from ks_env.core.game import Game
from ks_env.core.ruleset import ICC, RULESETS, Ruleset
from ks_env.core.tables import ANY, KNIGHT, PAWN, TRY_FROM, TRY_TO

MOVES = np.array([pack(12, 28, PAWN, 0), pack(6, 21, KNIGHT, 0), pack(1, 18, KNIGHT, 0)], np.int32)


def drawn_network(seed: int, hidden: int = 12, second: int = 5) -> Network:
    rng = np.random.default_rng(seed)

    def weights(*shape: int) -> np.ndarray:
        return rng.normal(size=shape).astype(np.float16).astype(np.float32)

    states, tries = weights(len(STATE_TERMS), hidden), weights(len(TRY_TERMS), hidden)
    starts, ends, bias = weights(PLACES, hidden), weights(PLACES, hidden), weights(hidden)
    return Network(
        states, tries, starts, ends, bias, weights(hidden, second), weights(second), weights(second)
    )


def test_the_kernel_is_the_network_of_its_formula() -> None:
    rng = np.random.default_rng(0)
    network, found = drawn_network(1), np.zeros(5, np.float32)
    state, tries = rng.normal(size=len(STATE_TERMS)) * 3, rng.normal(size=(3, len(TRY_TERMS)))
    judge(network, state.astype(np.float32), tries.astype(np.float32), MOVES, 3, found)
    for i, move in enumerate(MOVES.tolist()):
        kind, start, end = move >> 12, move & 63, move >> 6 & 63
        hidden = np.clip(state, -4, 4) @ network.states + tries[i] @ network.tries + network.first_bias
        hidden += network.starts[64 * kind + start] + network.ends[64 * kind + end]
        second = np.maximum(0, hidden) @ network.second + network.second_bias
        assert found[i] == pytest.approx(np.maximum(0, second) @ network.last, rel=1e-4)
    assert found[3:].tolist() == [0.0, 0.0]


def test_weights_are_read_as_they_were_written(tmp_path: Path) -> None:
    networks = drawn_network(1), drawn_network(2)
    write_networks(networks, tmp_path / "weights.npz")
    found = read_networks(tmp_path / "weights.npz")
    assert len(found) == 2
    for one, other in zip(networks, found, strict=True):
        for name, weights in one._asdict().items():
            assert np.array_equal(weights, getattr(other, name)), name


def test_weights_of_other_terms_are_refused(tmp_path: Path) -> None:
    network = drawn_network(1)
    write_networks([network._replace(tries=network.tries[1:])], tmp_path / "weights.npz")
    with pytest.raises(ValueError, match=f"{len(TRY_TERMS) - 1} of a try; expected .* and {len(TRY_TERMS)}"):
        read_networks(tmp_path / "weights.npz")


def leaning(
    networks: tuple[Network, ...], fen: str = chess.STARTING_FEN, ruleset: Ruleset = ICC
) -> MctsPlayer:
    """A player that has weighed the tries of a position's first turn."""
    player, game = MctsPlayer("c", DEFAULT, 100, None, networks=networks), Game(ruleset, fen)
    colour = game.to_play
    assert colour is not None
    player.begin(colour, ruleset, fen, 0)
    player.choose(game.view(colour))
    return player


def named(player: MctsPlayer, term: str) -> dict[str, float]:
    """A term of all tries of the last choice."""
    assert player.advice is not None
    tries, column = player.tries, TRY_TERMS.index(term)
    n = len(player.root)
    squares = [(int(TRY_FROM[a]), int(TRY_TO[a])) for a in tries[:n] if a != ANY]
    return {
        chess.square_name(start) + chess.square_name(end): float(player.advice.terms[i, column])
        for i, (start, end) in enumerate(squares)
    }


def test_terms_of_the_start() -> None:
    player = leaning(())
    assert player.advice is not None
    state = dict(zip(STATE_TERMS, player.advice.state.tolist(), strict=True))
    assert state["own pawns"] == state["opponent's pawns"] == state["opponent's pieces"] == 1
    assert state["lead"] == pytest.approx(0, abs=1e-6)
    assert state["squares of its king"] == pytest.approx(1 / 64)
    assert state["their entropy"] == pytest.approx(0, abs=1e-6)
    assert state["in check"] == state["fifty-move clock"] == 0
    assert named(player, "ranks gone")["e2e4"] == pytest.approx(2 / 7)
    assert named(player, "legal")["g1f3"] == pytest.approx(1)
    assert sum(value == 1 for value in named(player, "the best").values()) == 1


def test_terms_of_an_ending() -> None:
    player = leaning((), "4k3/pppp4/8/8/8/8/PR6/K7 w - - 40 60")
    assert player.advice is not None
    state = dict(zip(STATE_TERMS, player.advice.state.tolist(), strict=True))
    assert state["own pawns"] == 1 / 8
    assert state["own rooks"] == 1 / 2
    assert state["opponent's men"] == 5 / 16
    assert state["foremost pawn"] == pytest.approx(1 / 7)


def test_all_terms_are_numbers_of_a_size() -> None:
    for ruleset in RULESETS.values():
        for fen in (chess.STARTING_FEN, "r3k2r/pppq1ppp/2n2n2/8/3P4/2N2N2/PPPQ1PPP/R3K2R w KQkq - 3 9"):
            player = leaning((), fen, ruleset)
            assert player.advice is not None
            found = np.concatenate([player.advice.state, player.advice.terms[: len(player.root)].ravel()])
            assert np.isfinite(found).all()
            assert np.abs(found).max() <= 4


def test_the_mean_of_the_networks_is_added_to_the_values() -> None:
    first, second = drawn_network(1), drawn_network(2)
    found = [leaning(networks).advice for networks in ((), (first,), (second,), (first, second))]
    plain, one, other, both = (advice.values[:20].copy() for advice in found if advice is not None)
    assert np.abs(one - plain).max() > 1
    assert both == pytest.approx((one + other) / 2, rel=1e-4)


def test_the_tree_compares_tries_by_all_that_is_added() -> None:
    player = leaning(shipped_networks())
    assert player.advice is not None
    assert len(shipped_networks()) >= 1
    entries = player.tree.moves[: len(player.root)]
    chosen = {int(e["move"]): float(e["bias"]) for e in entries}
    moves = player.advice.adviser.work.moves[0, : len(player.root)]
    static = player.advice.values[: len(moves)] - np.array([chosen[int(m)] for m in moves])
    fresh = np.array([e["value"] for m in moves for e in entries if e["move"] == m])
    assert np.abs(static - fresh).max() < 0.2  # the tree moves a value by what it has drawn
