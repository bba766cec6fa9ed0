"""The masks as arrays: zero for who waits and after the end, never for who must try; the level asked for."""

from __future__ import annotations

import random

import chess
import numpy as np
import pytest

from ks_env.core.actions import ACTIONS
from ks_env.core.ruleset import RULESETS
from ks_env.core.tries import INFORMED, OWN_BOARD
from ks_env.envs.batch import kernels_of
from ks_env.games.kriegspiel import KRIEGSPIEL
from ks_env.games.kriegspiel.game import Game
from ks_env.games.kriegspiel.planes import COUNT
from tests.starts import draw_start

OBSERVE = kernels_of(KRIEGSPIEL.kernels).observing.row  # as the environments use it


def mask_of(game: Game, colour: bool, level: int) -> np.ndarray:
    out = np.full(ACTIONS, 7, np.int8)  # every byte must be written
    planes = np.empty((COUNT, 64), np.uint8)
    OBSERVE(game.view(colour), game.ruleset.record()[0], level, planes, out)
    return out


@pytest.mark.parametrize("ruleset", RULESETS)
def test_in_random_games(ruleset: str) -> None:
    ends = decisions = smaller = 0
    for seed in range(10):
        rng = random.Random(f"masks {ruleset} {seed}")
        game = Game(RULESETS[ruleset], draw_start(rng))
        for _ in range(120):
            mover = game.to_play
            if mover is None:
                ends += 1
                break
            decisions += 1
            informed, own = mask_of(game, mover, INFORMED), mask_of(game, mover, OWN_BOARD)
            assert informed.any()
            assert set(own.tolist()) <= {0, 1}
            assert (informed <= own).all()
            assert set(np.flatnonzero(informed)) >= game.legal() - set(np.flatnonzero(own == 0))
            assert game.legal() <= set(np.flatnonzero(informed)) | {1858}
            smaller += int(informed.sum() < own.sum())
            assert (informed == game.mask(mover)).all()
            for level in (INFORMED, OWN_BOARD):
                assert not mask_of(game, not mover, level).any()
            legal = sorted(game.legal())
            game.ask(rng.choice(legal if rng.random() < 0.6 else np.flatnonzero(own).tolist()))
        if game.to_play is None:
            for colour in chess.COLORS:
                assert not mask_of(game, colour, INFORMED).any()
                assert not mask_of(game, colour, OWN_BOARD).any()
    assert decisions > 300
    assert smaller > 50
    assert ends >= 1


def mask_texts(game: Game, level: str) -> set[str]:
    from ks_env.core.actions import action_to_text

    assert game.to_play is not None
    found = np.flatnonzero(game.mask(game.to_play, level))  # type: ignore[arg-type]
    return {action_to_text(int(a), game.to_play) for a in found}


def removed(game: Game) -> set[str]:
    return mask_texts(game, "own-board") - mask_texts(game, "informed")


# -- the list of what the informed mask removes, item by item ------------------------------------------------


@pytest.mark.parametrize(
    ("fen", "tries", "gone"),
    [
        ("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", [], {"e2d3", "e2f3"}),  # (a)
        ("4k3/8/8/8/8/3p4/4P3/4K3 w - - 0 1", [], set()),  # (a) one was announced
        ("4k3/8/8/8/8/4n3/4P3/4K3 w - - 0 1", ["e2e3"], {"e2d3", "e2f3", "e2e3"}),  # (b)
        ("4k3/7p/8/8/r7/8/8/R3K3 w - - 0 1", ["a1a5"], {"a1a5", "a1a6", "a1a7", "a1a8"}),  # (g)
    ],
)
def test_what_is_removed_out_of_check(fen: str, tries: list[str], gone: set[str]) -> None:
    game = Game(fen=fen)
    for uci in tries:
        game.ask(uci)
    assert removed(game) == gone


def test_no_castling_when_in_check() -> None:
    """Item (c), and (e) for the rooks; the king's other moves stay."""
    gone = removed(Game(fen="4k3/7p/8/8/8/2b5/8/R3K2R w KQ - 0 1"))
    assert {"e1g1", "e1c1", "a1a4", "h1h2"} <= gone
    assert not any(text.startswith("e1") for text in gone - {"e1g1", "e1c1"})
    assert "a1a5" not in gone  # it lands on the line a5-e1
    free = removed(Game(fen="4k3/7p/8/8/8/3b4/8/R3K2R w KQ - 0 1"))
    assert free == set()


@pytest.mark.parametrize(
    ("fen", "kept", "gone"),
    [
        ("4k3/4r3/8/8/7b/8/8/3RK2R w - - 0 1", {"e1f1", "e1d2"}, {"h1h4", "d1d2"}),  # (d) double
        ("4k3/7p/8/8/8/3n4/8/R2QK3 w - - 0 1", {"d1d3", "e1f1"}, {"a1a2", "d1h5"}),  # (d) a knight
        ("4k3/4r3/8/8/8/8/8/R2QK3 w - - 0 1", {"d1e2", "e1f1"}, {"a1a2", "d1h5"}),  # (e) a line
        ("7r/8/8/2k5/3Pp3/8/B7/4K3 b - d3 0 1", {"e4d3"}, {"h8h7"}),  # (e) en passant shapes stay
    ],
)
def test_in_check(fen: str, kept: set[str], gone: set[str]) -> None:
    game = Game(fen=fen)
    informed, own = mask_texts(game, "informed"), mask_texts(game, "own-board")
    assert kept <= informed
    assert gone <= own - informed


def test_the_man_that_captured_stands_in_the_way() -> None:
    """Item (f): pawns straight ahead do not move onto it, and slides end on it."""
    game = Game(fen="4k3/8/8/2r5/8/2N5/2P5/2R1K3 b - - 0 1")
    game.ask("c5c3")
    assert removed(game) == {"c2c3", "c2b3", "c2d3"}  # the captures by (a)
    other = Game(fen="4k3/8/8/2r5/8/2N5/8/2R1K3 b - - 0 1")
    other.ask("c5c3")
    assert removed(other) == {"c1c4", "c1c5", "c1c6", "c1c7", "c1c8"}


def test_unless_the_capture_may_have_been_en_passant() -> None:
    """White's pawn has just gone c2-c4 and is taken there; whoever took may stand on c3 instead."""
    game = Game(fen="4k3/8/8/8/3p4/8/2P5/2R1K3 w - - 0 1")
    game.ask("c2c4")
    game.ask("d4c3")
    assert game.heard(chess.WHITE)[-1].square == chess.C4
    informed = mask_texts(game, "informed")
    assert {"c1c4", "c1c5", "c1c8"} <= informed


def test_a_direction_is_given_up_only_out_of_check() -> None:
    """Item (g) does not hold in check: a refused slide may have failed to parry."""
    fen = "4k3/8/8/q7/8/8/1R6/4K3 w - - 0 1"
    game = Game(fen=fen)
    game.ask("b2b3")
    assert "b2b4" in mask_texts(game, "informed")
