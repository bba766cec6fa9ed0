"""The shadow, in random games: always a distribution, mostly with the truth among its boards."""

from __future__ import annotations

import random

import chess
import numpy as np
import pytest
from ks_baselines.advisors import AdvisorsPlayer
from ks_baselines.advisors.hide import begin_shadow, follow_shadow

from ks_env.belief.joint import Joint
from ks_env.core.actions import move_to_action
from ks_env.games.invisible.game import InvisibleGame
from ks_env.games.opening import Opening
from tests.belief.joint.games import HIDDEN, ask_random, new_game
from tests.starts import LISTED


def own_places(game: InvisibleGame, colour: bool) -> dict[int, int]:
    """Own hidden men by number, in the colour's frame."""
    return {n: s ^ (0 if colour else 56) for n, s in game.hidden_squares(colour).items()}


def follow(
    rng: random.Random,
    game: InvisibleGame,
    colour: bool,
    boards: int,
    tries: int,
    spread_captures: bool = False,
) -> list[bool]:
    """For each own turn whether the truth is among the shadow's boards."""
    shadow, found = Joint(boards, spread_captures=spread_captures), []
    begin_shadow(shadow.record, game.view(colour))
    for _ in range(tries):
        if game.to_play is None:
            break
        if game.to_play == colour:
            follow_shadow(shadow.record, game.view(colour), shadow.work)
            check(shadow, game, colour, boards)
            found.append(shadow.chance(own_places(game, colour)) > 0)
        ask_random(rng, game, legal=0.8)
    return found


def check(shadow: Joint, game: InvisibleGame, colour: bool, boards: int) -> None:
    assert 1 <= shadow.count <= boards
    assert np.isfinite(shadow.weights).all()
    assert (shadow.weights >= 0).all()
    assert shadow.weights.sum() == pytest.approx(1, abs=1e-9)
    view, own = game.view(colour), own_places(game, colour)
    for number in range(1, 16):
        places = set(shadow.boards[:, number].tolist())
        if number not in own:
            assert places == {64}
        elif view["exposed"][number] >= 0 and not shadow.record["spread_captures"]:
            assert places == {own[number]}


@pytest.mark.parametrize("spread_captures", [False, True])
@pytest.mark.parametrize(
    ("hidden", "least"), list(zip(HIDDEN, (0.99, 0.99, 0.97, 0.99, 0.99, 0.4), strict=True))
)
def test_the_truth_is_mostly_among_its_boards(hidden: str, least: float, spread_captures: bool) -> None:
    found: list[bool] = []
    for number in range(8):
        rng = random.Random(f"{hidden} {number}")
        found += follow(rng, new_game(rng, hidden), rng.random() < 0.5, 4096, 120, spread_captures)
    share = sum(found) / len(found)
    print(f"{hidden}: the truth is in the shadow in {share:.3f} of {len(found)} own turns")
    assert share >= least


@pytest.mark.parametrize("boards", [1, 5, 256])
def test_it_survives_any_game(boards: int) -> None:
    for number, fen in enumerate(LISTED[::4]):
        board, rng = chess.Board(fen), random.Random(f"any {number}")
        men = [s for s, p in board.piece_map().items() if p.piece_type != chess.KING]
        sides = [[chess.square_name(s) for s in men if board.color_at(s) == c] for c in chess.COLORS]
        hidden = " v ".join(" ".join(rng.sample(side, min(len(side), 4))) or "none" for side in sides)
        follow(rng, InvisibleGame(hidden, fen=fen), rng.random() < 0.5, boards, 60)
    rng = random.Random(boards)
    follow(rng, new_game(rng, HIDDEN[-1]), chess.WHITE, boards, 300)


def test_an_own_capture_spreads_where_it_is_not_taken_in() -> None:
    game = InvisibleGame("a1 v none", fen="4k3/8/8/4p3/8/2n5/8/B3K3 w - - 0 1")
    shadows = [Joint(16, spread_captures=spread) for spread in (False, True)]
    for shadow in shadows:
        begin_shadow(shadow.record, game.view(chess.WHITE))
        follow_shadow(shadow.record, game.view(chess.WHITE), shadow.work)
    game.ask("a1c3")
    game.ask("e5e4")
    found = []
    for shadow in shadows:
        follow_shadow(shadow.record, game.view(chess.WHITE), shadow.work)
        found.append(
            {chess.square_name(s): w for (_, s, *_), w in zip(shadow.boards, shadow.weights, strict=True)}
        )
    assert found == [{"c3": 1.0}, {"b2": 0.5, "c3": 0.5}]


@pytest.mark.parametrize("spread_captures", [False, True])
def test_castling_tells_where_a_hidden_rook_stands(spread_captures: bool) -> None:
    game = InvisibleGame("h1 v none", fen="4k3/8/8/8/8/8/8/4K2R w K - 0 1")
    shadow = Joint(16, spread_captures=spread_captures)
    begin_shadow(shadow.record, game.view(chess.WHITE))
    follow_shadow(shadow.record, game.view(chess.WHITE), shadow.work)
    game.ask("e1g1")
    game.ask("e8d7")
    follow_shadow(shadow.record, game.view(chess.WHITE), shadow.work)
    assert shadow.chance({1: chess.F1}) == pytest.approx(1.0)


def test_a_hidden_pawns_capture_is_told_wherever_it_finds_a_man() -> None:
    """Onto a square that looks empty, too: an accepted capture names its square, and hides nothing."""
    game = InvisibleGame("e2 v N", choice=0)
    player = AdvisorsPlayer("a", depth=1, boards=4, hide=1.0)
    player.begin(Opening.of(game, chess.WHITE, 1))
    for move in ("e2e4", "b8c6"):
        if game.to_play:
            player.advise(game.view(chess.WHITE))
        game.ask(move)
    advice = player.advise(game.view(chess.WHITE))
    before = player.shadow.entropy()
    assert before == pytest.approx(1.0)  # one step or two
    hidden = {int(a): float(h) for a, h in zip(advice.tries, advice.hide, strict=True)}
    assert hidden[move_to_action(chess.Move.from_uci("e4d5"), chess.WHITE)] == pytest.approx(-before)
    assert hidden[move_to_action(chess.Move.from_uci("e4e5"), chess.WHITE)] > -before
