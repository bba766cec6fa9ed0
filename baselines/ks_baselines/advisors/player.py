"""The Maximiser: the player of invisible chess that adds up weighted advice (Bud et al. 2001, §4).

The Maximiser "multiplies the value returned from each of the advisors by the advisor weight and sums these
values". The try with the highest sum is made. Strategic utilities are pawns, those of move hide and move seek
the exponential of a change of entropy in bits (§6.2), which is taken "to allow a comparison" with the former.

Ours: tries that lead to a sight that was there before are worth less, since a search of fixed depth has no
memory, and a repeated position is a draw. Bud et al. (2001, footnote 3): drawn games "are largely the result
of repeating moves continuously, and consist of less than 10% of games played".
"""

from collections import Counter
from typing import Any

import chess
import numpy as np

from ks_baselines.advisors.chess.search import DEEPEST
from ks_baselines.advisors.hide import begin_shadow, follow_shadow, hidings
from ks_baselines.advisors.outcomes import Sample, sample_boards
from ks_baselines.advisors.seek import MOST_OUTCOMES, expected_gains
from ks_baselines.advisors.strategic import OwnSearch
from ks_baselines.advisors.uci import UciSearch
from ks_baselines.explained import Explanation, TryExplained
from ks_baselines.parameters import check_number, check_switch, check_whole
from ks_env.belief.joint import Joint
from ks_env.belief.joint.boards import shared_board
from ks_env.core.answers import MOVED
from ks_env.core.jit import compile_once
from ks_env.core.layout import TRUTH
from ks_env.core.record import Array
from ks_env.core.tables import KING, PAWN, QUEEN, ROOK, ROOK_FROM, ROOK_TO, TRY_FROM, TRY_KIND, TRY_TO
from ks_env.core.tries import INFORMED, MOST_TRIES
from ks_env.games.invisible.layout import NUMBERS
from ks_env.games.invisible.tries import list_tries
from ks_env.games.opening import Opening

View = Any  # a record: np.void

Key = tuple[bytes, bytes]


def men_after(view: View, action: int) -> bytes:
    """Own men by square after an accepted try."""
    men = view["men"].copy()
    start, end = int(TRY_FROM[action]), int(TRY_TO[action])
    kind = int(men[start])
    men[start] = 0
    men[end] = kind if kind != PAWN or end < 56 else int(TRY_KIND[action]) or QUEEN
    if kind == KING and abs(end - start) == 2:
        men[ROOK_FROM[end]], men[ROOK_TO[end]] = 0, ROOK
    after: bytes = men.tobytes()
    return after


class Loops:
    """How often own moves led to the same sight: one's own men and the visible ones."""

    def __init__(self) -> None:
        self._seen: Counter[Key] = Counter()
        self._last: tuple[int, Key] | None = None

    def begin(self) -> None:
        """A new game."""
        self._seen.clear()
        self._last = None

    def count(self, view: View, tries: Array) -> Array:
        """How often the sight after each try was there before: f8[K], with the last try if it was played."""
        if self._last is not None and view["answer"] == MOVED and view["last"] == self._last[0]:
            self._seen[self._last[1]] += 1
        self._last = None
        if not self._seen:
            return np.zeros(len(tries))
        seen = view["seen"].tobytes()
        return np.array([self._seen[men_after(view, int(a)), seen] for a in tries], np.float64)

    def chose(self, view: View, action: int) -> None:
        """The try that is made now."""
        self._last = action, (men_after(view, action), view["seen"].tobytes())


DEPTH, BOARDS, NOISE, ROOM = 3, 1, 0.01, 1 << 14
MOST_BOARDS = 1_000_000
ADVICE_BOARDS = 256  # what the seek advisor looks at
PAWN_VALUE = 100.0  # centipawns, in which the search reckons
LOOP = 0.5  # pawns off a try for each time that its sight was there before


class Advice:
    """What each advisor says of each try, in one position.

    Attributes:
        tries: i2[K].
        strategic: f8[K], expected utility in pawns.
        hide: f8[K], change of the opponent's entropy in bits; 0 where the advisor was not asked.
        seek: f8[K], expected decrease of one's own entropy in bits; the same.
        total: f8[K], the weighted sum.
    """

    def __init__(self, tries: Array) -> None:
        self.tries = tries
        self.strategic, self.hide, self.seek, self.total = (np.zeros(len(tries)) for _ in range(4))


class AdvisorsPlayer:
    """A player of invisible chess by weighted advisors.

    Args:
        name: as shown in results.
        depth: plies of the strategic advisor's search, the try included; captures are looked into below.
        boards: how many boards it looks at, drawn from the distribution by systematic resampling.
        hide: weight of the move hide advisor; the strategic one has weight 1.
        seek: weight of the move seek advisor.
        engine: command of a UCI engine that takes the place of our own search, such as "stockfish".
        spread_captures: do not take in where a hidden man captured, as the paper seems to have it: "Moves by
            invisible pieces that do not cause check result in an increase in entropy" (§6.2). The opponent is
            taken to do alike.
        noise: strategic utilities are blurred by up to so many pawns either way, so that games differ.
        room: boards that a distribution is kept exact for.

    Raises:
        ValueError: a number is out of its range.
        UciError: the engine is not installed or cannot be started.
    """

    compiled = True
    games = ("InvisibleChess",)

    def __init__(
        self,
        name: str,
        *,
        depth: int = DEPTH,
        boards: int = BOARDS,
        hide: float = 0.0,
        seek: float = 0.0,
        engine: str | None = None,
        spread_captures: bool = False,
        noise: float = NOISE,
        room: int = ROOM,
    ) -> None:
        check_whole("advisors", "depth", depth, 1, DEEPEST)
        check_whole("advisors", "boards", boards, 1, MOST_BOARDS)
        check_whole("advisors", "room", room, 1)
        check_number("advisors", "hide", hide)
        check_number("advisors", "seek", seek)
        check_number("advisors", "noise", noise, 0)
        self.name = name
        self.boards, self.noise = boards, noise
        check_switch("advisors", "spread_captures", spread_captures)
        self._strategic = OwnSearch(depth) if engine is None else UciSearch(engine, depth)
        self.weights = {"strategic": 1.0, "hide": hide, "seek": seek}
        self.joint = Joint(room, spread_captures=spread_captures)
        self.shadow = Joint(room, spread_captures=spread_captures)
        self._random = np.random.default_rng(0)
        self._loops = Loops()
        self._scratch = _Scratch(max(boards, ADVICE_BOARDS))

    @property
    def nodes(self) -> int:
        """Positions searched since the game began; with a UCI engine, positions that it was given."""
        return self._strategic.nodes

    def begin(self, opening: Opening) -> None:
        """A new game, from the seat's view of its start."""
        self._random = np.random.default_rng(opening.seed)
        self._rules = opening.ruleset.record()[0]
        self._strategic.begin()
        self._loops.begin()
        self.joint.begin(opening.view)
        begin_shadow(self.shadow.record, opening.view)

    def choose(self, view: View) -> int:
        """The try with the highest weighted advice."""
        advice = self.advise(view)
        action = int(advice.tries[int(np.argmax(advice.total))])
        self._loops.chose(view, action)
        return action

    def explain(self, view: View, most: int) -> Explanation[TryExplained]:
        """The decision that `choose(view)` makes, explained: the weighted sums and the advice in them."""
        advice = self.advise(view)
        chosen = int(advice.tries[int(np.argmax(advice.total))])
        self._loops.chose(view, chosen)
        named = {
            "strategic, pawns": advice.strategic,
            "hide, bits": advice.hide if self.weights["hide"] else None,
            "seek, bits": advice.seek if self.weights["seek"] else None,
        }
        tries = (
            TryExplained(
                int(advice.tries[i]),
                float(advice.total[i]),
                {name: float(part[i]) for name, part in named.items() if part is not None},
                (int(advice.tries[i]),),
            )
            for i in np.argsort(-advice.total, kind="stable")[:most]
        )
        return Explanation(chosen, "advice" if len(advice.tries) > 1 else "only try", tuple(tries))

    def advise(self, view: View) -> Advice:
        """What the advisors say of every try of the informed mask; brings the distributions up to date."""
        self.joint.follow(view)
        follow_shadow(self.shadow.record, view, self.shadow.work)
        found = self._scratch.tries
        advice = Advice(found[: list_tries(view, self._rules, INFORMED, found)].copy())
        repeats = self._loops.count(view, advice.tries)
        if len(advice.tries) > 1:
            shared_board(view, self._scratch.truths[0])
            advice.strategic = self._strategic.utilities(self._sample(self.boards), advice.tries) / PAWN_VALUE
            self._ask_hide(advice, view)
            self._ask_seek(advice)
            blur = self._random.uniform(-self.noise, self.noise, len(advice.tries))
            advice.total = (
                advice.strategic
                + blur
                - LOOP * repeats
                + self.weights["hide"] * np.exp(advice.hide)
                + self.weights["seek"] * np.exp(advice.seek)
            )
        return advice

    def _sample(self, most: int) -> Sample:
        s, record, at = self._scratch, self.joint.record, float(self._random.random())
        boards = sample_boards(record["weight"], self.joint.count, most, at, s.chosen, s.shares)
        return Sample(record, s.truths, s.chosen, s.shares, int(boards))

    def _ask_hide(self, advice: Advice, view: View) -> None:
        if self.weights["hide"] == 0.0:
            return
        s, count, record = self._scratch, len(advice.tries), self.shadow.record
        before = self.shadow.entropy()
        hidings(record, view, before, advice.tries, count, s.quiet, self.shadow.work, s.out)
        advice.hide = s.out[:count].copy()

    def _ask_seek(self, advice: Advice) -> None:
        if self.weights["seek"] == 0.0:
            return
        s, count = self._scratch, len(advice.tries)
        expected_gains(*self._sample(ADVICE_BOARDS), advice.tries, s.words, s.sums, s.out)
        advice.seek = s.out[:count].copy()


class _Scratch:
    """Memory that a player's kernels write to."""

    def __init__(self, boards: int) -> None:
        self.tries = np.zeros(MOST_TRIES, np.int16)
        self.truths = np.zeros(3, TRUTH)
        self.chosen, self.shares = np.zeros(boards, np.int32), np.zeros(boards)
        self.out = np.zeros(MOST_TRIES)
        self.quiet = np.zeros((NUMBERS, 2))
        self.words = np.zeros((MOST_TRIES, MOST_OUTCOMES), np.uint64)
        self.sums = np.zeros((MOST_TRIES, MOST_OUTCOMES))


def _compile() -> None:
    from ks_env.games.invisible.game import InvisibleGame

    game = InvisibleGame("B v B")
    player = AdvisorsPlayer("compiling", depth=1, boards=1, hide=1.0, seek=1.0)
    player.begin(Opening.of(game, chess.WHITE))
    player.choose(game.view(chess.WHITE))


def advisors_player(**parameters: Any) -> AdvisorsPlayer:
    """The player `advisors`: expected utility over possible boards, in invisible chess alone.

    Named as in `"advisors:hide=5,depth=2,boards=16"`; see `AdvisorsPlayer`.

    Raises:
        ValueError: a parameter is unknown or out of its range.
    """
    compile_once("advisors", _compile)
    known = ("depth", "boards", "hide", "seek", "engine", "spread_captures", "noise", "room")
    for key in parameters:
        if key not in known:
            raise ValueError(f"unknown parameter {key!r} of advisors; expected one of {', '.join(known)}")
    text = ",".join(f"{key}={value}" for key, value in parameters.items())
    return AdvisorsPlayer(f"advisors:{text}" if text else "advisors", **parameters)
