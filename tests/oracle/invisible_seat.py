"""What one player of invisible chess can work out from the start and from what he heard, and his two masks.

`Seat` is told the public start and each message its player hears, never the board. Squares are those of the
board for both colours. The masks follow the closed list of docs/invisible-chess.md.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

import chess

from tests.oracle import actions

OLDEST: Final = 255


class Heard(NamedTuple):
    """One message as one listener hears it; men by kind and number, 0 for a visible one."""

    kind: str  # "start", "illegal", "nonsense", "moved", "lost"
    by: chess.Color
    action: int | None = None
    start: int | None = None
    end: int | None = None
    man: int | None = None
    mover: int = 0
    promoted: int | None = None
    castled: str | None = None
    rook: int = 0
    captured: int | None = None
    taken: int = 0
    square: int | None = None
    landing: int | None = None
    why: str = ""  # "blocked", "nothing", "check"
    checkers: tuple[int, ...] = ()
    hidden_checkers: tuple[int, ...] = ()
    winner: chess.Color | None = None
    reason: str = ""


Men = dict[int, tuple[int, int]]  # square: (kind, number or 0)


class Seat:
    """One player. `own` and `theirs` are all men at the start, `theirs` with the numbers of hidden ones."""

    def __init__(self, colour: chess.Color, start: chess.Board, own: Men, theirs: Men) -> None:
        self.colour = colour
        self.own = dict(own)
        self.exposed = {number: square for square, (_, number) in own.items() if number}
        self.rights = {s for s in chess.SquareSet(start.clean_castling_rights()) if s in own}
        self.seen = {square: kind for square, (kind, number) in theirs.items() if not number}
        self.unseen = {number: kind for kind, number in theirs.values() if number}
        self.placed = {number: square for square, (_, number) in theirs.items() if number}
        self.shade = {n: _is_dark(s) for n, s in self.placed.items() if self.unseen[n] == chess.BISHOP}
        self.rested = dict.fromkeys(self.unseen, 0)
        self.turn = ""  # the opponent's last: "visible", "hidden", "lost"
        self.moved: tuple[int, int] | None = None
        self.mover = 0
        self.passed = start.ep_square if start.turn == colour else None
        self.lost: tuple[int, int] | None = None  # square and kind
        self.took: tuple[int, int, int] | None = None  # square, kind, number
        self.last: int | None = None
        self.checkers: tuple[int, ...] = ()
        self.hidden_checkers: tuple[int, ...] = ()
        self.gave: tuple[int, ...] = ()
        self.answer: Heard | None = None
        self.refused: set[int] = set()
        self.clock, self.number = start.halfmove_clock, start.fullmove_number
        self.counts = dict.fromkeys(("pawns taken", "pieces taken", "pawns lost", "pieces lost"), 0)

    # -- hearing ---------------------------------------------------------------------------------------------

    def hear(self, message: Heard) -> None:
        """Take in one message."""
        if message.kind == "start":
            if message.by == self.colour:
                self._hear_checks(message)
            else:
                self.gave = (*message.checkers, *(self.exposed[n] for n in message.hidden_checkers))
        elif message.by == self.colour:
            self.answer = message
            if message.kind == "illegal":
                assert message.action is not None
                self.refused.add(message.action)
            elif message.kind in ("moved", "lost"):
                self._hear_own_turn(message)
        elif message.kind in ("moved", "lost"):
            self._hear_turn(message)

    def _hear_checks(self, message: Heard) -> None:
        self.checkers, self.hidden_checkers = message.checkers, message.hidden_checkers

    def _end_turn(self, message: Heard) -> None:
        reset = message.man == chess.PAWN or message.captured is not None
        self.clock = 0 if reset else self.clock + 1
        self.number += message.by == chess.BLACK

    def _hear_own_turn(self, message: Heard) -> None:
        self.took, self.last, self.passed = None, None, None
        self.checkers = self.hidden_checkers = ()
        self.refused = set()
        self.gave = message.checkers
        self._end_turn(message)
        if message.kind == "lost":
            return
        self.last = message.action
        assert message.start is not None
        assert message.end is not None
        kind, number = self.own.pop(message.start)
        if message.captured:
            self._take(message)
        self.own[message.end] = (message.promoted or kind, number)
        self._expose(number, message.end if message.captured else None)
        if message.castled:
            rook, beside = _rooks_way(message.castled, self.colour)
            self.own[beside] = self.own.pop(rook)
            self._expose(self.own[beside][1], beside)
        self._rights_after(message.start)

    def _expose(self, number: int, square: int | None) -> None:
        self.exposed.pop(number, None)
        if number and square is not None:
            self.exposed[number] = square

    def _rights_after(self, square: int) -> None:
        home = chess.E1 if self.colour else chess.E8
        self.rights -= self.rights if square == home else {square}

    def _take(self, message: Heard) -> None:
        assert message.square is not None
        assert message.captured
        self.took = (message.square, message.captured, message.taken)
        if message.taken:
            del self.unseen[message.taken]
            self.placed.pop(message.taken, None)
        else:
            del self.seen[message.square]
        self.counts["pawns taken" if message.captured == chess.PAWN else "pieces taken"] += 1

    def _hear_turn(self, message: Heard) -> None:
        self.turn = "lost" if message.kind == "lost" else "hidden" if message.mover else "visible"
        self.moved, self.mover, self.passed, self.lost = None, message.mover, None, None
        for number in self.unseen:
            self.rested[number] = min(OLDEST, self.rested[number] + 1)
        self._end_turn(message)
        if message.captured:
            self._lose(message)
        if self.turn == "visible":
            self._see_move(message)
        elif self.turn == "hidden":
            self._miss_move(message)
        self._hear_checks(message)

    def _lose(self, message: Heard) -> None:
        assert message.square is not None
        kind, number = self.own.pop(message.square)
        self.exposed.pop(number, None)
        self.lost = (message.square, kind)
        self._rights_after(message.square)
        self.counts["pawns lost" if kind == chess.PAWN else "pieces lost"] += 1

    def _see_move(self, message: Heard) -> None:
        assert message.start is not None
        assert message.end is not None
        kind = self.seen.pop(message.start)
        self.moved = (message.start, message.end)
        self.seen[message.end] = message.promoted or kind
        if kind == chess.PAWN and abs(message.start - message.end) == 16:
            self.passed = (message.start + message.end) // 2
        if message.castled:
            rook, beside = _rooks_way(message.castled, not self.colour)
            if message.rook:
                self.placed[message.rook] = beside
                self.rested[message.rook] = 0
            else:
                self.seen[beside] = self.seen.pop(rook)

    def _miss_move(self, message: Heard) -> None:
        number = message.mover
        self.rested[number] = 0
        self.placed.pop(number, None)
        if message.promoted:
            self.unseen[number] = message.promoted
        if message.landing is not None:
            self.placed[number] = message.landing
            if self.unseen[number] == chess.BISHOP:
                self.shade[number] = _is_dark(message.landing)

    # -- what may be tried -----------------------------------------------------------------------------------

    def haunts(self, number: int) -> set[int]:
        """Where a hidden man may stand by what is public."""
        if number in self.placed:
            return {self.placed[number]}
        squares = set(range(64)) - set(self.own) - set(self.seen)
        if self.unseen[number] == chess.PAWN:
            return {square for square in squares if square // 8 not in (0, 7)}
        if self.unseen[number] == chess.BISHOP and number in self.shade:
            return {square for square in squares if _is_dark(square) == self.shade[number]}
        return squares

    def certain_board(self) -> chess.Board:
        """Own men, visible men, and hidden men whose squares are certain."""
        board = chess.Board(None)
        for square, (kind, _) in self.own.items():
            board.set_piece_at(square, chess.Piece(kind, self.colour))
        for square, kind in self.seen.items():
            board.set_piece_at(square, chess.Piece(kind, not self.colour))
        for number, square in self.placed.items():
            board.set_piece_at(square, chess.Piece(self.unseen[number], not self.colour))
        return board

    def _haunted(self, board: chess.Board) -> set[int]:
        """Squares, empty on the board of certain men, on which a hidden man may stand."""
        return {s for n in self.unseen for s in self.haunts(n) if not board.piece_at(s)}

    def passing(self) -> set[int]:
        """Where an en passant capture may land."""
        if self.passed is not None:
            return {self.passed}
        if self.turn == "hidden" and self.lost is None and self.unseen.get(self.mover) == chess.PAWN:
            return {s for s in range(64) if s // 8 == (5 if self.colour else 2)}
        return set()

    def own_board(self) -> set[int]:
        """The own-board mask."""
        board = self.certain_board()
        haunted = self._haunted(board)
        return {a for square in self.own for a in _numbers(self, self._steps(board, haunted, square))}

    def _steps(self, board: chess.Board, haunted: set[int], square: int) -> Iterator[tuple[int, int]]:
        kind = self.own[square][0]
        if kind == chess.PAWN:
            yield from self._pawn_steps(board, haunted, square)
            return
        yield from ((square, target) for target in board.attacks(square) if target not in self.own)
        if kind == chess.KING:
            for corner in self.rights:
                if not any(board.piece_at(s) for s in chess.SquareSet.between(square, corner)):
                    yield square, square + (2 if corner > square else -2)

    def _pawn_steps(self, board: chess.Board, haunted: set[int], square: int) -> Iterator[tuple[int, int]]:
        ahead = 8 if self.colour else -8
        if not board.piece_at(square + ahead):
            yield square, square + ahead
            second = 1 if self.colour else 6
            if square // 8 == second and not board.piece_at(square + 2 * ahead):
                yield square, square + 2 * ahead
        for target in board.attacks(square):
            enemy = board.color_at(target) == (not self.colour)
            if enemy or target in haunted or (target in self.passing() and not board.piece_at(target)):
                yield square, target

    def informed(self) -> set[int]:
        """The informed mask: rules (a) to (e) of the list."""
        board = self.certain_board()
        haunted = self._haunted(board)
        found: set[tuple[int, int]] = set()
        for square in self.own:
            found |= set(self._steps(board, haunted, square))
        kept = {step for step in found if self._survives(board, haunted, *step)}
        return set(_numbers(self, kept)) - self.refused

    def _survives(self, board: chess.Board, haunted: set[int], start: int, end: int) -> bool:
        kind = self.own[start][0]
        checks = len(self.checkers) + len(self.hidden_checkers)
        if kind == chess.KING:
            if abs(start - end) == 2:
                return not checks
            return not self._surely_attacked(board, haunted, start, end)
        if self._surely_pinned(board, haunted, start, end):
            return False
        passes = kind == chess.PAWN and (end - start) % 8 != 0 and end in self.passing()
        if checks == 0 or passes:
            return True
        return checks == 1 and end in self._answers()

    def _king(self) -> int:
        return next(square for square, (kind, _) in self.own.items() if kind == chess.KING)

    def _answers(self) -> set[int]:
        """Where a man other than the king may land against the one check."""
        for number in self.hidden_checkers:
            if number not in self.placed:
                return set(range(64))
        checker = [*self.checkers, *(self.placed[number] for number in self.hidden_checkers)][0]
        return {checker, *chess.SquareSet.between(self._king(), checker)}

    def _surely_attacked(self, board: chess.Board, haunted: set[int], start: int, end: int) -> bool:
        after = board.copy(stack=False)
        after.remove_piece_at(start)
        after.set_piece_at(end, chess.Piece(chess.KING, self.colour))
        attackers = after.attackers(not self.colour, end)
        return any(not haunted & set(chess.SquareSet.between(end, a)) for a in attackers)

    def _surely_pinned(self, board: chess.Board, haunted: set[int], start: int, end: int) -> bool:
        """A certain man attacks the king as soon as this one steps off the line between them."""
        king = self._king()
        without = board.copy(stack=False)
        without.remove_piece_at(start)
        for attacker in without.attackers(not self.colour, king):
            between = set(chess.SquareSet.between(king, attacker))
            if start in between and not haunted & between:
                return end not in chess.SquareSet.ray(king, attacker)
        return False


def _is_dark(square: int) -> bool:
    return (square % 8 + square // 8) % 2 == 0


def _rooks_way(castled: str, colour: chess.Color) -> tuple[int, int]:
    """From where to where the rook goes."""
    row = 0 if colour else 56
    return (row + 7, row + 5) if castled == "king side" else (row, row + 3)


def _numbers(seat: Seat, steps: set[tuple[int, int]] | Iterator[tuple[int, int]]) -> Iterator[int]:
    """The actions of moves; a pawn's move to the last rank is four."""
    for start, end in steps:
        kinds: tuple[int | None, ...] = (None,)
        if seat.own[start][0] == chess.PAWN and end // 8 in (0, 7):
            kinds = (None, chess.KNIGHT, chess.BISHOP, chess.ROOK)
        for kind in kinds:
            yield actions.number_of(chess.Move(start, end, kind), seat.colour)
