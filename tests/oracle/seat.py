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


class Shape(NamedTuple):
    """A pseudo-legal move over one's own men."""

    action: int
    source: int
    target: int
    man: chess.PieceType


def _ray(source: int, files: int, ranks: int) -> tuple[int, ...]:
    squares = []
    file, rank = source % 8 + files, source // 8 + ranks
    while 0 <= file < 8 and 0 <= rank < 8:
        squares.append(8 * rank + file)
        file, rank = file + files, rank + ranks
    return tuple(squares)


def _leaps(source: int, steps: Iterable[tuple[int, int]]) -> tuple[int, ...]:
    return tuple(_ray(source, files, ranks)[0] for files, ranks in steps if _ray(source, files, ranks))


STRAIGHT: Final = ((1, 0), (-1, 0), (0, 1), (0, -1))
OBLIQUE: Final = ((1, 1), (1, -1), (-1, 1), (-1, -1))
JUMPS: Final = tuple((f, r) for f in (-2, -1, 1, 2) for r in (-2, -1, 1, 2) if abs(f) != abs(r))
RAYS: Final = {
    chess.ROOK: [[_ray(s, *d) for d in STRAIGHT] for s in range(64)],
    chess.BISHOP: [[_ray(s, *d) for d in OBLIQUE] for s in range(64)],
    chess.QUEEN: [[_ray(s, *d) for d in STRAIGHT + OBLIQUE] for s in range(64)],
}
LEAPS: Final = {
    chess.KNIGHT: [_leaps(s, JUMPS) for s in range(64)],
    chess.KING: [_leaps(s, STRAIGHT + OBLIQUE) for s in range(64)],
}
BETWEEN: Final = [[chess.SquareSet(chess.between(s, t)) for t in range(64)] for s in range(64)]
NUMBERS: Final = [[actions.NUMBER.get(actions.Step(s, t, None), -1) for t in range(64)] for s in range(64)]
UNDER: Final = {
    (s, t): tuple(actions.NUMBER[actions.Step(s, t, k)] for k in (chess.KNIGHT, chess.BISHOP, chess.ROOK))
    for s, t, promotion in actions.STEPS
    if promotion is not None
}


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


LINES: Final = {word: [line_through(king, word) for king in range(64)] for word in LINE_WORDS}


def is_pawn_capture(shape: Shape) -> bool:
    return shape.man == chess.PAWN and shape.source % 8 != shape.target % 8


def is_castling(shape: Shape) -> bool:
    return shape.man == chess.KING and abs(shape.source % 8 - shape.target % 8) == 2


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
        self._shapes: dict[int, Shape] | None = None
        self._unrefused: dict[int, Shape] | None = None

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
            self._shapes = self._unrefused = None

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
        if action is None or action in self.refused:
            return
        shape = self.shapes().get(action)
        if shape is None:
            return
        self.refused.add(action)
        if self._unrefused is not None:
            self._unrefused = self._without_refused(self._unrefused, shape)
        if self.obliged and self.rules.any == "one try" and is_pawn_capture(shape):
            self.obliged = False
            self._shapes = self._unrefused = None

    # -- the own-board mask ----------------------------------------------------------------------------------

    def shapes(self) -> dict[int, Shape]:
        """The own-board mask without the question, as shapes by action."""
        if self._shapes is None:
            self._shapes = {shape.action: shape for shape in self._all_shapes()}
        return self._shapes

    def _all_shapes(self) -> list[Shape]:
        found: list[Shape] = []
        for source, man in self.men.items():
            if man == chess.PAWN:
                self._pawn_shapes(source, found)
            elif not self.obliged:
                self._piece_shapes(source, man, found)
        return found

    def _piece_shapes(self, source: int, man: chess.PieceType, found: list[Shape]) -> None:
        men, numbers = self.men, NUMBERS[source]
        if man in RAYS:
            for ray in RAYS[man][source]:
                for target in ray:
                    if target in men:
                        break
                    found.append(Shape(numbers[target], source, target, man))
            return
        for target in LEAPS[man][source]:
            if target not in men:
                found.append(Shape(numbers[target], source, target, man))
        if man == chess.KING:
            if 7 in self.rights and not (men.keys() & {5, 6}):
                found.append(Shape(numbers[6], source, 6, man))
            if 0 in self.rights and not (men.keys() & {1, 2, 3}):
                found.append(Shape(numbers[2], source, 2, man))

    def _pawn_shapes(self, source: int, found: list[Shape]) -> None:
        targets = [t for t in (source + 7, source + 9) if abs(t % 8 - source % 8) == 1]
        if not self.obliged:
            targets.append(source + 8)
            if source // 8 == 1 and source + 8 not in self.men:
                targets.append(source + 16)
        for target in targets:
            if target not in self.men:
                found.append(Shape(NUMBERS[source][target], source, target, chess.PAWN))
                found += [Shape(n, source, target, chess.PAWN) for n in UNDER.get((source, target), ())]

    # -- the informed mask -----------------------------------------------------------------------------------

    def informed_shapes(self) -> dict[int, Shape]:
        """The informed mask without the question, as shapes by action."""
        if self._unrefused is None:
            left = {a: s for a, s in self.shapes().items() if self._survives_announcements(s)}
            shapes = self.shapes()
            for action in self.refused:
                if action in shapes:
                    left = self._without_refused(left, shapes[action])
            self._unrefused = left
        return self._unrefused

    def _survives_announcements(self, shape: Shape) -> bool:
        if is_pawn_capture(shape):
            if self.no_captures:
                return False
            if self.capturing_pawns is not None and shape.source not in self.capturing_pawns:
                return False
        if self.checks and not self._may_answer_check(shape):
            return False
        return self.taken_on is None or not self._runs_through(shape, self.taken_on)

    def _may_answer_check(self, shape: Shape) -> bool:
        if shape.man == chess.KING:
            return not is_castling(shape)
        if len(self.checks) > 1:
            return False
        king = next(square for square, man in self.men.items() if man == chess.KING)
        if self.checks[0] == "knight":
            return shape.target in LEAPS[chess.KNIGHT][king]
        if is_pawn_capture(shape) and shape.source // 8 == 4:
            return True
        return shape.target in LINES[self.checks[0]][king]

    @staticmethod
    def _runs_through(shape: Shape, square: int) -> bool:
        if shape.man == chess.PAWN:
            return shape.target == square and not is_pawn_capture(shape)
        return shape.man in SLIDERS and square in BETWEEN[shape.source][shape.target]

    def _without_refused(self, left: dict[int, Shape], refused: Shape) -> dict[int, Shape]:
        if self.checks or refused.man not in SLIDERS:
            return {action: shape for action, shape in left.items() if action != refused.action}
        return {
            action: shape
            for action, shape in left.items()
            if action != refused.action
            and not (shape.source == refused.source and refused.target in BETWEEN[shape.source][shape.target])
        }

    # -- the masks as sets of actions ------------------------------------------------------------------------

    def _question(self) -> set[int]:
        return set() if self.rules.any == "never" or self.asked else {actions.ANY}

    def own_board(self) -> set[int]:
        return self.shapes().keys() | self._question()

    def informed(self) -> set[int]:
        return self.informed_shapes().keys() | self._question()
