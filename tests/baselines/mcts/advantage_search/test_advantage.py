"""Terms of states and tries, and the networks that judge them."""

from __future__ import annotations

from pathlib import Path

import chess
import numpy as np
import pytest
from ks_baselines.darkboard.moves import pack
from ks_baselines.mcts.advantage_search.advice import ADVANTAGE
from ks_baselines.mcts.advantage_search.constants import DEFAULT
from ks_baselines.mcts.advantage_search.network import (
    PLACES,
    Network,
    judge,
    read_networks,
    shipped_networks,
    write_networks,
)
from ks_baselines.mcts.advantage_search.player import AdvantageSearchPlayer, advantage_search_player
from ks_baselines.mcts.advantage_search.terms import STATE_TERMS, TRY_TERMS
from ks_baselines.mcts.player import Settings

from ks_env.core.ruleset import ICC, RULESETS, Ruleset
from ks_env.core.tables import ANY, KNIGHT, PAWN, TRY_FROM, TRY_TO
from ks_env.games import kriegspiel
from ks_env.games.kriegspiel.game import Game
from research.tune_mcts import tuned_player

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
) -> AdvantageSearchPlayer:
    """A player that has weighed the tries of a position's first turn."""
    player, game = (
        AdvantageSearchPlayer("c", DEFAULT, Settings(nodes=100), networks=networks),
        Game(ruleset, fen),
    )
    colour = game.to_play
    assert colour is not None
    player.begin(kriegspiel.opening(colour, ruleset, fen, 0))
    player.choose(game.view(colour))
    return player


def named(player: AdvantageSearchPlayer, term: str) -> dict[str, float]:
    """A term of all tries of the last choice."""
    tries, column = player.tries, TRY_TERMS.index(term)
    n = len(player.root)
    squares = [(int(TRY_FROM[a]), int(TRY_TO[a])) for a in tries[:n] if a != ANY]
    return {
        chess.square_name(start) + chess.square_name(end): float(player.advice.terms[i, column])
        for i, (start, end) in enumerate(squares)
    }


def test_terms_of_the_start() -> None:
    player = leaning(())
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
    state = dict(zip(STATE_TERMS, player.advice.state.tolist(), strict=True))
    assert state["own pawns"] == 1 / 8
    assert state["own rooks"] == 1 / 2
    assert state["opponent's men"] == 5 / 16
    assert state["foremost pawn"] == pytest.approx(1 / 7)


def test_all_terms_are_numbers_of_a_size() -> None:
    for ruleset in RULESETS.values():
        for fen in (chess.STARTING_FEN, "r3k2r/pppq1ppp/2n2n2/8/3P4/2N2N2/PPPQ1PPP/R3K2R w KQkq - 3 9"):
            player = leaning((), fen, ruleset)
            found = np.concatenate([player.advice.state, player.advice.terms[: len(player.root)].ravel()])
            assert np.isfinite(found).all()
            assert np.abs(found).max() <= 4


def test_networks_take_the_place_of_the_rules_of_thumb() -> None:
    first, second = drawn_network(1), drawn_network(2)
    found = [leaning(networks).advice for networks in ((), (first,), (second,), (first, second))]
    plain, one, other, both = (advice.values[:20].copy() for advice in found)
    assert np.abs(one - plain).max() > 1
    assert both == pytest.approx(one + other, rel=1e-4)
    advice, learnt = found[1], np.zeros(20, np.float32)
    assert advice is not None
    judge(first, advice.state, advice.terms, advice.adviser.work.moves[0], 20, learnt)
    assert one == pytest.approx(ADVANTAGE * learnt, rel=1e-5)


@pytest.mark.parametrize("networks", [(), (drawn_network(3),)])
def test_the_tree_compares_tries_by_their_values(networks: tuple[Network, ...]) -> None:
    """A tree that has looked at each try once, and drawn nothing."""
    player, game = AdvantageSearchPlayer("c", DEFAULT, Settings(nodes=20), networks=networks), Game(ICC)
    player.begin(kriegspiel.opening(chess.WHITE, ICC, chess.STARTING_FEN, 0))
    chosen = player.choose(game.view(chess.WHITE))
    entries = player.tree.moves[:20]
    moves = player.advice.adviser.work.moves[0, :20].tolist()
    compared = {int(e["move"]): float(e["value"] + e["bias"]) for e in entries}
    assert [compared[m] for m in moves] == pytest.approx(player.advice.values[:20].tolist(), abs=1e-4)
    assert entries["visits"].tolist() == [1] * 20
    assert chosen == player.tries[int(np.argmax(player.advice.values[:20]))]


def test_the_default_player_has_learnt() -> None:
    assert advantage_search_player().advice.networks is shipped_networks()


def test_the_tuner_sees_the_rules_of_thumb() -> None:
    assert tuned_player(DEFAULT).advice.networks == ()


def test_a_file_of_no_networks_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"no networks for .*weights\.npz; expected at least one"):
        write_networks([], tmp_path / "weights.npz")
    assert not list(tmp_path.iterdir())
