"""The players `random` and `capture` in invisible chess, alone and inside the environments."""

from __future__ import annotations

from collections import Counter
from functools import partial

import chess
import numpy as np
import pytest
from scipy import stats

from ks_env.core.actions import action_to_text
from ks_env.core.answers import Kind
from ks_env.envs.vector import GameVectorEnv
from ks_env.games import serves
from ks_env.games.invisible import INVISIBLE_CHESS
from ks_env.games.invisible.game import InvisibleGame
from ks_env.games.kriegspiel import KRIEGSPIEL
from ks_env.games.opening import Opening
from ks_env.players import Player, make_player
from ks_env.players.protocol import BatchPlayer
from ks_env.players.registry import check_plays, players_of
from ks_env.players.rows import PlayerRows
from tests.envs.play import draw

STRICT = 1e-4  # of the chi-square tests, whose seeds are fixed


def seated(name: str, game: InvisibleGame, colour: bool, seed: int) -> Player:
    player = make_player(name)
    player.begin(Opening.of(game, colour, seed))
    return player


def chosen(name: str, game: InvisibleGame, draws: int = 200) -> Counter[str]:
    """What the player to move tries in this position, by frequency; the game is left alone."""
    mover = game.to_play
    assert mover is not None
    player, view = seated(name, game, mover, 5), game.view(mover)
    return Counter(action_to_text(player.choose(view), mover) for _ in range(draws))


def played(hidden: str, fen: str, *tries: str) -> InvisibleGame:
    game = InvisibleGame(hidden, fen=fen)
    for uci in tries:
        game.ask(uci)
    return game


@pytest.mark.parametrize("hidden", ["2B v 2B", "none v none", "8P v 2N Q"])
def test_random_is_uniform_over_the_informed_mask(hidden: str) -> None:
    game = played(hidden, chess.STARTING_FEN, "e2e4", "d7d5")
    allowed = np.flatnonzero(game.mask(chess.WHITE)).tolist()
    player, view = seated("random", game, chess.WHITE, 1), game.view(chess.WHITE)
    counts = Counter(player.choose(view) for _ in range(40 * len(allowed)))
    assert set(counts) == set(allowed)
    assert stats.chisquare([counts[action] for action in allowed]).pvalue > STRICT


def test_capture_takes_what_it_sees_and_what_certainly_stands_there() -> None:
    fen = "4k3/7p/8/3r4/4P3/8/8/R3K3 w - - 0 1"
    assert set(chosen("capture", played("none v none", fen))) == {"e4d5"}
    assert set(chosen("capture", played("none v R", fen))) == {"e4d5"}  # hidden, but the start is public
    moved = played("none v R", fen, "a1a2", "d5c5")
    tries = chosen("capture", moved, 600)
    assert len(tries) > 10  # nobody knows where the rook is: any try, pawn captures by chance among them
    assert set(tries) == {
        action_to_text(int(a), chess.WHITE) for a in np.flatnonzero(moved.mask(chess.WHITE))
    }


def test_capture_takes_back() -> None:
    """A hidden man that has captured stands where it did so, until it moves."""
    game = played("none v R", "4k3/7p/8/3r4/3N4/4P3/8/4K3 b - - 0 1", "d5d4")
    assert set(chosen("capture", game)) == {"e3d4"}


@pytest.mark.parametrize("name", ["random", "capture"])
def test_all_tries_are_in_the_informed_mask(name: str) -> None:
    answers: Counter[Kind] = Counter()
    for seed in range(8):
        game = InvisibleGame("2N 2B v Q 2R")
        players = {colour: seated(name, game, colour, seed) for colour in chess.COLORS}
        for _ in range(150):
            if game.to_play is None:
                break
            action = players[game.to_play].choose(game.view(game.to_play))
            assert game.mask(game.to_play)[action]
            answers[game.ask(action).kind] += 1
    assert set(answers) == {Kind.MOVED, Kind.LOST, Kind.ILLEGAL}


def test_capture_beats_random() -> None:
    """Inside the kernels: a learner that plays at random loses to it more often than it wins."""
    envs = partial(GameVectorEnv, game="InvisibleChess")(
        64, "capture", hidden="2B v 2B", autoreset_mode="SameStep"
    )
    rng, won, lost = np.random.default_rng(1), 0, 0
    _, infos = envs.reset(seed=1)
    for _ in range(400):
        _, rewards, *_, infos = envs.step(draw(infos["action_mask"], rng))
        won, lost = won + int((rewards > 0).sum()), lost + int((rewards < 0).sum())
    assert lost > 2 * won


def test_who_plays_what() -> None:
    assert {"random", "capture"} <= set(players_of(INVISIBLE_CHESS)) & set(players_of(KRIEGSPIEL))
    player = make_player("capture")
    assert serves(player, INVISIBLE_CHESS)
    check_plays(player, KRIEGSPIEL)
    assert isinstance(PlayerRows(lambda: make_player("capture"), INVISIBLE_CHESS), BatchPlayer)
    with pytest.raises(ValueError, match="the player 'nobody' does not play InvisibleChess; expected one of"):
        check_plays(type("Nobody", (), {"name": "nobody", "begin": None})(), INVISIBLE_CHESS)
