"""A duel in dark chess whose every look at the compiled referee is one call of a kernel, for long runs.

Compared at each try: what both players hear, the board, counters, both masks, and all that the views hold of
what each player sees, has seen and was told. The planes and the methods of `DarkGame` are compared at the
end of a game.
"""

from __future__ import annotations

from typing import Any, Final

import chess
import numpy as np

from ks_env.core.answers import Kind, Reason
from ks_env.core.jit import kernel
from ks_env.core.record import i8
from ks_env.core.tries import INFORMED, MOST_TRIES, OWN_BOARD
from ks_env.games.dark.game import DarkGame
from ks_env.games.dark.judge import judge
from ks_env.games.dark.tries import list_tries
from tests.games.dark.duel import ANSWERS, Duel, told
from tests.games.dark.oracle import Told
from tests.oracle import actions

SEAT: Final = 24  # numbers told of a seat
STATE: Final = 20
MOST_REMEMBERED: Final = 100_000
Both = tuple[Told | None, Told | None]
_SAID: dict[bytes, Both] = {}


@kernel
def mirrored(squares: np.uint64, seat: int) -> np.uint64:
    """Squares of a seat's frame as those of the board."""
    if seat == 0:
        return squares
    found = np.uint64(0)
    for rank in range(8):
        row = squares >> np.uint64(8 * rank) & np.uint64(255)
        found |= row << np.uint64(56 - 8 * rank)
    return found


@kernel
def look(
    games: np.ndarray,
    rules: np.ndarray,
    tries: np.ndarray,
    bits: np.ndarray,
    state: np.ndarray,
    ages: np.ndarray,
) -> None:
    """Write what the side to move may try, the referee's state and both views, in squares of the board.

    Args:
        games: GAME[1].
        rules: RULES[1].
        tries: i2[MOST_TRIES], overwritten.
        bits: u1[2, BYTES], the masks "informed" and "own-board".
        state: u8[STATE + 2 * SEAT].
        ages: u1[2, 64].
    """
    truth = games[0].truth
    bits[:] = 0
    if truth.reason == 0:
        view = games[0].views[i8(truth.side)]
        for level in (INFORMED, OWN_BOARD):
            row = 0 if level == INFORMED else 1
            n = list_tries(view, rules[0], level, tries)
            for i in range(n):
                action = i8(tries[i])
                bits[row, action >> 3] |= np.uint8(1 << (action & 7))
    for kind in range(1, 7):
        state[kind - 1] = truth.kinds[kind]
    state[6], state[7] = truth.seats[0], truth.seats[1]
    state[8], state[9], state[10] = truth.side, truth.rights, truth.ep + 1
    state[11], state[12], state[13] = truth.clock, truth.move_number, truth.plies
    state[14], state[15], state[16] = truth.reason, truth.winner + 1, truth.answered
    for seat in range(2):
        view = games[0].views[seat]
        at = STATE + SEAT * seat
        mirror = 56 * seat
        state[at] = mirrored(view.seen, seat)
        for kind in range(1, 7):
            state[at + kind] = mirrored(view.their_kinds[kind], seat)
            state[at + 6 + kind] = mirrored(view.recalled[kind], seat)
        state[at + 13] = 0 if view.passed < 0 else 1 + (view.passed ^ mirror)
        state[at + 14] = 0 if view.lost < 0 else 1 + (view.lost ^ mirror)
        state[at + 15] = view.lost_kind
        state[at + 16] = 0 if view.took < 0 else 1 + (view.took ^ mirror)
        state[at + 17] = view.took_kind
        state[at + 18], state[at + 19] = view.answer, view.fifty
        state[at + 20], state[at + 21] = view.pawns_taken, view.pieces_taken
        state[at + 22], state[at + 23] = view.refusals, mirrored(view.own, seat)
        for square in range(64):
            ages[seat, square ^ mirror] = view.age[square]


@kernel
def ask_and_look(
    games: np.ndarray,
    history: np.ndarray,
    rules: np.ndarray,
    action: int,
    tries: np.ndarray,
    bits: np.ndarray,
    state: np.ndarray,
    ages: np.ndarray,
) -> None:
    """Put a try of the side to move to the referee, then `look`."""
    judge(games[0], history[0], rules[0], action)
    look(games, rules, tries, bits, state, ages)


class QuickDuel(Duel):
    """See the module."""

    def __init__(self, fen: str = chess.STARTING_FEN, **options: Any) -> None:
        self._tries = np.zeros(MOST_TRIES, np.int16)
        self._bits = np.zeros((2, actions.BYTES), np.uint8)
        self._state = np.zeros(STATE + 2 * SEAT, np.uint64)
        self._ages = np.zeros((2, 64), np.uint8)
        super().__init__(fen, **options)
        self._said = self.game._games["truth"]["said"]
        self.look()
        self.compare_now()

    def look(self) -> None:
        """Read the compiled referee anew."""
        look(self.game._games, self.game._rules, self._tries, self._bits, self._state, self._ages)

    def ask(self, action: int) -> None:
        game, oracle = self.game, self.oracle
        told_before = {colour: len(oracle.seats[colour].heard) for colour in chess.COLORS}
        answer = oracle.ask(action)
        self.kinds[answer] += 1
        buffers = self._tries, self._bits, self._state, self._ages
        ask_and_look(game._games, game._history, game._rules, action, *buffers)
        for colour, heard in zip((True, False), self._both_hear(), strict=True):
            expected = oracle.seats[colour].heard[told_before[colour] :]
            assert ([] if heard is None else [heard]) == expected, (heard, expected)
            self.compared[colour] = len(oracle.seats[colour].heard)
        self.compare_now()

    def _both_hear(self) -> Both:
        key = self._said.tobytes()
        found = _SAID.get(key)
        if found is None:
            white, black = DarkGame.both_hear(self.game.row(), self.game.ruleset)
            found = told(white) if white else None, told(black) if black else None
            if len(_SAID) < MOST_REMEMBERED:
                _SAID[key] = found
        return found

    def compare_now(self) -> None:
        """The board, counters, masks and views."""
        oracle, state = self.oracle, self._state.tolist()
        position = oracle.position
        white, black = position.kinds[True], position.kinds[False]
        assert state[:6] == [a | b for a, b in zip(white[1:], black[1:], strict=True)], "men"
        assert state[6:8] == [position.own[True], position.own[False]], "men by colour"
        rights = sum(1 << i for i, letter in enumerate("KQkq") if letter in position.rights)
        passed = 0 if position.passed is None else position.passed + 1
        assert state[8:11] == [not position.turn, rights, passed], "turn, rights, passed"
        assert state[11:14] == [oracle.clock, oracle.number, oracle.plies], "counters"
        winner = 0 if oracle.winner is None else 1 if oracle.winner else 2
        assert (Reason(state[14]).name.lower(), state[15]) == (oracle.reason, winner), "result"
        to_play = oracle.to_play is not None
        assert not to_play or state[16] == oracle.tries, "tries this turn"
        legal, own = (oracle.legal_bits(), oracle.own_board_bits()) if to_play else (0, 0)
        assert int.from_bytes(self._bits[0].tobytes(), "little") == legal, "informed mask"
        assert int.from_bytes(self._bits[1].tobytes(), "little") == own, "own-board mask"
        for number, colour in enumerate((True, False)):
            at = STATE + SEAT * number
            assert state[at : at + SEAT] == self._expected(colour), (colour, "view")
            assert self._ages[number].tobytes() == oracle.seats[colour].age.to_bytes(64, "little"), "ages"

    def _expected(self, colour: bool) -> list[int]:
        oracle, seat = self.oracle, self.oracle.seats[colour]
        turn = oracle.position.turn == colour
        passed = oracle.position.passed
        lost, took = seat.lost or (-1, 0), seat.took or (-1, 0)
        return [
            seat.seen,
            *oracle.in_sight(colour)[1:],
            *seat.recalled[1:],
            0 if passed is None or not turn else passed + 1,
            lost[0] + 1,
            lost[1],
            took[0] + 1,
            took[1],
            KINDS_OF_ANSWER[ANSWERS[seat.answer]],
            seat.fifty,
            seat.taken["pawns"],
            seat.taken["pieces"],
            len(oracle.refused) if turn else 0,
            oracle.position.own[colour],
        ]


KINDS_OF_ANSWER = (0, int(Kind.ILLEGAL), int(Kind.NONSENSE), int(Kind.MOVED))
