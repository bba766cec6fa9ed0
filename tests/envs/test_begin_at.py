"""Games of a batch that are begun at chosen start positions."""

import numpy as np

from ks_env import SelfPlayVectorEnv
from ks_env.core.ruleset import ICC
from ks_env.games.kriegspiel.game import Game
from tests.seats import observe_game

FENS = [
    "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1",
    "4k3/8/8/8/8/8/4P3/4K3 b - - 0 1",
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
]


def test_rows_begin_where_they_are_told_and_the_others_go_on() -> None:
    env = SelfPlayVectorEnv(4, start=FENS, autoreset_mode="Disabled")
    engine = env.engine
    env.reset(seed=1)
    engine.begin_at(np.arange(4), np.array([0, 1, 2, 0]))
    games = [Game(ICC, FENS[start]) for start in (0, 1, 2, 0)]
    check(env, games)
    for game in games:
        game.ask("e4d5" if game.start_fen == FENS[0] else "e8e7" if game.start_fen == FENS[1] else "e2e4")
    first = [Game.log(game) for game in games]
    assert all(len(log) == 1 for log in first)
    actions = [log[0][0 if game.start_fen != FENS[1] else 1] for log, game in zip(first, games, strict=True)]
    env.step(np.array([said.action for said in actions if said is not None]))
    check(env, games)
    engine.begin_at(np.array([2, 0]), np.array([1, 2]))
    games[2], games[0] = Game(ICC, FENS[1]), Game(ICC, FENS[2])
    check(env, games)
    assert env.engine.batch.tally["tries"].sum(1).tolist() == [0, 1, 0, 1]


def check(env: SelfPlayVectorEnv, games: list[Game]) -> None:
    """Each row shows what the side to move sees of its game."""
    buffers, batch = env.engine.buffers, env.engine.batch
    for row, game in enumerate(games):
        colour = bool(game.to_play)
        assert batch.seats[row] == (0 if colour else 1)
        assert (buffers.observations[row].reshape(-1, 8, 8) == observe_game(game, colour)).all()
        assert (buffers.masks[row] == game.mask(colour)).all()
        assert batch.history[row, 0] == game._history[0, 0]
        assert not batch.ended[row]
