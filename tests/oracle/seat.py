"""What one player can work out from the start and from what he heard: his men, and his two masks.

`Seat` is told the public start and each message its player hears, never the board. All its squares are the
player's own (Black's mirrored). The masks follow the closed lists of the design:

own-board   pseudo-legal over one's own men, enemy men wherever they help
informed    the same, less
            (a) pawn captures when none was announced possible
            (b) tries refused this turn
            (c) castling when in check
            (d) all but king moves in double check; in a knight check, moves of other men that do not land a
                knight's move from the king
            (e) in a single line check, moves of other men that do not land on that line, en passant shapes
                exempt
            (f) straight pawn moves onto, and slides past, the square of a capture that the opponent has just
                made, unless it may have been en passant
            (g) out of check, the slides longer than one refused this turn in the same direction
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple

import chess

from tests.oracle import actions
from tests.oracle.rules import Rules

LINE_WORDS: Final = ("rank", "file", "long diagonal", "short diagonal")
CHECK_WORDS: Final = (*LINE_WORDS, "knight")
SLIDERS: Final = (chess.BISHOP, chess.ROOK, chess.QUEEN)


class Heard(NamedTuple):
    """One message as one listener hears it; squares are those of the board."""

    kind: str  # "start", "illegal", "nonsense", "moved", "any yes", "any no"
    by: chess.Color
    action: int | None = None
    captured: str | None = None
    square: int | None = None
    en_passant: bool = False
    checks: tuple[str, ...] = ()
    tries: int | None = None
    try_squares: tuple[int, ...] = ()
    promotion: bool = False
    winner: chess.Color | None = None
    reason: str = ""


def _ray(source: int, files: int, ranks: int) -> tuple[int, ...]:
    squares = []
    file, rank = source % 8 + files, source // 8 + ranks
    while 0 <= file < 8 and 0 <= rank < 8:
        squares.append(8 * rank + file)
        file, rank = file + files, rank + ranks
    return tuple(squares)


def _board(squares: Iterable[int]) -> int:
    """Squares as the bits of a number."""
    return sum(1 << square for square in squares)


def _leaps(source: int, steps: Iterable[tuple[int, int]]) -> int:
    return _board(_ray(source, files, ranks)[0] for files, ranks in steps if _ray(source, files, ranks))


STRAIGHT: Final = ((1, 0), (-1, 0), (0, 1), (0, -1))
OBLIQUE: Final = ((1, 1), (1, -1), (-1, 1), (-1, -1))
JUMPS: Final = tuple((f, r) for f in (-2, -1, 1, 2) for r in (-2, -1, 1, 2) if abs(f) != abs(r))
DIRECTIONS: Final = {chess.ROOK: STRAIGHT, chess.BISHOP: OBLIQUE, chess.QUEEN: STRAIGHT + OBLIQUE}
RAYS: Final = {
    man: [[_ray(s, *d) for d in directions if _ray(s, *d)] for s in range(64)]
    for man, directions in DIRECTIONS.items()
}
SEEN: Final = {man: [_board(t for ray in RAYS[man][s] for t in ray) for s in range(64)] for man in SLIDERS}
LEAPS: Final = {
    chess.KNIGHT: [_leaps(s, JUMPS) for s in range(64)],
    chess.KING: [_leaps(s, STRAIGHT + OBLIQUE) for s in range(64)],
}
PAWN_TAKES: Final = [_leaps(s, ((-1, 1), (1, 1))) for s in range(64)]
PAST: Final = [  # squares beyond the second, on a slide from the first
    [sum(_board(ray[ray.index(q) + 1 :]) for ray in RAYS[chess.QUEEN][s] if q in ray) for q in range(64)]
    for s in range(64)
]
_REACHED: dict[tuple[int, int, int], int] = {}


def slide(man: chess.PieceType, source: int, occupied: int) -> int:
    """The empty squares that a sliding man reaches."""
    key = man, source, occupied & SEEN[man][source]
    found = _REACHED.get(key)
    if found is None:
        found = 0
        for ray in RAYS[man][source]:
            for target in ray:
                if occupied >> target & 1:
                    break
                found |= 1 << target
        if len(_REACHED) < actions.MOST_REMEMBERED:
            _REACHED[key] = found
    return found


def line_through(king: int, word: str) -> frozenset[int]:
    """All squares of the rank, file, long or short diagonal through the king's square, his own included."""
    file, rank = king % 8, king // 8
    rising = frozenset(s for s in range(64) if s % 8 - s // 8 == file - rank)
    falling = frozenset(s for s in range(64) if s % 8 + s // 8 == file + rank)
    short, long = sorted((rising, falling), key=len)
    if word == "rank":
        return frozenset(s for s in range(64) if s // 8 == rank)
    if word == "file":
        return frozenset(s for s in range(64) if s % 8 == file)
    return long if word == "long diagonal" else short


LINES: Final = {word: [_board(line_through(king, word)) for king in range(64)] for word in LINE_WORDS}


class Reach(NamedTuple):
    """Where a man could go over his own side's men alone, as bitboards; captures are a pawn's."""

    source: int
    man: chess.PieceType
    targets: int
    captures: int
    castling: int


class Seat:
    """One player's own men, rights, what he was told about this turn, and his masks.

    `men` and `rights` ("king's" and "queen's" rook squares 7 and 0) are his from the start position.
    """

    def __init__(self, rules: Rules, colour: chess.Color, start: chess.Board) -> None:
        self.rules = rules
        self.colour = colour
        self.men: dict[int, chess.PieceType] = {
            self._own(square): piece.piece_type
            for square, piece in start.piece_map().items()
            if piece.color == colour
        }
        rights = start.clean_castling_rights()
        self.rights = {corner for corner in (0, 7) if rights & chess.BB_SQUARES[self._own(corner)]}
        self.double_step: int | None = None
        if start.ep_square is not None and start.turn != colour:
            self.double_step = self._own(start.ep_square) + 8
        self._new_turn()

    def _own(self, square: int) -> int:
        return actions.seat_square(square, self.colour)

    def _new_turn(self) -> None:
        self.checks: tuple[str, ...] = ()
        self.no_captures = False
        self.capturing_pawns: frozenset[int] | None = None
        self.taken_on: int | None = None
        self.asked = False
        self.obliged = False
        self.refused: set[int] = set()
        self.refused_bits = 0
        self._ruled_out = 0  # by the refusals, in the informed mask
        self._forget()

    def _forget(self) -> None:
        self._reach: list[Reach] | None = None
        self._own_board: int | None = None
        self._announced: int | None = None

    def copy(self) -> Seat:
        twin = object.__new__(Seat)
        twin.__dict__.update(self.__dict__)
        twin.men = dict(self.men)
        twin.rights = set(self.rights)
        twin.refused = set(self.refused)
        return twin

    # -- listening -------------------------------------------------------------------------------------------

    def hear(self, message: Heard) -> None:
        """Take in one message that this player hears."""
        mine = message.by == self.colour
        if message.kind == "start" and mine:
            self._begin_turn(message)
        elif message.kind == "moved":
            if mine:
                self._move_own(message)
                self._new_turn()
            else:
                self._new_turn()
                self._suffer(message)
                self._begin_turn(message)
                self.double_step = None
        elif mine and message.kind == "illegal":
            self._note_refusal(message)
        elif mine and message.kind in ("any yes", "any no"):
            self.asked = True
            self.obliged = message.kind == "any yes"
            self.no_captures = message.kind == "any no"
            self._forget()

    def _begin_turn(self, message: Heard) -> None:
        self.checks = message.checks
        self.no_captures = message.tries == 0
        if self.rules.tries == "squares":
            self.capturing_pawns = frozenset(map(self._own, message.try_squares))

    def _move_own(self, message: Heard) -> None:
        assert message.action is not None
        source, target, promotion = actions.STEPS[message.action]
        man = self.men.pop(source)
        self.double_step = target if man == chess.PAWN and target - source == 16 else None
        if man == chess.PAWN and target >= 56:
            man = promotion or chess.QUEEN
        if man == chess.KING:
            if abs(source - target) == 2 and self.rights:
                del self.men[7 if target > source else 0]
                self.men[(source + target) // 2] = chess.ROOK
            self.rights.clear()
        self.rights.discard(source)
        self.men[target] = man

    def _suffer(self, message: Heard) -> None:
        if message.square is None:
            return
        square = self._own(message.square)
        self.taken_on = square
        if message.en_passant:
            del self.men[square + 8]
            return
        if square == self.double_step and message.captured != "piece" and not self.rules.en_passant_named:
            self.taken_on = None
        del self.men[square]
        self.rights.discard(square)

    def _note_refusal(self, message: Heard) -> None:
        """Record a refused try; a hopeless one that is answered by the same word leaves no trace."""
        action = message.action
        if action is None or action in self.refused or not self.own_board_bits() >> action & 1:
            return
        source, target, _ = actions.STEPS[action]
        man = self.men[source]
        self.refused.add(action)
        self.refused_bits |= 1 << action
        self._ruled_out |= 1 << action
        if not self.checks and man in SLIDERS:
            self._ruled_out |= actions.leading(source, PAST[source][target] & SEEN[man][source], False)
        taking = man == chess.PAWN and source % 8 != target % 8
        if self.obliged and self.rules.any == "one try" and taking:
            self.obliged = False
            self._forget()

    # -- the own-board mask ----------------------------------------------------------------------------------

    def reach(self) -> list[Reach]:
        """Where each man could go, the tries that an obligation leaves."""
        if self._reach is None:
            occupied = _board(self.men)
            self._reach = [
                self._reach_of(source, man, occupied)
                for source, man in self.men.items()
                if man == chess.PAWN or not self.obliged
            ]
        return self._reach

    def _reach_of(self, source: int, man: chess.PieceType, occupied: int) -> Reach:
        if man == chess.PAWN:
            ahead = 0 if self.obliged else 1 << source + 8 & ~occupied
            if ahead and source // 8 == 1:
                ahead |= 1 << source + 16 & ~occupied
            return Reach(source, man, ahead, PAWN_TAKES[source] & ~occupied, 0)
        if man in RAYS:
            return Reach(source, man, slide(man, source, occupied), 0, 0)
        castling = 0
        if man == chess.KING and self.rights:
            if 7 in self.rights and not occupied & _board((5, 6)):
                castling = 1 << 6
            if 0 in self.rights and not occupied & _board((1, 2, 3)):
                castling |= 1 << 2
        return Reach(source, man, LEAPS[man][source] & ~occupied, 0, castling)

    def own_board_bits(self) -> int:
        """The own-board mask without the question, as bits."""
        if self._own_board is None:
            self._own_board = 0
            for source, man, targets, captures, castling in self.reach():
                self._own_board |= actions.leading(source, targets | captures | castling, man == chess.PAWN)
        return self._own_board

    def pawn_capture_bits(self) -> int:
        """Pawn captures over the own board, as bits."""
        bits = 0
        for source, _, _, captures, _ in self.reach():
            if captures:
                bits |= actions.leading(source, captures, True)
        return bits

    # -- the informed mask -----------------------------------------------------------------------------------

    def informed_bits(self) -> int:
        """The informed mask without the question, as bits."""
        if self._announced is None:
            if (
                self.no_captures
                or self.checks
                or self.taken_on is not None
                or self.capturing_pawns is not None
            ):
                self._announced = self._after_announcements()
            else:
                self._announced = self.own_board_bits()
        return self._announced & ~self._ruled_out

    def _after_announcements(self) -> int:
        left = 0
        answering = self._squares_that_answer_check()
        for source, man, targets, captures, castling in self.reach():
            if self.no_captures or (self.capturing_pawns is not None and source not in self.capturing_pawns):
                captures = 0
            if self.taken_on is not None:
                if man == chess.PAWN:
                    targets &= ~(1 << self.taken_on)
                elif man in SLIDERS:
                    targets &= ~PAST[source][self.taken_on]
            if self.checks:
                castling = 0
                if man != chess.KING:
                    targets &= answering
                    if not (self._in_line_check() and source // 8 == 4):  # en passant may answer it
                        captures &= answering
            left |= actions.leading(source, targets | captures | castling, man == chess.PAWN)
        return left

    def _in_line_check(self) -> bool:
        return len(self.checks) == 1 and self.checks[0] != "knight"

    def _squares_that_answer_check(self) -> int:
        """Where men other than the king may go in a check; none in a double one."""
        if len(self.checks) != 1:
            return 0
        king = next(square for square, man in self.men.items() if man == chess.KING)
        word = self.checks[0]
        return LEAPS[chess.KNIGHT][king] if word == "knight" else LINES[word][king]

    # -- the masks as sets of actions ------------------------------------------------------------------------

    def asks(self) -> bool:
        """Whether the question is a try of the masks."""
        return self.rules.any != "never" and not self.asked

    def own_board(self) -> set[int]:
        return set(actions.members(self.own_board_bits() | self.asks() << actions.ANY))

    def informed(self) -> set[int]:
        return set(actions.members(self.informed_bits() | self.asks() << actions.ANY))
