"""Games that one seat cannot tell apart, played on for as long as that lasts.

The seat puts the same tries to all referees; its opponent plays another game in each, found by search among
the moves that give the seat the same announcement, with other numbers of tries that the seat does not hear.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from functools import partial
from itertools import combinations
from typing import Any

import chess
import numpy as np

from ks_env.belief.encoders import Encoder
from ks_env.belief.location.encoder import LocationEncoder
from ks_env.belief.metaposition.encoder import MetapositionEncoder
from ks_env.belief.network.encoder import BeliefEncoder
from ks_env.belief.network.sampled import BeliefParticlesEncoder
from ks_env.belief.particles.encoder import ParticlesEncoder
from ks_env.belief.particles.layout import particles_dtype
from ks_env.games import kriegspiel
from ks_env.games.kriegspiel.game import Game
from ks_env.games.opening import Opening
from tests.duel import Options, new_games
from tests.leaks.probes import NOW, PROBES, LeakError, Probe, compare, hidden_state, in_words
from tests.oracle import Heard, OracleGame, actions
from tests.starts import draw_start

SEARCHED = 5  # moves of the first game that are tried before the rest is given up
JUDGED = 16  # moves of another game that are looked at for each of them
DRAWN = 12  # tries of the seat that are drawn before those games are given up that would hear otherwise


class FewParticles(ParticlesEncoder):
    """The particle filter with room for few boards, which takes a fraction of the time."""

    memory = particles_dtype(32)


ENCODERS: dict[str, Callable[[], Encoder]] = {
    "metaposition": MetapositionEncoder,
    "location": LocationEncoder,
    "belief": BeliefEncoder,
    "particles": ParticlesEncoder,
    "belief-particles": partial(BeliefParticlesEncoder, 64),
}
SLOW = ("particles", "belief-particles")
ENCODED = "planes and memory"


class Followed:
    """The planes of a seat by one encoder and its memories, `memory` and `planes` by game."""

    def __init__(self, encoder: Encoder, openings: Sequence[Opening]) -> None:
        self.encoder = encoder
        self.memory = np.zeros(len(openings), encoder.memory)
        for i, opening in enumerate(openings):
            self.memory[i] = encoder.begin(opening)
        self.planes = np.zeros((len(openings), len(encoder.planes), 8, 8), np.uint8)

    def follow(self, game: int, view: Any, rules: Any) -> None:
        """Bring a game's memory up to its view: VIEW[1]."""
        one = slice(game, game + 1)
        self.encoder.observe(view, self.memory[one], rules, self.planes[one])

    def differ(self, first: int, second: int) -> bool:
        """Whether two games show different bytes."""
        if self.planes[first].tobytes() != self.planes[second].tobytes():
            return True
        return bool(self.memory[first].tobytes() != self.memory[second].tobytes())


class Twins:
    """Two games or more with the same history for `seat`.

    All begin at `fen`, or, where another start is given, at one of these two hidden ones each.

    `ours` are the compiled referee's, `oracles` the independent one's, `asked` the tries put to each. `live`
    are those that still look alike; the others have been left behind. `followed` are the seat's planes by
    each of the encoders, whose memories go through the game. `comparisons` counts pairs of games compared,
    `differences` at how many of them the hidden states differed in what, `differing` the pairs that came to
    differ at all.
    """

    def __init__(
        self,
        ruleset: str,
        fen: str,
        seat: chess.Color,
        options: Options | None = None,
        other: str | None = None,
        *,
        games: int = 2,
        encoders: Mapping[str, Callable[[], Encoder]] = ENCODERS,
    ) -> None:
        self.ruleset, self.fen, self.seat, self.options = ruleset, fen, seat, options or {}
        fens = [fen, other or fen] if games == 2 else [fen] * games
        both = [new_games(ruleset, each, self.options) for each in fens]
        self.ours = [ours for ours, _ in both]
        self.oracles = [oracle for _, oracle in both]
        if other is not None:
            self.ours = [Game(ours.ruleset, ours.start_fen, hidden_start=True) for ours in self.ours]
            openings = [Opening.of(ours, seat, fens=fens) for ours in self.ours]
        else:
            openings = [kriegspiel.opening(seat, self.ours[0].ruleset, fen)] * games
        self.live = list(range(games))
        self.followed = {name: Followed(make(), openings) for name, make in encoders.items()}
        self._rules = self.ours[0].ruleset.record()[0]
        self._behind = set(self.live)  # games whose encoders have not seen the latest
        self._agreed = 0  # messages that are the same in all live games
        self._compared = 0  # of these, announcements whose bytes were found the same
        self.asked: list[list[int]] = [[] for _ in fens]
        self.unheard = [0] * games
        self.comparisons = 0
        self.differences: dict[str, int] = defaultdict(int)
        self.differing: set[tuple[int, int]] = set()

    @property
    def over(self) -> bool:
        """Whether a live game is over."""
        return any(self.oracles[game].reason for game in self.live)

    def ask(self, game: int, action: int) -> None:
        """Put a try to one of the games."""
        oracle = self.oracles[game]
        self.asked[game].append(action)
        own = oracle.to_play == self.seat
        if own and game in self._behind:
            self.follow(game)
        heard = oracle.ask(action)[not own]
        self.unheard[game] += heard is None
        self.ours[game].ask(action)
        self._behind.add(game)

    def follow(self, game: int) -> None:
        """Bring the encoders' memories of a game up to date."""
        view = np.array([self.ours[game].view(self.seat)])
        for followed in self.followed.values():
            followed.follow(game, view, self._rules)
        self._behind.discard(game)

    def same_history(self) -> bool:
        """Whether the seat has heard the same in all live games, by the oracle."""
        first, *others = (self.oracles[game].heard[self.seat] for game in self.live)
        new = first[self._agreed :]
        if any(heard[self._agreed :] != new for heard in others):
            return False
        self._agreed = len(first)
        return True

    def compare(self, probes: Mapping[str, Probe] | None = None) -> None:
        """Compare all that the seat is shown now, or by the probes; count what differs out of its sight.

        Of the announcements, those that have come since are compared; `compare_histories` compares them all.

        Raises:
            LeakError: the seat is shown different bytes.
        """
        for game in self.live:
            if game in self._behind:
                self.follow(game)
        first, *others = self.live
        try:
            compare([self.ours[game] for game in self.live], self.seat, NOW if probes is None else probes)
            if probes is None:
                self._compare_announcements()
            for name, followed in self.followed.items():
                if any(followed.differ(first, other) for other in others):
                    raise LeakError(f"the encoder {name} shows {ENCODED} that differ")
        except LeakError as leak:
            raise LeakError(f"{leak}\n{self.transcript()}") from None
        self._count()

    def compare_histories(self) -> None:
        """Compare all announcements since the start, by the probes.

        Raises:
            LeakError: the seat is shown different bytes.
        """
        try:
            compare([self.ours[game] for game in self.live], self.seat, PROBES)
        except LeakError as leak:
            raise LeakError(f"{leak}\n{self.transcript()}") from None

    def _compare_announcements(self) -> None:
        heard = [self.ours[game].heard(self.seat) for game in self.live]
        new = [each[self._compared :] for each in heard]
        shown = [(len(every), repr(each), in_words(each)) for every, each in zip(heard, new, strict=True)]
        if any(each != shown[0] for each in shown):
            raise LeakError(f"announcements differ from message {self._compared} on")
        self._compared = len(heard[0])

    def _count(self) -> None:
        for first, second in combinations(self.live, 2):
            self.comparisons += 1
            found = self._hidden(first, second)
            if found:
                self.differing.add((first, second))
            for name in found:
                self.differences[name] += 1

    def hidden(self) -> set[str]:
        """In what the hidden states of the first two live games differ now."""
        return self._hidden(*self.live[:2])

    def _hidden(self, first: int, second: int) -> set[str]:
        state, other = (hidden_state(self.oracles[game], self.seat) for game in (first, second))
        found = {name for name in state if state[name] != other[name]}
        return found | {"tries that were not heard"} if self.unheard[first] != self.unheard[second] else found

    def transcript(self) -> str:
        lines = [f"{self.ruleset}, seat {chess.COLOR_NAMES[self.seat]}, start {self.fen}"]
        for game in self.live:
            lines.append(f"  actions {self.asked[game]}, now {self.oracles[game].board.fen()}")
        lines += [f"  heard {message}" for message in self.oracles[self.live[0]].heard[self.seat][-3:]]
        return "\n".join(lines)

    # -- playing on --------------------------------------------------------------------------------------

    def advance(self, rng: random.Random) -> bool:
        """One try of the seat, or one turn of its opponent; False where none was found to go on with."""
        if self.over:
            return False
        if self.oracles[self.live[0]].to_play == self.seat:
            return self._own_try(rng)
        return self._opponents_turn(rng)

    def _keep(self, keys: Mapping[int, Hashable]) -> None:
        """Leave the games behind that have another key than most."""
        groups: dict[Hashable, list[int]] = defaultdict(list)
        for game, key in keys.items():
            groups[key].append(game)
        self.live = max(groups.values(), key=len)

    def _own_try(self, rng: random.Random) -> bool:
        oracles = [self.oracles[game] for game in self.live]
        seat, all_legal = oracles[0].seats[self.seat], -1
        for oracle in oracles:
            all_legal &= oracle.legal_bits()
        pools = (all_legal, seat.informed_bits(), seat.own_board_bits(), (1 << actions.COUNT) - 1)
        best: dict[int, Heard | None] = {}
        fewest = len(oracles) + 1
        for _ in range(DRAWN):
            pool = rng.choices(pools, (6, 2, 2, 0.5))[0]
            if not pool:
                continue
            action = actions.draw(rng, pool)
            heard = {game: peek(self.oracles[game], action, self.seat) for game in self.live}
            if len(set(heard.values())) < fewest:
                fewest, best, chosen = len(set(heard.values())), heard, action
            if fewest == 1:
                break
        if not best:
            return False
        before = self.live
        self._keep(best)
        if len(self.live) < 2:
            self.live = before
            return False
        for game in self.live:
            self.ask(game, chosen)
        return True

    def _opponents_turn(self, rng: random.Random) -> bool:
        if rng.random() < 0.3:
            self._ask_any()
        if self.oracles[0].rules.illegal_public:
            self._refused_aloud(rng, rng.choice((0, 0, 0, 1, 2)))
        for game in self.live:
            self._refused_unheard(rng, game, rng.choice((0, 0, 1, 2, 5)))
        if self.over or not self.same_history():
            return False
        self.compare()
        found = self._find_moves(rng)
        if len(found) < 2:
            return False
        self.live = sorted(found)
        for game, action in found.items():
            self.ask(game, action)
        return True

    def _ask_any(self) -> None:
        oracles = [self.oracles[game] for game in self.live]
        if oracles[0].rules.any == "never" or any(oracle.asked for oracle in oracles):
            return
        if len({bool(oracle.survey.captures) for oracle in oracles}) == 1:
            for game in self.live:
                self.ask(game, actions.ANY)

    def _refused_aloud(self, rng: random.Random, number: int) -> None:
        for _ in range(number):
            drawn = {game: refusable(self.oracles[game]) for game in self.live}
            if self.over or not all(drawn.values()):
                return
            for game, pool in drawn.items():
                self.ask(game, actions.draw(rng, pool))

    def _refused_unheard(self, rng: random.Random, game: int, number: int) -> None:
        oracle = self.oracles[game]
        for _ in range(number):
            if oracle.reason:
                return
            pool = 0 if oracle.rules.illegal_public else refusable(oracle)
            if not oracle.rules.hopeless_public and (not pool or rng.random() < 0.3):
                pool = (1 << actions.ANY) - 1 & ~oracle.seats[oracle.board.turn].own_board_bits()
            if pool:
                self.ask(game, actions.draw(rng, pool))

    def _find_moves(self, rng: random.Random) -> dict[int, int]:
        """A move for the first live game, and one that sounds the same for as many others as may be."""
        first, *others = self.live
        oracle = self.oracles[first]
        firsts = actions.members(oracle.legal_bits())
        best: dict[int, int] = {}
        for action in rng.sample(firsts, min(SEARCHED, len(firsts))):
            wanted = peek(oracle, action, self.seat)
            assert wanted is not None
            found = {first: action}
            for game in others:
                same = self._sounding(rng, game, wanted, list(found.values()))
                if same is not None:
                    found[game] = same
            if len(found) > len(best):
                best = found
            if len(best) == len(self.live):
                break
        return best

    def _sounding(self, rng: random.Random, game: int, wanted: Heard, taken: Sequence[int]) -> int | None:
        """A move of which the seat hears that, if possible one that no other game plays."""
        oracle = self.oracles[game]
        legal, again = oracle.legal_bits(), actions.bits_of(taken)
        if not wanted.en_passant:  # most that sound otherwise are seen to by the board
            board, taking = oracle.board, wanted.square is not None
            theirs = board.occupied_co[not board.turn]
            landing = _landing(theirs if board.turn else chess.flip_vertical(theirs))
            legal &= landing | oracle.survey.captures if taking else ~landing
        for pool in (legal & ~again, legal & again):
            candidates = actions.members(pool)
            for action in rng.sample(candidates, min(JUDGED, len(candidates))):
                if peek(oracle, action, self.seat) == wanted:
                    return action
        return None


def _landing(squares: int) -> int:
    """Bits of the actions that land on these squares of the mover's side."""
    bits = 0
    for square in chess.SquareSet(squares):
        bits |= LANDING[square]
    return bits


LANDING = [
    actions.bits_of(number for number, step in enumerate(actions.STEPS) if step.target == square)
    for square in range(64)
]


def refusable(game: OracleGame) -> int:
    """Tries of the side to play that would be refused without being hopeless, as bits."""
    if game.reason:
        return 0
    seat = game.seats[game.board.turn]
    barred = game.rules.unannounced_capture_hopeless
    tries = seat.informed_bits() if barred else seat.own_board_bits()
    return tries & ~game.legal_bits() & ~seat.refused_bits


def peek(game: OracleGame, action: int, listener: chess.Color) -> Heard | None:
    """What the listener would hear of a try."""
    judged = game.judge(action)
    return judged.mine if game.board.turn == listener else judged.theirs


def played_twins(pair: Twins, rng: random.Random, most_turns: int) -> Twins:
    """The games played on and compared after every step."""
    pair.compare()
    for _ in range(most_turns):
        if not pair.advance(rng) or not pair.same_history():
            break
        pair.compare()
    if pair.same_history():
        pair.compare_histories()
    return pair


def twins(number: int, ruleset: str, seed: int, most_turns: int = 60) -> Iterator[Twins]:
    """Pairs played on and compared after every step; each is given when it has come to its end.

    Pairs are numbered and each has a seed of its own.
    """
    for count in range(number):
        rng = random.Random(f"twins {seed} {ruleset} {count}")
        yield played_twins(Twins(ruleset, draw_start(rng), rng.random() < 0.5), rng, most_turns)


def alike(number: int, ruleset: str, seed: int, games: int, most_turns: int = 60) -> Twins:
    """Several games that look the same, likewise. In one of four particle filters are followed, too.

    They take half of the time, and have few boards most times.
    """
    rng = random.Random(f"alike {seed} {ruleset} {number}")
    encoders = dict(ENCODERS)
    for name in SLOW:
        del encoders[name]
    if number % 4 == 0:
        few = number % 32 > 0
        encoders["particles"] = FewParticles if few else ParticlesEncoder
        encoders["belief-particles"] = partial(BeliefParticlesEncoder, 32 if few else 256)
    start, seat = draw_start(rng), rng.random() < 0.5
    return played_twins(Twins(ruleset, start, seat, games=games, encoders=encoders), rng, most_turns)


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
            yield (*pair.ours, pair.seat)  # type: ignore[misc]
