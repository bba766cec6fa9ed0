"""Darkboard as a player, and why it tries what it tries.

It keeps a metaposition up to date, goes by hard rules if it has any, and else searches by a budget.
"""

import time
from collections.abc import Callable
from functools import partial
from itertools import takewhile
from typing import Any

import chess
import numpy as np
import numpy.typing as npt

from ks_baselines.compiled import CompiledPlayer
from ks_baselines.darkboard.bare_king import hunt, may_stalemate, new_kings
from ks_baselines.darkboard.constants import DEFAULT, IMPROVED, LITERAL, Constants, MoreConstants
from ks_baselines.darkboard.evaluation import COMPONENTS, SAFETY_ALONE, THREATS
from ks_baselines.darkboard.hard_rules import (
    NO_RULE,
    answer_first,
    ask_first,
    new_past,
    note_turn,
    repetition_bias,
    take_first,
)
from ks_baselines.darkboard.moves import MOST_MOVES, action_of, pack
from ks_baselines.darkboard.search import (
    DEEPEST,
    clock_bias,
    dynamic_alpha,
    list_root,
    new_work,
    search_of,
    without_castling,
)
from ks_baselines.explained import Explanation, TryExplained
from ks_baselines.parameters import check_seconds, check_switch, check_whole
from ks_env.belief.endgames import ending_of, solve
from ks_env.belief.metaposition import METAPOSITION, follow
from ks_env.belief.metaposition import opening as metaposition_of
from ks_env.core.jit import compile_once
from ks_env.core.ruleset import ICC
from ks_env.core.tables import ANY, BISHOP, KING, KNIGHT, PAWN, QUEEN, ROOK, TRY_FROM, TRY_TO
from ks_env.core.tries import INFORMED, MOST_TRIES
from ks_env.games import kriegspiel
from ks_env.games.kriegspiel.game import Game
from ks_env.games.kriegspiel.layout import View
from ks_env.games.kriegspiel.tries import OBLIGED, list_tries
from ks_env.games.opening import Opening

METAPOSITIONS = 10_000  # Ciancarini and Favini (2010, §6.1)
FIRST_RATE = 300_000.0  # metapositions a second, until the player has measured its own
SOLVED = ("KQK", "KRK", "KBBK")  # endings that are played by their tables, solved when they first arise
LONG = "KBNK"  # the one that takes a minute or two to solve: on request
FEW = 3  # men besides the king with which it may be stalemated
CHASING = 2  # pieces, one a queen or rook, with which the king is chased though it has other men
MOST = 10**12  # metapositions or own moves that a budget may be
GROWTH = 3.0  # how many times more metapositions the next level takes at least
BIAS = "repetition, clock and ties"  # what is added to a try beside the evaluation


class DarkboardPlayer(CompiledPlayer):
    """Darkboard (Ciancarini and Favini 2007), for one game at a time.

    Args:
        name: as shown in results.
        constants: what it plays by; with `MoreConstants` it knows what the default player knows.
        first: what it does before any search: `ask_first`, `take_first` or `answer_first`.
        metapositions: budget of a choice, in metapositions evaluated.
        seconds: budget of a choice in seconds, instead of the other; games are not repeatable then.
        depth: own moves looked ahead at most, the first included.
        solved: endings that are played by their tables.

    Attributes:
        nodes: metapositions evaluated since `begin`.
        metaposition: METAPOSITION[1], what the player knows.
        tries: i2[MOST_TRIES], the tries of its present turn.
        bias: f8[MOST_MOVES], what is added to each of them before any search: against loops, for haste.
        values: f8[n], the value of each of them in the last search; −∞ if it was not looked into.
        lines: i4[n, L], the assumed line of each, own moves as in `moves`; 0 ends it.
    """

    def __init__(
        self,
        name: str,
        constants: Constants,
        first: Callable[..., int],
        metapositions: int,
        seconds: float | None,
        depth: int,
        solved: tuple[str, ...] = SOLVED,
    ) -> None:
        self.name = name
        self.constants = constants
        self.first = first
        self.more = constants if isinstance(constants, MoreConstants) else None
        self.search = search_of(SAFETY_ALONE if self.more is None else THREATS)
        self.metapositions = metapositions
        self.seconds = seconds
        self.depth = depth
        self.solved = solved
        self.nodes = 0
        self.work = new_work()
        self.kings = new_kings()
        self.past = new_past()
        self.metaposition = np.zeros(1, METAPOSITION)
        self.constants_record = constants.record()[0]
        self.rules_record = ICC.record()[0]
        self.tries = np.zeros(MOST_TRIES, np.int16)
        self.values = np.zeros(0)
        self.lines = np.zeros((0, 1), np.int32)
        self.bias = np.zeros(MOST_MOVES)
        self._seed = 0
        self._rate = FIRST_RATE

    def prepare(self) -> None:
        """Compile the kernels; solve the long ending, where it is asked for."""
        if self.more is None:
            compile_once(self.name, partial(_play_a_little, self.constants, self.first))
        else:
            compile_once("darkboard", _play_all)
        if LONG in self.solved:
            solve(LONG)

    def start(self, opening: Opening) -> None:
        """See `CompiledPlayer`."""
        self._seed = opening.seed
        self.rules_record = opening.ruleset.record()[0]
        self.metaposition[0] = metaposition_of(list(opening.fens), opening.colour)
        self.past.state[:] = 0
        self.nodes = 0

    def choose(self, view: View) -> int:
        """The next try."""
        n = self.look(view)
        ruled = self.rule(view, n)
        return ruled if ruled is not None else int(self.tries[self.think(view, n)])

    def choose_surely(self, view: View) -> int | None:
        """What `choose` gives if it is by a rule or a chased king; None if values have to be weighed."""
        n = self.look(view)
        ruled = self.rule(view, n)
        if ruled is None and self.chases():
            return int(self.tries[self.think(view, n)])
        return ruled

    def rule(self, view: View, n: int) -> int | None:
        """The try of a hard rule among the first n tries, if there is one to follow."""
        m, c = self.metaposition[0], self.constants_record
        ruled = int(self.first(m, view, self.rules_record, self.tries, n, c))
        return ruled if ruled != NO_RULE and not self.stalemates(view, ruled) else None

    def stalemates(self, view: View, action: int) -> bool:
        """Whether a capture that leaves few men besides the king may be stalemate, and need not be made."""
        m = self.metaposition[0]
        others = int(m["most"][0]) - 2  # after the capture, besides the king
        if self.more is None or others > FEW or action == ANY or view["asked"] == OBLIGED:
            return False
        start, end = int(TRY_FROM[action]), int(TRY_TO[action])
        if others > 0 and not self._pawns_alone_and_stuck(others, end):
            return False
        return bool(may_stalemate(self.kings, m, pack(start, end, int(view["men"][start]), 0)))

    def _pawns_alone_and_stuck(self, others: int, end: int) -> bool:
        """Whether the opponent's other men may all be pawns, most of them stuck, after a capture on `end`."""
        m = self.metaposition[0]
        pawns = int(m["ghosts"][PAWN]) & ~(1 << end)
        stuck = pawns & (int(m["own"][0]) << 8)
        return others <= int(m["most"][PAWN]) and 2 * stuck.bit_count() >= pawns.bit_count()

    def look(self, view: View) -> int:
        """Bring the metaposition up to date and list the tries; how many."""
        m = self.metaposition[0]
        if not follow(m, view, self.rules_record):
            raise ValueError(
                f"player {self.name!r} cannot follow the view: expected the game it has begun, asked in each"
                " of its turns"
            )
        note_turn(self.past, m, view)
        self.values = self.values[:0]
        return int(list_tries(view, self.rules_record, INFORMED, self.tries))

    def weighed(self) -> tuple[npt.NDArray[np.int16], npt.NDArray[np.float32]]:
        """See `WeighsTries`; values are in Darkboard's own unit."""
        found = np.flatnonzero(np.isfinite(self.values))
        return self.tries[found], self.values[found].astype(np.float32)

    def watch(self, view: View) -> None:
        """A turn that has been decided: nothing is searched."""
        self.look(view)

    def explain(self, view: View, most: int) -> Explanation[TryExplained]:
        """The decision that `choose(view)` makes, explained; it may still be asked to choose.

        A try's components are those of `COMPONENTS` that are not 0, and `BIAS`.
        """
        n = self.look(view)
        ruled = self.rule(view, n)
        if ruled is not None:
            return Explanation(ruled, "hard rule", ())
        before = self.nodes
        chosen = int(self.tries[self.think(view, n)])
        made = self.nodes - before
        if self.chases():
            return Explanation(chosen, "bare king", (), made)
        order = np.argsort(-self.values, kind="stable")[:most]
        tries = tuple(self._explained(int(i)) for i in order if np.isfinite(self.values[i]))
        return Explanation(chosen, "search", tries, made)

    def _explained(self, i: int) -> TryExplained:
        work = self.work
        parts = {name: float(part) for name, part in zip(COMPONENTS, work.parts[i], strict=True) if part}
        parts[BIAS] = float(work.static[0, i]) - sum(parts.values())
        line = tuple(action_of(int(move)) for move in takewhile(bool, self.lines[i]))
        return TryExplained(action_of(int(work.moves[0, i])), float(self.values[i]), parts, line)

    def think(self, view: View, n: int) -> int:
        """Search among the first n tries; the place of the best."""
        m, work, bias = self.metaposition[0], self.work, self.bias
        if n > 1 and self.tries[n - 1] == ANY:
            n -= 1
        bias[:n] = self._jitter(view, n)
        list_root(work, m, view, self.tries, n)
        if self.chases():
            sure = self._solved(n)
            return self._hunt(view, n) if sure is None else sure
        self._bias_tries(view, n)
        return self._deepen(n)

    def weigh(self, view: View) -> None:
        """Static values of all tries of this turn, by component, into `work.parts`; no search."""
        n = self.look(view)
        if n > 1 and self.tries[n - 1] == ANY:
            n -= 1
        self.bias[:n] = self._jitter(view, n)
        list_root(self.work, self.metaposition[0], view, self.tries, n)
        self._bias_tries(view, n)
        self.search.prepare_root(self.work, self.metaposition[0], n, self.bias, self.constants_record)

    def _bias_tries(self, view: View, n: int) -> None:
        """Take off what tries in a loop cost, and prefer pawns when the clock runs."""
        c, work, bias = self.constants, self.work, self.bias
        back, free = (int(c.loop), 1) if self.more is None else (len(self.past.keys), 0)
        repetition_bias(self.past, view, self.tries, n, back, free, c.repetition, bias)
        if self.more is not None:
            clock_bias(view, work.moves[0], n, self.constants_record, bias)

    def chases(self) -> bool:
        """Whether the opponent's king is all that counts: bare, or nearly so and we are far stronger."""
        if self.more is None:
            return False
        m = self.metaposition[0]
        others = int(m["most"][0]) - 1
        pawns_only = others <= int(m["most"][PAWN])
        if others > max(0, self.more.chase_pawns if pawns_only else self.more.chase_men):
            return False
        heavy = int(m["own"][QUEEN] | m["own"][ROOK]).bit_count()
        pieces = heavy + int(m["own"][BISHOP] | m["own"][KNIGHT]).bit_count()
        return others == 0 or (heavy >= 1 and pieces >= CHASING)

    def _jitter(self, view: View, n: int) -> np.ndarray[Any, Any]:
        """What the seed adds to each of n tries: the same whenever the same decision is looked at."""
        rng = np.random.default_rng([self._seed, int(view["moves"]), int(view["refusals"])])
        return rng.random(n) * self.constants.jitter

    def _solved(self, n: int) -> int | None:
        """The try of a solved ending; None if the ending is not solved, or promises nothing."""
        m = self.metaposition[0]
        squares = int(m["ghosts"][KING])
        ending = ending_of(m["own"])
        if m["most"][0] != 1 or ending is None or ending.name not in self.solved or squares == 0:
            return None
        table = solve(ending)
        choice = table.best(m["own"], squares) or table.gamble(m["own"], squares)
        if choice is None:
            return None
        found = np.flatnonzero(self.tries[:n] == choice.action)
        return int(found[0]) if len(found) else None

    def _hunt(self, view: View, n: int) -> int:
        """The best of the moves against a bare king."""
        assert self.more is not None
        kings, m, bias = self.kings, self.metaposition[0], self.bias
        kings.moves[0, :n] = self.work.moves[0, :n]
        kings.tally[:] = 0, m["most"][0] > 1
        cost = self.more.bare_repetition
        repetition_bias(self.past, view, self.tries, n, len(self.past.keys), 0, cost, bias)
        bias[:n] *= -1.0  # costs here
        without_castling(kings.moves[0], n, bias)
        best = int(hunt(kings, m, n, bias))
        self.nodes += int(kings.tally[0])
        return best

    def _deepen(self, n: int) -> int:
        """Look one level deeper at a time while the budget lasts; the place of the best try."""
        work, c = self.work, self.constants_record
        alpha = float(dynamic_alpha(self.metaposition[0], c))
        begun = time.perf_counter()
        done = int(self.search.prepare_root(work, self.metaposition[0], n, self.bias, c))
        self.values = work.static[0, :n].copy()
        self.lines = work.moves[0, :n, None].copy()
        for bottom in range(1, min(self.depth, DEEPEST)):
            limit = self._limit(done, time.perf_counter() - begun)
            before = done
            done = int(self.search.look_into_root(work, bottom, alpha, limit, done, c))
            if done > limit:
                break
            self.values, self.lines = work.values[:n].copy(), work.assumed[:n].copy()
            if done == before or done + GROWTH * (done - before) > limit:
                break
        if self.seconds is not None:
            self._rate = max(1.0, done / max(1e-6, time.perf_counter() - begun))
        self.nodes += done
        return int(np.argmax(self.values))

    def _limit(self, done: int, spent: float) -> int:
        """Most metapositions to be evaluated for this choice."""
        if self.seconds is None:
            return self.metapositions
        return done + int(max(0.0, self.seconds - spent) * self._rate)


def _play_a_little(constants: Constants, first: Callable[..., int]) -> DarkboardPlayer:
    """Call the kernels of a player with such constants, but for those that few games need."""
    player = DarkboardPlayer("darkboard", constants, first, 1000, None, 3)
    for fen in (chess.STARTING_FEN, "7k/8/8/8/8/8/P7/KR6 w - - 0 1"):
        player.start(kriegspiel.opening(chess.WHITE, ICC, fen))
        player.choose(Game(ICC, fen).view(chess.WHITE))
    return player


def _play_all() -> None:
    """Call every kernel of the default player once, but for those of endings, which few games come to."""
    player = _play_a_little(DEFAULT, take_first)
    may_stalemate(player.kings, player.metaposition[0], pack(0, 1, ROOK, 0))


# Name, constants and what is done before any search, by the word after the colon.
PLAYERS: dict[str, tuple[str, Constants, Callable[..., int]]] = {
    "": ("darkboard", DEFAULT, take_first),
    "improved": ("darkboard:improved", IMPROVED, answer_first),
    "literal": ("darkboard:literal", LITERAL, ask_first),
}


def darkboard_player(
    metapositions: int = METAPOSITIONS,
    seconds: float | None = None,
    improved: bool = False,
    literal: bool = False,
    depth: int = DEEPEST,
    kbnk: bool = False,
) -> DarkboardPlayer:
    """The player `darkboard`: a search over metapositions, after Ciancarini and Favini (2007).

    With `literal` it is their program and nothing else.

    With `improved` it is that program with hard rules before the search, as in their experiments of 2010.

    With `kbnk` it mates with bishop and knight by that ending's table, too, which is solved once in a minute
    or two and kept on disk.

    Raises:
        ValueError: a parameter that makes no player.
    """
    check_whole("darkboard", "metapositions", metapositions, 1, MOST)
    check_whole("darkboard", "depth", depth, 1, MOST)
    check_seconds("darkboard", seconds)
    for word, value in (("improved", improved), ("literal", literal), ("kbnk", kbnk)):
        check_switch("darkboard", word, value)
    if improved + literal + kbnk > 1:
        raise ValueError(
            "player 'darkboard': improved and literal are players of their own and know no endings;"
            " expected one of improved, literal and kbnk"
        )
    name, constants, first = PLAYERS["improved" if improved else "literal" if literal else ""]
    solved = (*SOLVED, LONG) if kbnk else SOLVED
    return DarkboardPlayer(name, constants, first, metapositions, seconds, depth, solved)
