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

from ks_env.core.ruleset import Ruleset
from ks_env.games.invisible.game import INVISIBLE, InvisibleGame
from ks_env.render import render_ansi
from tests.envs.play import fields_of
from tests.leaks.probes import LeakError
from tests.oracle.invisible import InvisibleOracle
from tests.oracle.invisible_seat import Heard
from tests.seats import observe_game
from tests.starts import draw_start

HIDDEN = ("2N v 2N", "Q v Q", "2B 2N v 2R", "R v R", "4P v 2P", "P N v P R", "8P 2N v 8P 2B Q", "B v B")
SEARCHED = 32  # tries of the opponent that are looked at
DRAWN = 12  # tries of the seat


def shown(game: InvisibleGame, seat: bool) -> dict[str, object]:
    """Everything that a seat is shown."""
    viewpoint = "white" if seat else "black"
    return {
        "view record": fields_of(game.view(seat)),
        "observation": observe_game(game, seat).tobytes(),
        "informed mask": game.mask(seat, "informed").tobytes(),
        "own-board mask": game.mask(seat, "own-board").tobytes(),
        "board": sorted(vars(game.seen_board(seat)).items()),
        "picture": render_ansi(game, viewpoint),  # type: ignore[arg-type]
        "turn and result": (game.to_play, game.winner, game.reason, game.plies),
    }


class InvisibleTwins:
    """A pair of games with the same history for `seat`; `asked` are the tries put to each.

    `games` are the compiled referee's, `oracles` the independent one's, which judges the history.
    """

    def __init__(self, start: InvisibleGame, hidden: str, seat: bool) -> None:
        self.seat, self.hidden = seat, hidden
        self.games = (start, start.copy())
        self.oracles = tuple(_oracle_of(start) for _ in range(2))
        self.asked: tuple[list[int], list[int]] = ([], [])
        self.differences: dict[str, int] = defaultdict(int)
        self.compared = 0  # announcements whose words were found the same

    @property
    def over(self) -> bool:
        return bool(self.oracles[0].reason or self.oracles[1].reason)

    def same_history(self) -> bool:
        """Whether the seat has heard the same in both, by the oracle."""
        a, b = self.oracles
        return a.heard[self.seat] == b.heard[self.seat]

    def differ(self) -> bool:
        """Whether the opponent's hidden men stand on other squares."""
        a, b = (self._hidden_men(oracle) for oracle in self.oracles)
        return a != b

    def _hidden_men(self, oracle: InvisibleOracle) -> dict[int, int]:
        own = oracle.board.occupied_co[not self.seat]
        return {number: square for square, number in oracle.number.items() if own >> square & 1}

    def compare(self, owners: bool = True) -> None:
        """Count what differs out of the seat's sight; with `owners`, what the men's owner is shown, too.

        Raises:
            LeakError: the seat is shown something else.
        """
        first, second = (shown(game, self.seat) for game in self.games)
        for name in first:
            if first[name] != second[name]:
                raise LeakError(f"{name} of {chess.COLOR_NAMES[self.seat]} differs\n{self.transcript()}")
        self._compare_announcements()
        self.differences["comparisons"] += 1
        self.differences["hidden men"] += self.differ()
        if owners:
            a, b = (shown(game, not self.seat) for game in self.games)
            for name in a:
                self.differences[f"owner's {name}"] += a[name] != b[name]

    def _compare_announcements(self) -> None:
        heard = [game.heard(self.seat) for game in self.games]
        new = [each[self.compared :] for each in heard]
        told = [
            (len(every), repr(each), [a.text() for a in each]) for every, each in zip(heard, new, strict=True)
        ]
        if told[0] != told[1]:
            raise LeakError(f"announcements differ from {self.compared} on\n{self.transcript()}")
        self.compared = len(heard[0])

    def transcript(self) -> str:
        fen = self.games[0].start_fen
        return f"{self.hidden}, seat {chess.COLOR_NAMES[self.seat]}, start {fen}, actions {self.asked}"

    def ask(self, game: int, action: int) -> None:
        self.asked[game].append(action)
        self.oracles[game].ask(action)
        self.games[game].ask(action)

    def advance(self, rng: random.Random) -> bool:
        """One try of the seat, or one turn of its opponent; False where none was found to go on with."""
        over = self.over
        if over:
            return False
        if self.oracles[0].board.turn == self.seat:
            return self._own_try(rng)
        for game in range(2):
            self._unheard(rng, game, rng.choice((0, 0, 1, 3)))
        return not self.over and self._turns(rng)

    def _own_try(self, rng: random.Random) -> bool:
        a, b = self.oracles
        both = sorted(a.legal() & b.legal())
        own = sorted(a.shaped())
        for _ in range(DRAWN):
            pool = rng.choices((both, own, list(range(1859))), (6, 3, 0.3))[0]
            if not pool:
                continue
            action = rng.choice(pool)
            if a.would_hear(action)[0] == b.would_hear(action)[0]:
                self.ask(0, action)
                self.ask(1, action)
                return True
        return False

    def _unheard(self, rng: random.Random, game: int, number: int) -> None:
        """Tries of the opponent that are refused, of which the seat hears nothing."""
        for _ in range(number):
            action = rng.randrange(1858)
            if not self.over and self.oracles[game].would_hear(action)[1] is None:
                self.ask(game, action)
                self.differences["tries not heard"] += 1

    def _turns(self, rng: random.Random) -> bool:
        """A turn of the opponent in each game, another one if possible, of which the seat hears the same."""
        found = []
        for oracle in self.oracles:
            heard: dict[Heard, list[int]] = defaultdict(list)
            own = sorted(oracle.shaped())
            for action in rng.sample(own, min(len(own), SEARCHED)):
                words = oracle.would_hear(action)[1]
                if words is not None:
                    heard[words].append(action)
            found.append(heard)
        both = [words for words in found[0] if words in found[1]]
        if not both:
            return False
        unseen = [words for words in both if words.mover or words.kind == "lost"]
        words = rng.choice(unseen if unseen and rng.random() < 0.8 else both)
        first = rng.choice(found[0][words])
        others = [action for action in found[1][words] if action != first]
        second = rng.choice(others or [first])
        self.differences["lost turns with other tries"] += words.kind == "lost" and first != second
        self.ask(0, first)
        self.ask(1, second)
        return True


def _oracle_of(game: InvisibleGame) -> InvisibleOracle:
    """The independent referee of a game that has just begun, by the squares that it names."""
    men = (game.hidden_squares(colour) for colour in chess.COLORS)
    white, black = (list(squares.values()) for squares in men)
    rules = game.ruleset
    return InvisibleOracle(
        game.start_fen,
        white,
        black,
        max_plies=rules.max_plies,
        max_tries=rules.max_tries,
        threefold=rules.threefold,
        fifty_moves=rules.fifty_moves,
    )


def drawn_start(rng: random.Random, ruleset: Ruleset = INVISIBLE) -> tuple[InvisibleGame, str]:
    """A game from a start that has some set of hidden men."""
    while True:
        hidden = rng.choice(HIDDEN)
        try:
            return InvisibleGame(hidden, ruleset, draw_start(rng)), hidden
        except ValueError:  # there are not so many men
            continue


def invisible_pair(seed: object, most_turns: int = 40, owners: bool = False) -> InvisibleTwins:
    """A pair played on and compared after every step, given when it has come to its end."""
    rng = random.Random(f"invisible twins {seed}")
    pair = InvisibleTwins(*drawn_start(rng), rng.random() < 0.5)
    for _ in range(most_turns):
        if not pair.advance(rng) or not pair.same_history():
            break
        pair.compare(owners)
    return pair


def invisible_twins(number: int, seed: int) -> Iterator[InvisibleTwins]:
    """So many of these pairs, compared with what the men's owner is shown."""
    for count in range(number):
        yield invisible_pair(f"{seed} {count}", owners=True)
