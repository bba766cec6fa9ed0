"""The Maximiser: tries within its mask, the same game for the same seed, weights that matter."""

from __future__ import annotations

import random
from functools import partial

import chess
import numpy as np
import pytest
from ks_arena.match.play import play_game
from ks_arena.study.config import StudyConfig
from ks_arena.study.schedule import field_of, jobs_of_pair
from ks_baselines.advisors import AdvisorsPlayer

from ks_env.envs.solo import GameEnv
from ks_env.envs.vector import GameVectorEnv
from ks_env.games import serves
from ks_env.games.invisible.game import InvisibleGame
from ks_env.games.invisible.hidden import HiddenMen
from ks_env.games.kriegspiel import KRIEGSPIEL
from ks_env.games.opening import Opening
from ks_env.players import Player, make_player
from tests.envs.play import draw
from tests.leaks.invisible_twins import InvisibleTwins, drawn_start

FAST = "advisors:depth=1,boards=2"


def play(name: str, seed: int, hidden: str = "2B N v 2N B", turns: int = 40) -> list[int]:
    """A game of the player against itself; its tries, each held against the mask."""
    game, asked = InvisibleGame(hidden), []
    players: dict[bool, Player] = {}
    for colour in chess.COLORS:
        player = make_player(name)
        player.begin(Opening.of(game, colour, seed + colour))
        players[colour] = player
    while game.to_play is not None and game.plies < turns:
        mover = game.to_play
        action = players[mover].choose(game.view(mover))
        assert game.mask(mover)[action]
        asked.append(action)
        game.ask(action)
    return asked


def test_same_seed_same_game() -> None:
    assert play(f"{FAST},hide=20,seek=20", 1) == play(f"{FAST},hide=20,seek=20", 1)
    assert play(FAST, 1) != play(FAST, 2)


@pytest.mark.parametrize("weight", ["hide", "seek"])
def test_a_weight_changes_play(weight: str) -> None:
    assert play(f"{FAST},{weight}=100", 1) != play(FAST, 1)


def test_a_player_is_used_again() -> None:
    """What it remembers of a game does not reach the next one."""
    player: object = make_player(f"{FAST},hide=9,seek=9")
    choices: list[list[int]] = []
    assert isinstance(player, Player)
    for _ in range(2):
        game = InvisibleGame("2N v 2N")
        player.begin(Opening.of(game, chess.WHITE, 3))
        found = []
        while game.to_play is not None and game.plies < 24:
            if game.to_play:
                found.append(player.choose(game.view(chess.WHITE)))
                game.ask(found[-1])
            else:
                game.ask(sorted(game.legal())[0])
        choices.append(found)
    assert choices[0] == choices[1]


def test_the_sum_of_the_advice() -> None:
    player = AdvisorsPlayer("test", depth=1, noise=0.0, hide=3.0, seek=7.0)
    game = InvisibleGame("2N v 2N")
    player.begin(Opening.of(game, chess.WHITE, 0))
    advice = player.advise(game.view(chess.WHITE))
    by_hand = advice.strategic + 3 * np.exp(advice.hide) + 7 * np.exp(advice.seek)
    assert advice.total == pytest.approx(by_hand)
    assert player.choose(game.view(chess.WHITE)) == advice.tries[int(np.argmax(by_hand))]
    assert player.nodes > 0


def test_it_takes_what_hangs_and_mates() -> None:
    for fen, hidden, best in (
        ("4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1", "none v none", "e4d5"),
        ("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", "R v none", "a1a8"),
    ):
        game, player = InvisibleGame(hidden, fen=fen), AdvisorsPlayer("test", depth=2)
        player.begin(Opening.of(game, chess.WHITE, 0))
        heard = InvisibleGame(hidden, fen=fen).ask(best)
        assert player.choose(game.view(chess.WHITE)) == heard.action


BAD = {
    "advisors:depth=0": "depth is 0; expected an integer from 1 to",
    "advisors:depth=99": "depth is 99; expected an integer from 1 to",
    "advisors:boards=0": "boards is 0; expected an integer from 1 to 1,000,000",
    "advisors:noise=-1": "noise is -1; expected a number of at least 0",
    "advisors:room=0": "room is 0; expected an integer of at least 1",
    "advisors:width=3": "unknown parameter 'width' of advisors; expected one of depth, boards",
    "advisors:hide=much": "hide is 'much'; expected a number",
    "advisors:depth=2.5": "depth is 2.5; expected an integer",
    "advisors:boards=x": "boards is 'x'; expected an integer",
    "advisors:seek=1e999": "seek is .*; expected a number",
    "advisors:seek=-1e999": "seek is .*; expected a number",
}


@pytest.mark.parametrize("name", BAD)
def test_bad_parameters(name: str) -> None:
    with pytest.raises(ValueError, match=BAD[name]):
        make_player(name)


def test_it_plays_no_kriegspiel() -> None:
    assert not serves(make_player(FAST), KRIEGSPIEL)
    with pytest.raises(ValueError, match=r"'advisors.*does not play Kriegspiel; expected one of"):
        GameEnv(opponent=FAST)


def test_it_is_an_opponent_in_the_environments() -> None:
    rng = np.random.default_rng(1)
    envs = partial(GameVectorEnv, game="InvisibleChess")(3, f"{FAST},seek=5", hidden="2N v 2N")
    _, infos = envs.reset(seed=1)
    for _ in range(30):
        *_, infos = envs.step(draw(infos["action_mask"], rng))
    assert (envs.engine.batch.games["truth"]["plies"] > 1).any()  # it has answered
    envs.close()
    env = partial(GameEnv, game="InvisibleChess")(opponent=f"{FAST},hide=5", hidden="2N v 2N")
    _, info = env.reset(seed=1)
    for _ in range(30):
        action = rng.choice(np.flatnonzero(info["action_mask"]))
        _, _, over, cut, info = env.step(action)
        assert over or cut or info["action_mask"].any()  # it has answered
        if over or cut:
            _, info = env.reset()
    env.close()


def test_it_plays_in_the_arena() -> None:
    players = [
        {"player": f"{FAST},hide=5", "label": "A", "hidden": "2N"},
        {"player": FAST, "label": "B", "hidden": "B"},
    ]
    config = StudyConfig(
        name="test",
        game="InvisibleChess",
        tournament={"kind": "round-robin", "players": players},
        games=2,
        ruleset_options={"max_plies": 30},
    )
    names = {entry["label"]: entry["player"] for entry in players}
    for job in jobs_of_pair(config, names, field_of(config).pairings[0], 0):
        result = play_game(job)
        assert not result.fault
        assert all(work.nodes for work in result.work)


def test_it_sees_nothing_but_its_view() -> None:
    """In two games that its seat cannot tell apart it makes the same tries."""
    compared = 0
    for seed in range(6):
        rng = random.Random(f"advisors twins {seed}")
        pair = InvisibleTwins(*drawn_start(rng), rng.random() < 0.5)
        players = [AdvisorsPlayer("twin", depth=1, boards=2, hide=5.0, seek=5.0) for _ in range(2)]
        for game, player in zip(pair.games, players, strict=True):
            player.begin(Opening.of(game, pair.seat, 1))
        for _ in range(30):
            if pair.games[0].to_play == pair.seat:
                views = [game.view(pair.seat) for game in pair.games]
                one, other = (p.choose(v) for p, v in zip(players, views, strict=True))
                assert one == other
                compared += 1
            if not pair.advance(rng) or not pair.same_history():
                break
    assert compared > 30


def test_with_nothing_hidden_there_is_nothing_to_advise() -> None:
    game = InvisibleGame((HiddenMen.parse("none"), HiddenMen.parse("none")))
    player = AdvisorsPlayer("chess", depth=1, hide=9.0, seek=9.0)
    player.begin(Opening.of(game, chess.WHITE, 0))
    advice = player.advise(game.view(chess.WHITE))
    assert not advice.hide.any()
    assert not advice.seek.any()
