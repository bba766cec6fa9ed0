"""A duel whose every look at the compiled referee is one call of a kernel, for runs of millions of tries.

As much is compared at each try as by `Duel`, and the board and what the waiting player hears too; the methods
of `Game` are not gone through but at the end of a game. Announcements are made by `ks_env` of each answer
record, once for equal records.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from ks_env.core.answers import Reason
from ks_env.core.jit import kernel
from ks_env.core.position import legal_targets
from ks_env.core.record import i8
from ks_env.core.tables import ANY, TRY_FROM, TRY_TO
from ks_env.core.tries import INFORMED, MOST_TRIES, OWN_BOARD
from ks_env.games.kriegspiel.game import Game
from ks_env.games.kriegspiel.judge import judge
from ks_env.games.kriegspiel.tries import list_tries
from tests.duel import REASONS, Duel, Options, as_heard
from tests.oracle import Heard, actions

BITS: Final = ("legal tries", "informed mask", "own-board mask")
STATE: Final = 20
ENDS: Final = [REASONS.get(reason, reason.name) for reason in Reason]
MOST_REMEMBERED: Final = 100_000
Both = tuple[Heard | None, Heard | None]
_SAID: dict[tuple[str, bytes], Both] = {}


@kernel
def look(
    games: np.ndarray, rules: np.ndarray, tries: np.ndarray, bits: np.ndarray, state: np.ndarray
) -> None:
    """Write what the side to move may try and the referee's state.

    Args:
        games: GAME[1].
        rules: RULES[1].
        tries: i2[MOST_TRIES], overwritten.
        bits: u1[3, BYTES], sets of actions in the order of `BITS`; a capture that is owed is not heeded.
        state: u8[STATE], see `QuickDuel.compare_state`.
    """
    truth = games[0].truth
    bits[:] = 0
    side = i8(truth.side)
    if truth.reason == 0:
        view = games[0].views[side]
        for level in (INFORMED, OWN_BOARD):
            row = 1 if level == INFORMED else 2
            n = list_tries(view, rules[0], level, tries)
            for i in range(n):
                action = i8(tries[i])
                bits[row, action >> 3] |= np.uint8(1 << (action & 7))
        for i in range(n):
            action = i8(tries[i])
            if action == ANY:
                continue
            targets = legal_targets(truth, i8(TRY_FROM[action]) ^ 56 * side)
            if targets >> np.uint64(i8(TRY_TO[action]) ^ 56 * side) & np.uint64(1):
                bits[0, action >> 3] |= np.uint8(1 << (action & 7))
    same = 1
    for kind in range(1, 7):
        state[kind - 1] = truth.kinds[kind]
    for square in range(64):
        man = i8(truth.men[square])
        for kind in range(1, 7):
            there = truth.kinds[kind] >> np.uint64(square) & np.uint64(1)
            same &= (man & 7 == kind) == (there == 1)
        for seat in range(2):
            there = truth.seats[seat] >> np.uint64(square) & np.uint64(1)
            same &= (man != 0 and man >> 3 == seat) == (there == 1)
    state[6], state[7] = truth.seats[0], truth.seats[1]
    castling = np.uint64(0)
    for i in range(4):
        if truth.rights >> i & 1:
            corner = (7, 0, 63, 56)[i]
            castling |= np.uint64(1) << np.uint64(corner)
    state[8], state[9], state[10] = truth.side, castling, truth.ep + 1
    state[11], state[12], state[13] = truth.clock, truth.move_number, truth.plies
    state[14], state[15], state[16] = truth.reason, truth.winner + 1, truth.answered
    state[17] = same


@kernel
def ask_and_look(
    games: np.ndarray,
    history: np.ndarray,
    rules: np.ndarray,
    action: int,
    tries: np.ndarray,
    bits: np.ndarray,
    state: np.ndarray,
) -> None:
    """Put a try of the side to move to the referee, then `look`."""
    judge(games[0], history[0], rules[0], action)
    look(games, rules, tries, bits, state)


class QuickDuel(Duel):
    """See the module; every try is compared on its own."""

    def __init__(self, ruleset: str, fen: str, options: Options | None = None) -> None:
        super().__init__(ruleset, fen, options)
        self._tries = np.zeros(MOST_TRIES, np.int16)
        self._bits = np.zeros((len(BITS), actions.BYTES), np.uint8)
        self._state = np.zeros(STATE, np.uint64)
        self._said = self.ours._games["truth"]["said"]
        self._rows: Any = (self.ours._games, self.ours._history, self.ours._rules)
        self.look()
        self.compare_state()

    def look(self) -> None:
        """Read the compiled referee anew."""
        look(self._rows[0], self._rows[2], self._tries, self._bits, self._state)

    def ask(self, action: int) -> Heard:
        """Put one try to both, compare what both players hear, the board and the counters."""
        self.asked.append(action)
        mover = self.oracle.board.turn
        mine, theirs = self.oracle.ask(action)
        games, history, rules = self._rows
        ask_and_look(games, history, rules, action, self._tries, self._bits, self._state)
        heard = self._both_hear()
        self._same("what the mover hears", heard[not mover], mine)
        self._same("what the other player hears", heard[mover], theirs)
        self.compare_state()
        return mine

    def _both_hear(self) -> Both:
        """What White and Black hear of the latest answer."""
        key = self.ruleset, self._said.tobytes()
        found = _SAID.get(key)
        if found is None:
            white, black = Game.both_hear(self.ours.row(), self.ours.ruleset)
            found = as_heard(white) if white else None, as_heard(black) if black else None
            if len(_SAID) < MOST_REMEMBERED:
                _SAID[key] = found
        return found

    def compare_state(self) -> None:
        """The board with all that makes two positions the same, counters, and the result."""
        state = self._state.tolist()
        oracle, key = self.oracle, self.oracle.survey.key
        board = oracle.board
        men = tuple(state[:6])
        ep_square = state[10] - 1 if state[10] else None
        self._same("board", (men, state[7], state[6], state[8] == 0, state[9], ep_square), key)
        counters = board.halfmove_clock, board.fullmove_number, oracle.plies
        self._same("clock, move number and plies", tuple(state[11:14]), counters)
        winner = None if state[15] == 0 else state[15] == 1
        self._same("reason and winner", (ENDS[state[14]], winner), (oracle.reason, oracle.winner))
        if not oracle.reason:
            self._same("tries this turn", state[16], oracle.tries_this_turn)
        self._same("men by square and by kind", state[17], 1)

    def compare_decision(self) -> None:
        """Legal tries and both masks of the side to play, and that each contains the one before."""
        oracle = self.oracle
        seat = oracle.seats[oracle.board.turn]
        question = seat.asks() << actions.ANY
        legal, informed = oracle.legal_bits(), seat.informed_bits() | question
        own = seat.own_board_bits() | question
        if oracle.reason:
            legal = informed = own = 0
        packed = self._bits.tobytes()
        for i, expected in enumerate((legal, informed, own)):
            found = int.from_bytes(packed[i * actions.BYTES : (i + 1) * actions.BYTES], "little")
            if found != expected:
                self._same(BITS[i], set(actions.members(found)), set(actions.members(expected)))
        if legal & ~informed or informed & ~own:
            self._fail("masks do not contain each other")

    def compare_all(self) -> None:
        """By the methods of `Game`: the board, the own boards, counters. What was heard has been compared."""
        self.compare_boards()
