"""A second referee of dark chess, in plain Python: moves and sight by walking over the board by squares.

It shares no code with `ks_env`. The tests put the same tries to both referees and compare all that is said
and seen. Absolute squares everywhere; actions are numbered in the mover's frame.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

import chess

from tests.oracle.actions import COUNT, STEPS, number_of, seat_square

STRAIGHT = ((1, 0), (0, 1), (-1, 0), (0, -1))
OBLIQUE = ((1, 1), (-1, 1), (-1, -1), (1, -1))
SLIDES = {chess.ROOK: STRAIGHT, chess.BISHOP: OBLIQUE, chess.QUEEN: STRAIGHT + OBLIQUE}
JUMPS = {
    chess.KNIGHT: ((1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)),
    chess.KING: STRAIGHT + OBLIQUE,
}
CORNERS = {
    "K": (chess.E1, chess.H1),
    "Q": (chess.E1, chess.A1),
    "k": (chess.E8, chess.H8),
    "q": (chess.E8, chess.A8),
}

Men = dict[int, chess.Piece]


def beside(square: int, files: int, ranks: int) -> int | None:
    """The square so many files and ranks away."""
    file, rank = square % 8 + files, square // 8 + ranks
    return 8 * rank + file if 0 <= file < 8 and 0 <= rank < 8 else None


@dataclass
class Position:
    """Men, whose turn it is, rights as letters, the square that can be captured on en passant."""

    men: Men
    turn: bool
    rights: str
    passed: int | None = None

    def targets(self, square: int) -> Iterator[int]:
        """Where the man on the square could go, castling left out."""
        man = self.men[square]
        if man.piece_type == chess.PAWN:
            yield from self._pawn_targets(square, man.color)
            return
        for step in SLIDES.get(man.piece_type, ()):
            at = beside(square, *step)
            while at is not None:
                if at not in self.men or self.men[at].color != man.color:
                    yield at
                if at in self.men:
                    break
                at = beside(at, *step)
        for step in JUMPS.get(man.piece_type, ()):
            at = beside(square, *step)
            if at is not None and (at not in self.men or self.men[at].color != man.color):
                yield at

    def _pawn_targets(self, square: int, colour: bool) -> Iterator[int]:
        up = 1 if colour else -1
        one = beside(square, 0, up)
        if one is not None and one not in self.men:
            yield one
            two = beside(one, 0, up)
            if square // 8 == (1 if colour else 6) and two is not None and two not in self.men:
                yield two
        for side in (-1, 1):
            at = beside(square, side, up)
            if at is not None and at in self.men and self.men[at].color != colour:
                yield at
            if at is not None and at == self.passed and self.turn == colour:
                yield at

    def moves(self, colour: bool) -> set[chess.Move]:
        """Every move that the colour's men could make."""
        found = set()
        for square, man in self.men.items():
            if man.color != colour:
                continue
            for target in self.targets(square):
                if man.piece_type == chess.PAWN and target // 8 in (0, 7):
                    found |= {chess.Move(square, target, kind) for kind in (2, 3, 4, 5)}
                else:
                    found.add(chess.Move(square, target))
        for letter in self.rights:
            king, rook = CORNERS[letter]
            low, high = min(king, rook), max(king, rook)
            if letter.isupper() == colour and not any(at in self.men for at in range(low + 1, high)):
                found.add(chess.Move(king, king + (2 if rook > king else -2)))
        return found

    def takes_passing(self, move: chess.Move) -> bool:
        return (
            self.men[move.from_square].piece_type == chess.PAWN
            and move.to_square == self.passed
            and move.from_square % 8 != move.to_square % 8
        )


@dataclass(frozen=True)
class Told:
    """What one listener hears."""

    kind: str
    by: bool
    action: int | None = None
    captured: int | None = None
    square: int | None = None
    winner: bool | None = None
    reason: str = "none"


@dataclass
class Seat:
    """What a seat has seen and been told; squares are absolute."""

    seen: set[int] = field(default_factory=set)
    recalled: Men = field(default_factory=dict)  # enemy men as each square was last seen
    age: list[int] = field(default_factory=lambda: [0] * 64)
    lost: tuple[int, int] | None = None  # square, kind
    took: tuple[int, int] | None = None
    fifty: int = 0
    taken: Counter[str] = field(default_factory=Counter)
    answer: str = "none"
    heard: list[Told] = field(default_factory=list)


class DarkOracle:
    """A game under the second referee."""

    def __init__(
        self,
        fen: str = chess.STARTING_FEN,
        *,
        fifty_moves: bool = True,
        threefold: bool = True,
        max_tries: int = 256,
        max_plies: int = 1000,
    ) -> None:
        board = chess.Board(fen)
        self.position = Position(board.piece_map(), board.turn, self._clean(board))
        self.position.passed = board.ep_square
        self.fifty_moves, self.threefold = fifty_moves, threefold
        self.max_tries, self.max_plies = max_tries, max_plies
        self.clock, self.number, self.plies, self.tries = board.halfmove_clock, board.fullmove_number, 0, 0
        self.refused: Counter[chess.Move] = Counter()
        self.reason, self.winner = "none", None  # type: str, bool | None
        self.occurred: Counter[object] = Counter()
        self._drop_passed()
        self.occurred[self._identity()] += 1
        self.seats = {colour: Seat(fifty=self.clock) for colour in chess.COLORS}
        for colour, seat in self.seats.items():
            enemies = {s: man for s, man in self.position.men.items() if man.color != colour}
            seat.recalled = enemies
            seat.heard.append(Told("start", self.position.turn))
            self._look(colour, 0)

    @staticmethod
    def _clean(board: chess.Board) -> str:
        """Castling rights for which king and rook stand ready."""
        letters = ""
        for letter, (king, rook) in CORNERS.items():
            colour = letter.isupper()
            ready = (
                board.piece_at(king) == chess.Piece(chess.KING, colour)
                and board.piece_at(rook) == chess.Piece(chess.ROOK, colour)
                and bool(board.castling_rights & chess.BB_SQUARES[rook])
            )
            letters += letter if ready else ""
        return letters

    @property
    def to_play(self) -> bool | None:
        return None if self.reason != "none" else self.position.turn

    def _drop_passed(self) -> None:
        """Whatever passed counts only where a pawn can capture it."""
        position = self.position
        if position.passed is not None and not any(
            man.piece_type == chess.PAWN
            and man.color == position.turn
            and position.passed in position.targets(square)
            and square % 8 != position.passed % 8
            for square, man in position.men.items()
        ):
            position.passed = None

    def _identity(self) -> object:
        position = self.position
        return frozenset(position.men.items()), position.turn, position.rights, position.passed

    # ---- sight

    def visible(self, colour: bool) -> set[int]:
        """Own squares, and squares that own men could go to; the pawn that can be taken en passant."""
        position = self.position
        seen = {square for square, man in position.men.items() if man.color == colour}
        for move in position.moves(colour):
            seen.add(move.to_square)
            if position.takes_passing(move):
                seen.add(chess.square(move.to_square % 8, move.from_square // 8))
        return seen

    def in_sight(self, colour: bool) -> Men:
        """The enemy men that the colour sees."""
        seen = self.seats[colour].seen
        return {s: man for s, man in self.position.men.items() if s in seen and man.color != colour}

    def _look(self, colour: bool, turns: int) -> None:
        seat = self.seats[colour]
        seat.seen = self.visible(colour)
        for square in chess.SQUARES:
            if square in seat.seen:
                seat.age[square] = 0
                seat.recalled.pop(square, None)
            else:
                seat.age[square] = min(255, seat.age[square] + turns)
        seat.recalled |= self.in_sight(colour)

    # ---- tries

    def _open_position(self, colour: bool) -> Position:
        """Own men and enemy men in sight."""
        own = {s: man for s, man in self.position.men.items() if man.color == colour}
        return Position(
            own | self.in_sight(colour), self.position.turn, self.position.rights, self.position.passed
        )

    def own_board(self) -> set[int]:
        """Actions of the mask "own-board" of the side to move."""
        turn = self.position.turn
        return {number_of(move, turn) for move in self._open_position(turn).moves(turn)}

    def legal(self) -> set[int]:
        """Actions that would be accepted; also the mask "informed"."""
        turn = self.position.turn
        return {number_of(move, turn) for move in self.position.moves(turn)}

    def ask(self, action: int) -> str:
        """Answer a try of the side to move."""
        turn = self.position.turn
        legal = {number_of(move, turn): move for move in self.position.moves(turn)}
        if action in legal:
            self._accept(legal[action], action)
            return "moved"
        hopeless = action not in self.own_board() or bool(self.refused[self._plain(action, turn)])
        kind = "nonsense" if hopeless else "illegal"
        if not hopeless:
            self.refused[self._plain(action, turn)] += 1
        self.tries += 1
        self.seats[turn].answer = kind
        if self.tries >= self.max_tries:
            self.reason, self.winner = "tries", not turn
            self.seats[not turn].heard.append(Told("illegal", turn, None, None, None, not turn, "tries"))
        said = Told(kind, turn, action if 0 <= action < COUNT else -1, None, None, self.winner, self.reason)
        self.seats[turn].heard.append(said)
        return kind

    @staticmethod
    def _plain(action: int, turn: bool) -> chess.Move:
        if not 0 <= action < len(STEPS):
            return chess.Move.null()
        step = STEPS[action]
        return chess.Move(seat_square(step.source, turn), seat_square(step.target, turn), step.promotion)

    def refused_squares(self) -> tuple[Counter[int], Counter[int]]:
        """From-squares and to-squares of the tries refused this turn."""
        return (
            Counter(move.from_square for move in self.refused.elements()),
            Counter(move.to_square for move in self.refused.elements()),
        )

    def _accept(self, move: chess.Move, action: int) -> None:
        position, turn = self.position, self.position.turn
        pawn = position.men[move.from_square].piece_type == chess.PAWN
        victim = move.to_square
        if position.takes_passing(move):
            victim = chess.square(move.to_square % 8, move.from_square // 8)
        captured = position.men.pop(victim, None)
        self._shift(move)
        self.clock = 0 if pawn or captured else self.clock + 1
        self.number += not turn
        self.plies += 1
        self.tries = 0
        self.refused.clear()
        self._tell(turn, action, captured, victim if captured else None, pawn)
        self._look(turn, 0)
        self._look(not turn, 1)
        self._end(captured)
        kind, where = (captured.piece_type, victim) if captured else (None, None)
        for listener in chess.COLORS:
            own = action if listener == turn else None
            self.seats[listener].heard.append(Told("moved", turn, own, kind, where, self.winner, self.reason))

    def _shift(self, move: chess.Move) -> None:
        position, turn = self.position, self.position.turn
        man = position.men.pop(move.from_square)
        if move.promotion:
            man = chess.Piece(move.promotion, turn)
        position.men[move.to_square] = man
        way = move.to_square - move.from_square
        if man.piece_type == chess.KING and abs(way) == 2:
            rook = move.from_square + (3 if way > 0 else -4)
            position.men[move.from_square + way // 2] = position.men.pop(rook)
        touched = {move.from_square, move.to_square}
        position.rights = "".join(r for r in position.rights if not touched & set(CORNERS[r]))
        position.passed = None
        if man.piece_type == chess.PAWN and abs(way) == 16:
            position.passed = move.from_square + way // 2
        position.turn = not turn
        self._drop_passed()

    def _tell(
        self, turn: bool, action: int, captured: chess.Piece | None, victim: int | None, pawn: bool
    ) -> None:
        mover, other = self.seats[turn], self.seats[not turn]
        mover.took, other.lost = None, None
        mover.answer = "moved"
        if captured is not None and victim is not None:
            mover.took = other.lost = (victim, captured.piece_type)
            mover.recalled.pop(victim, None)
            mover.age[victim] = 0
            mover.taken["pawns" if captured.piece_type == chess.PAWN else "pieces"] += 1
        mover.fifty = 0 if pawn or captured else mover.fifty + 1
        other.fifty = 0 if captured else other.fifty + 1

    def _end(self, captured: chess.Piece | None) -> None:
        if self.clock == 0:
            self.occurred.clear()  # what was before a pawn move or a capture cannot come again
        self.occurred[self._identity()] += 1
        if captured is not None and captured.piece_type == chess.KING:
            self.reason, self.winner = "king_captured", not self.position.turn
        elif not self.position.moves(self.position.turn):
            self.reason = "stalemate"
        elif self.threefold and self.occurred[self._identity()] >= 3:
            self.reason = "repetition"
        elif self.fifty_moves and self.clock >= 100:
            self.reason = "fifty_moves"
        elif self.plies >= self.max_plies:
            self.reason = "plies"
