"""LOS, AOSP and HS as players (Ciancarini and Favini 2010, §4.2)."""

import json
import time
from dataclasses import dataclass
from typing import ClassVar

import chess
import numpy as np
import numpy.typing as npt

from ks_baselines.advisors.chess.search import DEEPEST
from ks_baselines.compiled import CompiledPlayer
from ks_baselines.explained import Explanation, TryExplained
from ks_baselines.parameters import check_seconds, check_whole
from ks_baselines.samplers.pool import Pool
from ks_baselines.samplers.values import Judge, OwnJudge, UciJudge, weigh
from ks_env.core.jit import compile_once
from ks_env.core.record import Array
from ks_env.core.ruleset import ICC
from ks_env.core.tables import ANY
from ks_env.core.tries import INFORMED, MOST_TRIES
from ks_env.games.kriegspiel import opening
from ks_env.games.kriegspiel.game import Game
from ks_env.games.kriegspiel.layout import View
from ks_env.games.kriegspiel.tries import list_tries
from ks_env.games.opening import Opening

BOARDS, POOL, DEPTH = 64, 20_000, 2
MOST_PROCESSES = 256
EVOLVING, REFILLING, CHOOSING = range(3)  # what a stream of random numbers is for


@dataclass(frozen=True)
class Budget:
    """How hard a sampler works at a try.

    Attributes:
        boards: judged at most; None for as many as there are, or as the time allows.
        seconds: after which no further board is begun; None for no limit.
        pool: boards that the pool holds at most.
        low: fewer boards than this, and HS takes in boards of the last observation.
        filled: up to this number.
    """

    boards: int | None
    seconds: float | None
    pool: int
    low: int
    filled: int


class SamplerPlayer(CompiledPlayer):
    """A player that judges sampled boards by chess and makes the try with the best mean.

    Args:
        name: as shown in results.
        judge: of the boards.
        budget: at each try.

    Attributes:
        nodes: boards judged since the game began.
        pool: its boards.
    """

    kind: ClassVar[str]

    def __init__(self, name: str, judge: Judge, budget: Budget) -> None:
        self.name, self.judge, self.budget = name, judge, budget
        self.nodes = 0
        self.pool = Pool(self.room())
        self._tries = np.zeros(MOST_TRIES, np.int16)
        self._weighed: tuple[Array, Array, Array] = (np.zeros(0, np.int16), np.zeros(0), np.zeros(0))

    def room(self) -> int:
        """Boards that the pool holds at most."""
        return self.budget.pool

    def prepare(self) -> None:
        """See `CompiledPlayer`."""
        compile_once("samplers", _play_a_little)

    def start(self, opening: Opening) -> None:
        """See `CompiledPlayer`."""
        self.rules = opening.ruleset.record()[0]
        self.nodes = 0
        self._seed = opening.seed
        self.pool.begin(opening, self.rules)

    @property
    def notes(self) -> bytes:
        """The pool's counters of this game, as JSON."""
        return json.dumps(self.pool.counters.as_dict()).encode()

    def stream(self, view: View, what: int) -> int:
        """A seed for random numbers of this try, from the game's."""
        seeds = [self._seed, int(view["moves"]), int(view["refusals"]), int(view["asked"]), what]
        return int(np.random.default_rng(seeds).integers(2**63))

    def choose(self, view: View) -> int:
        """The try with the best mean; one at random where no board fits."""
        begun = time.perf_counter()
        n = int(list_tries(view, self.rules, INFORMED, self._tries))
        self.follow(view)
        if n > 1 and self._tries[n - 1] == ANY:
            n -= 1
        tries = self._tries[:n].copy()
        self._weighed = tries[:0], np.zeros(0), np.zeros(0)
        if n == 1:
            return int(tries[0])
        values = self._judge(view, tries, begun)
        if len(values) == 0 or (values < -(1 << 29)).all():
            self.pool.counters.without += 1
            return int(tries[self.stream(view, CHOOSING) % n])
        sums, legal = weigh(values)
        looked = legal > 0
        self._weighed = tries[looked], sums[looked] / len(values), legal[looked] / len(values)
        return int(tries[looked][int(np.argmax(sums[looked]))])

    def _judge(self, view: View, tries: Array, begun: float) -> Array:
        """i4[B, K]: the tries on the boards of this decision."""
        boards = self.boards(view)
        seconds = self.budget.seconds
        values = self.judge.judge(boards, tries, None if seconds is None else begun + seconds)
        self.nodes += len(values)
        return values

    def follow(self, view: View) -> None:
        """Bring the pool up to date."""

    def boards(self, view: View) -> Array:
        """TRUTH[B]: the boards to judge, at random among those that there are."""
        held, most = self.pool.count, self.budget.boards
        chosen = np.random.default_rng(self.stream(view, CHOOSING)).permutation(held)[:most]
        return self.pool.boards[chosen]

    def draw(self, view: View, size: int) -> None:
        """Take in boards of the last observation until there are so many."""
        self.pool.refill(view, size, self.stream(view, REFILLING))

    def weighed(self) -> tuple[npt.NDArray[np.int16], npt.NDArray[np.float32]]:
        """See `ks_env.players.protocol.WeighsTries`; in centipawns."""
        return self._weighed[0], self._weighed[1].astype(np.float32)

    def explain(self, view: View, most: int) -> Explanation[TryExplained]:
        """The decision that `choose(view)` makes, explained; `most` tries of it."""
        before = self.nodes
        chosen = self.choose(view)
        made = self.nodes - before
        order = np.argsort(-self._weighed[1], kind="stable")[:most]
        tries = tuple(self._explained(int(i)) for i in order)
        return Explanation(chosen, "search" if tries else "rule", tries, made)

    def _explained(self, i: int) -> TryExplained:
        """One of the tries of the latest choice."""
        action, value, legal = (part[i] for part in self._weighed)
        parts = {"chance: legal": float(legal), "boards": float(self.pool.count)}
        parts |= {name: float(count) for name, count in self.pool.counters.as_dict().items()}
        return TryExplained(int(action), float(value) / 100, parts, (int(action),))


class LosPlayer(SamplerPlayer):
    """Last Observation Sampling: new boards at each try, from the last observation alone."""

    kind = "sampler-los"

    def room(self) -> int:
        """See `SamplerPlayer`."""
        return self.budget.boards or self.budget.pool

    def boards(self, view: View) -> Array:
        """See `SamplerPlayer`."""
        self.pool.clear()
        self.draw(view, self.room())
        return self.pool.boards


class AospPlayer(SamplerPlayer):
    """All Observation Sampling with Pool: all boards are "compatible with all the observations so far".

    So once the pool has run dry, it stays empty for the rest of the game.
    """

    kind = "sampler-aosp"

    def follow(self, view: View) -> None:
        """See `SamplerPlayer`."""
        self.pool.follow(view, self.stream(view, EVOLVING))


class HsPlayer(SamplerPlayer):
    """Hybrid Sampling: a pool that takes in boards of the last observation when it runs dry, or low."""

    kind = "sampler-hs"

    def follow(self, view: View) -> None:
        """See `SamplerPlayer`."""
        self.pool.follow(view, self.stream(view, EVOLVING))
        if not self.pool.whole and self.pool.count < self.budget.low:
            self.draw(view, self.budget.filled)
            self.pool.counters.refilled += 1


def _play_a_little() -> None:
    """Call every kernel once."""
    player = HsPlayer("compiling", OwnJudge(1, 1), Budget(2, None, 16, 8, 8))
    game = Game(ICC)
    player.start(opening(chess.WHITE))
    player.choose(game.view(chess.WHITE))
    for move in ("e2e4", "e7e5"):
        game.ask(move)
    player.choose(game.view(chess.WHITE))
    player.pool.count = 0
    player.draw(game.view(chess.WHITE), 4)


def _make(
    made: type[SamplerPlayer],
    boards: int | None,
    pool: int,
    low: int,
    depth: int | None,
    nodes: int | None,
    engine: str | None,
    seconds: float | None,
    processes: int,
) -> SamplerPlayer:
    """A player from its parameters.

    Raises:
        ValueError: a parameter that makes no player.
        UciError: the engine is not installed or cannot be started.
    """
    name = made.kind
    check_whole(name, "pool", pool, 1, 1_000_000)
    check_whole(name, "processes", processes, 1, MOST_PROCESSES)
    check_whole(name, "low", low, 1, pool)
    for key, value, most in (("boards", boards, 1_000_000), ("nodes", nodes, None)):
        if value is not None:
            check_whole(name, key, value, 1, most)
    if depth is not None:
        check_whole(name, "depth", depth, 1, DEEPEST if engine is None else None)
    check_seconds(name, seconds)
    if engine is None and nodes is not None:
        raise ValueError(
            f"player {name!r}: nodes is {nodes!r} without an engine; expected a depth, or engine="
        )
    if boards is None and seconds is None:
        boards = BOARDS
    judge: Judge
    if engine is None:
        judge = OwnJudge(depth or DEPTH, processes)
    else:
        judge = UciJudge(str(engine), DEPTH if depth is None and nodes is None else depth, nodes, processes)
    filled = max(low, min(pool, boards or BOARDS))
    return made(name, judge, Budget(boards, seconds, pool, low, filled))


def sampler_los_player(
    boards: int | None = None,
    depth: int | None = None,
    nodes: int | None = None,
    engine: str | None = None,
    seconds: float | None = None,
    processes: int = 1,
    pool: int = POOL,
) -> SamplerPlayer:
    """The player `sampler-los`: Last Observation Sampling (Parker, Nau and Subrahmanian 2005).

    `pool` is how many boards at most with `seconds`.

    Raises:
        ValueError: a parameter that makes no player.
        UciError: the engine is not installed or cannot be started.
    """
    return _make(LosPlayer, boards, pool, 1, depth, nodes, engine, seconds, processes)


def sampler_aosp_player(
    boards: int | None = None,
    pool: int = POOL,
    depth: int | None = None,
    nodes: int | None = None,
    engine: str | None = None,
    seconds: float | None = None,
    processes: int = 1,
) -> SamplerPlayer:
    """The player `sampler-aosp`: All Observation Sampling with Pool (Parker, Nau and Subrahmanian 2005).

    Raises:
        ValueError: a parameter that makes no player.
        UciError: the engine is not installed or cannot be started.
    """
    return _make(AospPlayer, boards, pool, 1, depth, nodes, engine, seconds, processes)


def sampler_hs_player(
    boards: int | None = None,
    pool: int = POOL,
    low: int = 1,
    depth: int | None = None,
    nodes: int | None = None,
    engine: str | None = None,
    seconds: float | None = None,
    processes: int = 1,
) -> SamplerPlayer:
    """The player `sampler-hs`: Hybrid Sampling (Parker, Nau and Subrahmanian 2005).

    Its pool takes in boards when it is dry, or `low`.

    Raises:
        ValueError: a parameter that makes no player.
        UciError: the engine is not installed or cannot be started.
    """
    return _make(HsPlayer, boards, pool, low, depth, nodes, engine, seconds, processes)
