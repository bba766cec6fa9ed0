"""Two games that one seat cannot tell apart, played on for as long as that lasts.

The seat puts the same tries to both referees; its opponent plays another game in each, found by search among
the moves that give the seat the same announcement, with other numbers of tries that the seat does not hear.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping

import chess

from ks_env.belief.encoders import Encoder
from ks_env.belief.inputs import SeatPlanes
from ks_env.belief.location.encoder import LocationEncoder
from ks_env.belief.metaposition.encoder import MetapositionEncoder
from ks_env.belief.network.encoder import BeliefEncoder
from ks_env.belief.particles.encoder import ParticlesEncoder
from ks_env.games import kriegspiel
from ks_env.games.kriegspiel.game import Game
from ks_env.games.opening import opening_of
from tests.duel import Options, new_games
from tests.leaks.probes import PROBES, LeakError, Probe, compare, hidden_differences
from tests.oracle import Heard, OracleGame, actions
from tests.starts import draw_start

SEARCHED = 5  # moves of the first game that are tried before the pair is given up
DRAWN = 12  # tries of the seat that are drawn before the pair is given up


ENCODERS: dict[str, Callable[[], Encoder]] = {
    "metaposition": MetapositionEncoder,
    "location": LocationEncoder,
    "belief": BeliefEncoder,
    "particles": ParticlesEncoder,
}
ENCODED = "planes and memory"


class Twins:
    """A pair of games with the same history for `seat`.

    Both begin at `fen`, or, where another start is given, at one of these two hidden ones each.

    `ours` are the compiled referee's, `oracles` the independent one's, `asked` the tries put to each.
    `followed` are the seat's planes by each of `ENCODERS`, whose memories go through the game.
    `differences` counts at how many comparisons the hidden states differed in what.
    """

    def __init__(
        self,
        ruleset: str,
        fen: str,
        seat: chess.Color,
        options: Options | None = None,
        other: str | None = None,
    ) -> None:
        self.ruleset, self.fen, self.seat, self.options = ruleset, fen, seat, options or {}
        fens = [fen, other or fen]
        games = [new_games(ruleset, each, self.options) for each in fens]
        self.ours: tuple[Game, Game] = (games[0][0], games[1][0])
        self.oracles: tuple[OracleGame, OracleGame] = (games[0][1], games[1][1])
        if other is not None:
            hidden = [
                Game(game.ruleset, each, hidden_start=True)
                for (game, _), each in zip(games, fens, strict=True)
            ]
            self.ours = (hidden[0], hidden[1])
        self.followed = [{name: SeatPlanes(make()) for name, make in ENCODERS.items()} for _ in fens]
        self.shown: list[dict[str, bytes]] = [{}, {}]
        for game, followed in enumerate(self.followed):
            for planes in followed.values():
                rules = self.ours[game].ruleset
                if other is None:
                    opening = kriegspiel.opening(seat, rules, fen)
                else:
                    opening = opening_of(self.ours[game], seat, fens=fens)
                planes.begin(opening)
            self.follow(game)
        self.asked: tuple[list[int], list[int]] = ([], [])
        self.unheard = [0, 0]
        self.comparisons = 0
        self.differences: dict[str, int] = {}

    @property
    def over(self) -> bool:
        return bool(self.oracles[0].reason or self.oracles[1].reason)

    def ask(self, game: int, action: int) -> None:
        """Put a try to one of the two games."""
        oracle = self.oracles[game]
        self.asked[game].append(action)
        own = oracle.to_play == self.seat
        heard = oracle.ask(action)[not own]
        self.unheard[game] += heard is None
        self.ours[game].ask(action)
        self.follow(game)

    def follow(self, game: int) -> None:
        """Bring the encoders' memories up to date, and keep what they show the seat."""
        ours = self.ours[game]
        for name, followed in self.followed[game].items():
            planes = followed.planes(ours.view(self.seat), ours.ruleset.record()[0])
            assert followed._memory is not None
            self.shown[game][name] = planes.tobytes() + followed._memory.tobytes()

    def same_history(self) -> bool:
        """Whether the seat has heard the same in both, by the oracle."""
        return self.oracles[0].heard[self.seat] == self.oracles[1].heard[self.seat]

    def compare(self, probes: Mapping[str, Probe] = PROBES) -> None:
        """Raise `LeakError` where the seat is shown different bytes; count what differs out of its sight."""
        try:
            compare(*self.ours, self.seat, probes)
        except LeakError as leak:
            raise LeakError(f"{leak}\n{self.transcript()}") from None
        for name in ENCODERS:
            if self.shown[0][name] != self.shown[1][name]:
                raise LeakError(f"the encoder {name} shows {ENCODED} that differ\n{self.transcript()}")
        self.comparisons += 1
        for name in self.hidden():
            self.differences[name] = self.differences.get(name, 0) + 1

    def hidden(self) -> set[str]:
        """In what the hidden states differ now."""
        found = hidden_differences(*self.oracles, self.seat)
        return found | {"tries that were not heard"} if self.unheard[0] != self.unheard[1] else found

    def transcript(self) -> str:
        lines = [f"{self.ruleset}, seat {chess.COLOR_NAMES[self.seat]}, start {self.fen}"]
        for asked, oracle in zip(self.asked, self.oracles, strict=True):
            lines.append(f"  actions {asked}, now {oracle.board.fen()}")
        lines += [f"  heard {message}" for message in self.oracles[0].heard[self.seat][-3:]]
        return "\n".join(lines)

    # -- playing on --------------------------------------------------------------------------------------

    def advance(self, rng: random.Random) -> bool:
        """One try of the seat, or one turn of its opponent; False where none was found to go on with."""
        if self.over:
            return False
        if self.oracles[0].to_play == self.seat:
            return self._own_try(rng)
        return self._opponents_turn(rng)

    def _own_try(self, rng: random.Random) -> bool:
        a, b = self.oracles
        seat = a.seats[self.seat]
        both = sorted(a.legal() & b.legal())
        pools = (both, sorted(seat.informed()), sorted(seat.own_board()), list(range(actions.COUNT)))
        for _ in range(DRAWN):
            pool = rng.choices(pools, (6, 2, 2, 0.5))[0]
            if not pool:
                continue
            action = rng.choice(pool)
            if peek(a, action, self.seat) == peek(b, action, self.seat):
                self.ask(0, action)
                self.ask(1, action)
                return True
        return False

    def _opponents_turn(self, rng: random.Random) -> bool:
        if rng.random() < 0.3:
            self._ask_any()
        if self.oracles[0].rules.illegal_public:
            self._refused_aloud(rng, rng.choice((0, 0, 0, 1, 2)))
        for game in range(2):
            self._refused_unheard(rng, game, rng.choice((0, 0, 1, 2, 5)))
        if self.oracles[0].to_play is None or not self.same_history():
            return False
        self.compare()
        found = self._find_moves(rng)
        if found is None:
            return False
        self.ask(0, found[0])
        self.ask(1, found[1])
        return True

    def _ask_any(self) -> None:
        a, b = self.oracles
        if a.rules.any != "never" and not a.asked and bool(a.pawn_captures) == bool(b.pawn_captures):
            self.ask(0, actions.ANY)
            self.ask(1, actions.ANY)

    def _refused_aloud(self, rng: random.Random, number: int) -> None:
        for _ in range(number):
            drawn = [refusable(oracle) for oracle in self.oracles]
            if not all(drawn):
                return
            for game in range(2):
                self.ask(game, rng.choice(drawn[game]))

    def _refused_unheard(self, rng: random.Random, game: int, number: int) -> None:
        oracle = self.oracles[game]
        for _ in range(number):
            pool: list[int] = [] if oracle.rules.illegal_public else refusable(oracle)
            if not oracle.rules.hopeless_public and (not pool or rng.random() < 0.3):
                turn = oracle.board.turn
                pool = sorted(set(range(actions.ANY)) - oracle.seats[turn].own_board())
            if pool:
                self.ask(game, rng.choice(pool))

    def _find_moves(self, rng: random.Random) -> tuple[int, int] | None:
        a, b = self.oracles
        firsts, seconds = sorted(a.legal()), sorted(b.legal())
        rng.shuffle(firsts)
        rng.shuffle(seconds)
        heard = {}
        for first in firsts[:SEARCHED]:
            wanted = peek(a, first, self.seat)
            for second in sorted(seconds, key=lambda action, first=first: action == first):  # type: ignore[misc]
                if second not in heard:
                    heard[second] = peek(b, second, self.seat)
                if heard[second] == wanted:
                    return first, second
        return None


def refusable(game: OracleGame) -> list[int]:
    """Tries of the side to play that would be refused without being hopeless."""
    seat = game.seats[game.board.turn]
    barred = game.rules.unannounced_capture_hopeless
    tries = seat.informed_bits() if barred else seat.own_board_bits()
    return actions.members(tries & ~game.legal_bits() & ~seat.refused_bits)


def peek(game: OracleGame, action: int, listener: chess.Color) -> Heard | None:
    """What the listener would hear of a try."""
    mine, theirs = game.copy().ask(action)
    return mine if game.board.turn == listener else theirs


def twins(number: int, ruleset: str, seed: int, most_turns: int = 60, first: int = 0) -> Iterator[Twins]:
    """Pairs played on and compared after every step; each is given when it has come to its end.

    Pairs are numbered from `first` and each has a seed of its own.
    """
    for count in range(first, first + number):
        rng = random.Random(f"twins {seed} {ruleset} {count}")
        pair = Twins(ruleset, draw_start(rng), rng.random() < 0.5)
        pair.compare()
        for _ in range(most_turns):
            if not pair.advance(rng) or not pair.same_history():
                break
            pair.compare()
        yield pair


def pairs(number: int, ruleset: str, seed: int) -> Iterator[tuple[Game, Game, chess.Color]]:
    """Games in different hidden states with the same history for the seat that is named third.

    Where the games are over, or it is the opponent's turn, both are.
    """
    count = found = 0
    while found < number:
        rng = random.Random(f"pairs {seed} {ruleset} {count}")
        count += 1
        pair = Twins(ruleset, draw_start(rng), rng.random() < 0.5)
        for _ in range(rng.randrange(1, 30)):
            if not pair.advance(rng) or not pair.same_history():
                break
        if pair.same_history() and pair.hidden():
            found += 1
            yield (*pair.ours, pair.seat)
