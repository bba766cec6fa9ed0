"""Two games that a seat cannot tell apart show it the same bytes, whatever its opponent does unseen.

The seat puts the same tries to both referees; its opponent plays another move in each, found with the second
referee among those after which the seat sees the same and hears the same.
"""

from __future__ import annotations

import copy
import random
from collections import Counter, defaultdict
from typing import Any

import chess
import numpy as np
import pytest

from ks_env.envs.aec import raw_env
from ks_env.games.dark.game import DarkGame
from ks_env.render import render_ansi, render_svg
from tests.games.dark.duel import planes
from tests.games.dark.oracle import DarkOracle
from tests.oracle.actions import COUNT
from tests.starts import LISTED

SEARCHED = 24  # moves of the opponent that are looked at
STARTS = (chess.STARTING_FEN, LISTED[5], LISTED[19], LISTED[25])


def fields_of(record: Any) -> dict[str, bytes]:
    """A record by field, without the bytes between them."""
    return {name: record[name].tobytes() for name in record.dtype.names}


def shown(game: DarkGame, seat: bool) -> dict[str, object]:
    """Everything that a seat is shown."""
    name: Any = "white" if seat else "black"
    return {
        "view": fields_of(game.view(seat)),
        "observation": planes(game, seat).tobytes(),
        "masks": (game.mask(seat).tobytes(), game.mask(seat, "own-board").tobytes()),
        "announcements": repr(game.heard(seat)),
        "words": [heard.text() for heard in game.heard(seat)],
        "board": game.seen_board(seat).fen(),
        "pictures": (render_ansi(game, name), render_svg(game, name)),
        "turn and result": (game.to_play, game.winner, game.reason, game.plies),
    }


def percept(oracle: DarkOracle, seat: bool) -> object:
    """What a seat sees and has been told, by the second referee."""
    own = oracle.seats[seat]
    return frozenset(own.seen), frozenset(oracle.in_sight(seat).items()), own.heard[-1], len(own.heard)


class Twins:
    """A pair of games that look the same to `seat`; `asked` are the tries put to each."""

    def __init__(self, fen: str, seat: bool) -> None:
        self.seat, self.fen = seat, fen
        self.oracles = [DarkOracle(fen), DarkOracle(fen)]
        self.games = [DarkGame(fen=fen), DarkGame(fen=fen)]
        self.asked: tuple[list[int], list[int]] = ([], [])

    def ask(self, number: int, action: int) -> None:
        self.asked[number].append(action)
        self.oracles[number].ask(action)
        self.games[number].ask(action)

    def advance(self, rng: random.Random) -> bool:
        """A try of the seat, or a turn of its opponent; False where none keeps the games alike."""
        first, second = self.oracles
        if first.to_play is None or second.to_play is None:
            return False
        if first.to_play == self.seat:
            pool = sorted(first.legal()) if rng.random() < 0.8 else sorted(first.own_board())
            return self._same(rng.choice([*pool[:60], rng.randrange(COUNT)]) if pool else 0)
        for number in range(2):
            for _ in range(rng.choice((0, 0, 2))):
                hopeless = rng.randrange(COUNT)
                if hopeless not in self.oracles[number].legal():
                    self.ask(number, hopeless)
        return self._another(rng)

    def _same(self, action: int) -> bool:
        after = []
        for oracle in self.oracles:
            tried = copy.deepcopy(oracle)
            tried.ask(action)
            after.append(percept(tried, self.seat))
        if after[0] != after[1]:
            return False
        for number in range(2):
            self.ask(number, action)
        return True

    def _another(self, rng: random.Random) -> bool:
        """A move of the opponent in each game, another one if possible, after which all looks the same."""
        found = []
        for oracle in self.oracles:
            after: dict[object, list[int]] = defaultdict(list)
            legal = sorted(oracle.legal())
            for action in rng.sample(legal, min(len(legal), SEARCHED)):
                tried = copy.deepcopy(oracle)
                tried.ask(action)
                after[percept(tried, self.seat)].append(action)
            found.append(after)
        both = [seen for seen in found[0] if seen in found[1]]
        if not both:
            return False
        seen = max(both, key=lambda one: len(found[0][one]) + len(found[1][one]))
        first = rng.choice(found[0][seen])
        others = [action for action in found[1][seen] if action != first]
        self.ask(0, first)
        self.ask(1, rng.choice(others or [first]))
        return True


def compared(seed: int, fen: str) -> tuple[Twins, Counter[str]]:
    """A pair played on until it can no longer be kept alike, compared after every step."""
    rng = random.Random(f"dark twins {seed} {fen}")
    pair, count = Twins(fen, rng.random() < 0.5), Counter[str]()
    for _ in range(24):
        if not pair.advance(rng):
            break
        a, b = (shown(game, pair.seat) for game in pair.games)
        for name in a:
            assert a[name] == b[name], (name, fen, pair.seat, pair.asked)
        own, other = (shown(game, not pair.seat) for game in pair.games)
        count["compared"] += 1
        count["boards differ"] += pair.games[0].board().board_fen() != pair.games[1].board().board_fen()
        count["owner sees another thing"] += own["observation"] != other["observation"]
    return pair, count


@pytest.mark.parametrize("fen", STARTS)
def test_a_seat_is_shown_the_same(fen: str) -> None:
    count: Counter[str] = Counter()
    for seed in range(4):
        count += compared(seed, fen)[1]
    assert count["compared"] > 10
    assert count["boards differ"] > 4
    assert count["owner sees another thing"] > 4


def test_an_environment_shows_the_same() -> None:
    for seed in range(2):
        pair, _ = compared(seed, chess.STARTING_FEN)
        agent = "white" if pair.seat else "black"
        told = []
        for asked in pair.asked:
            env = raw_env(game="DarkChess", render_mode="svg", viewpoint=agent, encoder=None)
            env.reset(seed=1)
            said = []
            for action in asked:
                if env.agent_selection == agent:  # a refused try of the other one does not count
                    said.append(_bytes(env, agent))
                env.step(action)
            said.append(_bytes(env, agent))
            told.append(said)
        assert told[0] == told[1]


def _bytes(env: Any, agent: str) -> tuple[object, ...]:
    observation = env.observe(agent)
    infos = {name: np.asarray(value).tobytes() for name, value in env.infos[agent].items()}
    return observation["observation"].tobytes(), observation["action_mask"].tobytes(), infos, env.render()
