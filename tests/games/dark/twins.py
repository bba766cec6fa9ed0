"""Pairs of games of dark chess that look the same to a seat, found with the second referee.

The seat puts the same tries to both; its opponent plays another move in each, among those after which the
seat sees the same and hears the same.
"""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from typing import Any

from ks_env.games.dark.game import DarkGame
from ks_env.render import render_ansi, render_svg
from tests.games.dark.duel import planes
from tests.games.dark.oracle import DarkOracle
from tests.leaks.probes import LeakError
from tests.oracle.actions import COUNT

SEARCHED = 24  # moves of the opponent that are looked at


def fields_of(record: Any) -> dict[str, bytes]:
    """A record by field, without the bytes between them."""
    return {name: record[name].tobytes() for name in record.dtype.names}


def pictures(game: DarkGame, seat: bool) -> dict[str, object]:
    """The pictures that a seat is shown, which take the most time."""
    name: Any = "white" if seat else "black"
    return {"pictures": (render_ansi(game, name), render_svg(game, name))}


def shown(game: DarkGame, seat: bool) -> dict[str, object]:
    """Everything else that a seat is shown."""
    return {
        "view": fields_of(game.view(seat)),
        "observation": planes(game, seat).tobytes(),
        "masks": (game.mask(seat).tobytes(), game.mask(seat, "own-board").tobytes()),
        "announcements": repr(game.heard(seat)),
        "words": [heard.text() for heard in game.heard(seat)],
        "board": sorted(vars(game.seen_board(seat)).items()),
        "turn and result": (game.to_play, game.winner, game.reason, game.plies),
    }


def percept(oracle: DarkOracle, seat: bool) -> object:
    """What a seat sees and has been told, by the second referee."""
    own = oracle.seats[seat]
    return own.seen, tuple(oracle.in_sight(seat)), own.heard[-1], len(own.heard)


class Twins:
    """A pair of games that look the same to `seat`; `asked` are the tries put to each."""

    def __init__(self, fen: str, seat: bool) -> None:
        self.seat, self.fen = seat, fen
        self.oracles = [DarkOracle(fen), DarkOracle(fen)]
        self.games = [DarkGame(fen=fen), DarkGame(fen=fen)]
        self.asked: tuple[list[int], list[int]] = ([], [])
        self.comparisons = 0
        self.differences: Counter[str] = Counter()

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
            tried = oracle.copy()
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
                tried = oracle.copy()
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

    def compare(self) -> None:
        """Count in what the games differ out of the seat's sight. Of nine comparisons one has the pictures.

        Raises:
            LeakError: it is shown different bytes.
        """
        drawn = self.comparisons % 9 == 0
        a, b = (shown(game, self.seat) | (pictures(game, self.seat) if drawn else {}) for game in self.games)
        for name in a:
            if a[name] != b[name]:
                raise LeakError(f"{name} differs: dark chess, {self.fen}, seat {self.seat}, {self.asked}")
        own, other = (planes(game, not self.seat).tobytes() for game in self.games)
        self.comparisons += 1
        first, second = (oracle.position.identity() for oracle in self.oracles)
        self.differences["placement"] += first != second
        self.differences["what the other sees"] += own != other
        self.differences += Counter()  # without those that are zero


def dark_twins(seed: object, fen: str, most_turns: int = 24) -> Twins:
    """A pair played on until it can no longer be kept alike, compared after every step."""
    rng = random.Random(f"dark twins {seed} {fen}")
    pair = Twins(fen, rng.random() < 0.5)
    for _ in range(most_turns):
        if not pair.advance(rng):
            break
        pair.compare()
    return pair
