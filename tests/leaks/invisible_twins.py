"""Two games of invisible chess that one seat cannot tell apart, played on for as long as that lasts.

The seat puts the same tries to both referees. Its opponent plays another game in each, found among the
tries of which the seat hears the same: the same hidden man goes to another square, another impossible try
loses the turn, and before it there are other tries that are refused unheard.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterator

import chess
import numpy as np

from ks_env.belief.inputs import observe_game
from ks_env.core.answers import Kind
from ks_env.core.ruleset import Ruleset
from ks_env.games.invisible.announcement import Announcement
from ks_env.games.invisible.game import INVISIBLE, InvisibleGame
from ks_env.render import render_ansi
from tests.envs.play import fields_of
from tests.leaks.probes import LeakError
from tests.starts import draw_start

HIDDEN = ("2N v 2N", "Q v Q", "2B 2N v 2R", "R v R", "4P v 2P", "P N v P R", "8P 2N v 8P 2B Q", "B v B")
SEARCHED = 80  # tries of the opponent that are looked at
DRAWN = 12  # tries of the seat


def copied(game: InvisibleGame) -> InvisibleGame:
    """The same position under a referee of its own."""
    return game.copy()


def peek(game: InvisibleGame, action: int, listener: bool) -> Announcement | None:
    """What the listener would hear of a try."""
    other = copied(game)
    other.ask(action)
    return other._log[-1][0 if listener else 1]


def shown(game: InvisibleGame, seat: bool) -> dict[str, object]:
    """Everything that a seat is shown."""
    viewpoint = "white" if seat else "black"
    return {
        "view record": fields_of(game.view(seat)),
        "observation": observe_game(game, seat).tobytes(),
        "informed mask": game.mask(seat, "informed").tobytes(),
        "own-board mask": game.mask(seat, "own-board").tobytes(),
        "announcements in words": [heard.text() for heard in game.heard(seat)],
        "board": game.seen_board(seat).epd(),
        "picture": render_ansi(game, viewpoint),  # type: ignore[arg-type]
        "turn and result": (game.to_play, game.winner, game.reason, game.plies),
    }


class InvisibleTwins:
    """A pair of games with the same history for `seat`; `asked` are the tries put to each."""

    def __init__(self, start: InvisibleGame, hidden: str, seat: bool) -> None:
        self.seat, self.hidden = seat, hidden
        self.games = (start, copied(start))
        self.asked: tuple[list[int], list[int]] = ([], [])
        self.differences: dict[str, int] = defaultdict(int)

    @property
    def over(self) -> bool:
        return self.games[0].to_play is None or self.games[1].to_play is None

    def same_history(self) -> bool:
        """Whether the seat has heard the same in both."""
        a, b = self.games
        return a.heard(self.seat) == b.heard(self.seat)

    def differ(self) -> bool:
        """Whether the opponent's hidden men stand on other squares."""
        a, b = (game.hidden_squares(not self.seat) for game in self.games)
        return a != b

    def compare(self) -> None:
        """Raise `LeakError` where the seat is shown something else; count what differs out of its sight."""
        first, second = (shown(game, self.seat) for game in self.games)
        for name in first:
            if first[name] != second[name]:
                raise LeakError(f"{name} of {chess.COLOR_NAMES[self.seat]} differs\n{self.transcript()}")
        a, b = (shown(game, not self.seat) for game in self.games)
        self.differences["comparisons"] += 1
        self.differences["hidden men"] += self.differ()
        for name in a:  # what the other one, the owner of the men, is shown
            self.differences[f"owner's {name}"] += a[name] != b[name]

    def transcript(self) -> str:
        fen = self.games[0].start_fen
        return f"{self.hidden}, seat {chess.COLOR_NAMES[self.seat]}, start {fen}, actions {self.asked}"

    def ask(self, game: int, action: int) -> None:
        self.asked[game].append(action)
        self.games[game].ask(action)

    def advance(self, rng: random.Random) -> bool:
        """One try of the seat, or one turn of its opponent; False where none was found to go on with."""
        over = self.over
        if over:
            return False
        if self.games[0].to_play == self.seat:
            return self._own_try(rng)
        for game in range(2):
            self._unheard(rng, game, rng.choice((0, 0, 1, 3)))
        return not self.over and self._turns(rng)

    def _own_try(self, rng: random.Random) -> bool:
        a, b = self.games
        both = sorted(a.legal() & b.legal())
        own = np.flatnonzero(a.mask(self.seat, "own-board")).tolist()
        for _ in range(DRAWN):
            pool = rng.choices((both, own, list(range(1859))), (6, 3, 0.3))[0]
            if not pool:
                continue
            action = rng.choice(pool)
            if peek(a, action, self.seat) == peek(b, action, self.seat):
                self.ask(0, action)
                self.ask(1, action)
                return True
        return False

    def _unheard(self, rng: random.Random, game: int, number: int) -> None:
        """Tries of the opponent that are refused, of which the seat hears nothing."""
        for _ in range(number):
            action = rng.randrange(1858)
            if peek(self.games[game], action, self.seat) is None:
                self.ask(game, action)
                self.differences["tries not heard"] += 1

    def _turns(self, rng: random.Random) -> bool:
        """A turn of the opponent in each game, another one if possible, of which the seat hears the same."""
        found = []
        for game in self.games:
            heard: dict[Announcement, list[int]] = defaultdict(list)
            own = np.flatnonzero(game.mask(not self.seat, "own-board")).tolist()
            for action in rng.sample(own, min(len(own), SEARCHED)):
                words = peek(game, action, self.seat)
                if words is not None:
                    heard[words].append(action)
            found.append(heard)
        both = [words for words in found[0] if words in found[1]]
        if not both:
            return False
        unseen = [words for words in both if words.mover or words.kind is Kind.LOST]
        words = rng.choice(unseen if unseen and rng.random() < 0.8 else both)
        first = rng.choice(found[0][words])
        others = [action for action in found[1][words] if action != first]
        second = rng.choice(others or [first])
        self.differences["lost turns with other tries"] += words.kind is Kind.LOST and first != second
        self.ask(0, first)
        self.ask(1, second)
        return True


def drawn_start(rng: random.Random, ruleset: Ruleset = INVISIBLE) -> tuple[InvisibleGame, str]:
    """A game from a start that has some set of hidden men."""
    while True:
        hidden = rng.choice(HIDDEN)
        try:
            return InvisibleGame(hidden, ruleset, draw_start(rng)), hidden
        except ValueError:  # there are not so many men
            continue


def invisible_twins(number: int, seed: int, most_turns: int = 40) -> Iterator[InvisibleTwins]:
    """Pairs played on and compared after every step; each is given when it has come to its end."""
    for count in range(number):
        rng = random.Random(f"invisible twins {seed} {count}")
        pair = InvisibleTwins(*drawn_start(rng), rng.random() < 0.5)
        for _ in range(most_turns):
            if not pair.advance(rng) or not pair.same_history():
                break
            pair.compare()
        yield pair
