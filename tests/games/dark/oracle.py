"""A second referee of dark chess, in plain Python: moves and sight by walking over the board by squares.

It shares no code with `ks_env`. The tests put the same tries to both referees and compare all that is said
and seen. Absolute squares everywhere, sets of squares as the bits of a number, walks kept by what they meet;
actions are numbered in the mover's frame.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import chess

from tests.oracle import actions
from tests.oracle.actions import COUNT, STEPS, leading, members, seat_square
from tests.oracle.seat import LEAPS, RAYS, SEEN, SLIDERS

ALL = (1 << 64) - 1
CORNERS = {
    "K": (chess.E1, chess.H1),
    "Q": (chess.E1, chess.A1),
    "k": (chess.E8, chess.H8),
    "q": (chess.E8, chess.A8),
}
BETWEEN = {  # king and rook
    "K": 1 << chess.F1 | 1 << chess.G1,
    "Q": 1 << chess.B1 | 1 << chess.C1 | 1 << chess.D1,
    "k": 1 << chess.F8 | 1 << chess.G8,
    "q": 1 << chess.B8 | 1 << chess.C8 | 1 << chess.D8,
}
KINDS = range(1, 7)

Men = dict[int, chess.Piece]
_WALKED: dict[tuple[int, int, int], int] = {}


def walk(kind: int, square: int, occupied: int) -> int:
    """The squares that a sliding man sees, up to the first man on each line."""
    key = kind, square, occupied & SEEN[kind][square]
    found = _WALKED.get(key)
    if found is None:
        found = 0
        for ray in RAYS[kind][square]:
            for target in ray:
                found |= 1 << target
                if occupied >> target & 1:
                    break
        if len(_WALKED) < actions.MOST_REMEMBERED:
            _WALKED[key] = found
    return found


def _beside(square: int, rank: int) -> int:
    """The squares a file to the left and to the right on the rank."""
    if not 0 <= rank < 8:
        return 0
    return sum(1 << 8 * rank + file for file in (square % 8 - 1, square % 8 + 1) if 0 <= file < 8)


PAWN_TAKES = {
    colour: [_beside(s, s // 8 + (1 if colour else -1)) for s in range(64)] for colour in chess.COLORS
}


class Reach(NamedTuple):
    """Where a man could go."""

    square: int
    kind: int
    targets: int


class Position:
    """Men, whose turn it is, rights as letters, the square that can be captured on en passant.

    `at` are the men by square, `kinds` the squares by colour and kind, `own` those by colour.
    """

    __slots__ = ("at", "kinds", "own", "passed", "rights", "turn")

    def __init__(self, men: Men, turn: bool, rights: str, passed: int | None) -> None:
        self.at: list[chess.Piece | None] = [men.get(square) for square in range(64)]
        self.kinds = {colour: [0] * 7 for colour in chess.COLORS}
        self.own = dict.fromkeys(chess.COLORS, 0)
        for square, man in men.items():
            self.kinds[man.color][man.piece_type] |= 1 << square
            self.own[man.color] |= 1 << square
        self.turn, self.rights, self.passed = turn, rights, passed

    def copy(self) -> Position:
        other = object.__new__(Position)
        other.at, other.own = list(self.at), dict(self.own)
        other.kinds = {colour: list(kinds) for colour, kinds in self.kinds.items()}
        other.turn, other.rights, other.passed = self.turn, self.rights, self.passed
        return other

    @property
    def men(self) -> Men:
        """The men by square."""
        return {square: man for square, man in enumerate(self.at) if man}

    def identity(self) -> object:
        """What makes two positions the same."""
        kinds = self.kinds
        return tuple(kinds[True]), tuple(kinds[False]), self.turn, self.rights, self.passed

    def take(self, square: int) -> chess.Piece:
        """Take the man off the square."""
        man = self.at[square]
        assert man is not None
        self.at[square] = None
        self.kinds[man.color][man.piece_type] ^= 1 << square
        self.own[man.color] ^= 1 << square
        return man

    def put(self, square: int, man: chess.Piece) -> None:
        """Put the man on the empty square."""
        self.at[square] = man
        self.kinds[man.color][man.piece_type] |= 1 << square
        self.own[man.color] |= 1 << square

    def reach(self, colour: bool, known: int = ALL) -> Iterator[Reach]:
        """Where the colour's men could go, castling left out, with the men on known squares on the board."""
        own = self.own[colour]
        theirs = self.own[not colour] & known
        occupied = own | theirs
        for kind in KINDS:
            men = self.kinds[colour][kind]
            while men:
                square = men.bit_length() - 1
                men ^= 1 << square
                if kind == chess.PAWN:
                    yield Reach(square, kind, self._pawn_targets(square, colour, occupied, theirs))
                elif kind in SLIDERS:
                    yield Reach(square, kind, walk(kind, square, occupied) & ~own)
                else:
                    yield Reach(square, kind, LEAPS[kind][square] & ~own)

    def _pawn_targets(self, square: int, colour: bool, occupied: int, theirs: int) -> int:
        up = 8 if colour else -8
        targets = 0
        if 0 <= square + up < 64 and not occupied >> square + up & 1:
            targets = 1 << square + up
            if square // 8 == (1 if colour else 6) and not occupied >> square + 2 * up & 1:
                targets |= 1 << square + 2 * up
        if self.passed is not None and self.turn == colour:
            theirs |= 1 << self.passed
        return targets | PAWN_TAKES[colour][square] & theirs

    def castlings(self, colour: bool, known: int = ALL) -> Iterator[tuple[int, int]]:
        """From where and to where the king could castle, likewise."""
        occupied = self.own[colour] | self.own[not colour] & known
        for letter in self.rights:
            if letter.isupper() == colour and not occupied & BETWEEN[letter]:
                king, rook = CORNERS[letter]
                yield king, king + (2 if rook > king else -2)

    def passing(self) -> bool:
        """Whether a pawn of the side to move can capture on the passed square."""
        return self.passed is not None and bool(
            PAWN_TAKES[not self.turn][self.passed] & self.kinds[self.turn][chess.PAWN]
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


EXPANDED = [sum(255 << 8 * bit for bit in range(8) if byte >> bit & 1) for byte in range(256)]
OLDER = bytes(min(255, age + 1) for age in range(256))


def bytes_of(squares: int) -> int:
    """A number of 64 bytes, those of the squares full."""
    return sum(EXPANDED[squares >> 8 * rank & 255] << 64 * rank for rank in range(8))


@dataclass
class Seat:
    """What a seat has seen and been told; squares are absolute. `age` has a byte for each square."""

    seen: int = 0
    recalled: list[int] = field(default_factory=lambda: [0] * 7)  # enemy men by kind as last seen
    age: int = 0
    lost: tuple[int, int] | None = None  # square, kind
    took: tuple[int, int] | None = None
    fifty: int = 0
    taken: Counter[str] = field(default_factory=Counter)
    answer: str = "none"
    heard: list[Told] = field(default_factory=list)

    def copy(self) -> Seat:
        return replace(self, recalled=list(self.recalled), taken=Counter(self.taken), heard=list(self.heard))


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
        self.position = Position(board.piece_map(), board.turn, self._clean(board), board.ep_square)
        self.fifty_moves, self.threefold = fifty_moves, threefold
        self.max_tries, self.max_plies = max_tries, max_plies
        self.clock, self.number, self.plies, self.tries = board.halfmove_clock, board.fullmove_number, 0, 0
        self.refused: list[int] = []
        self.reason, self.winner = "none", None  # type: str, bool | None
        self._drop_passed()
        self.occurred: dict[object, int] = {self.position.identity(): 1}
        self.seats = {colour: Seat(fifty=self.clock) for colour in chess.COLORS}
        self._open: int | None = None
        self._legal = 0
        for colour, seat in self.seats.items():
            seat.recalled = list(self.position.kinds[not colour])
            seat.heard.append(Told("start", self.position.turn))
            self._look(colour, 0)

    def copy(self) -> DarkOracle:
        """The game as it stands, to be played on apart from this one."""
        other = object.__new__(DarkOracle)
        other.__dict__.update(self.__dict__)
        other.position = self.position.copy()
        other.refused, other.occurred = list(self.refused), dict(self.occurred)
        other.seats = {colour: seat.copy() for colour, seat in self.seats.items()}
        return other

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
        if not self.position.passing():
            self.position.passed = None

    # ---- sight

    def in_sight(self, colour: bool) -> list[int]:
        """The enemy men that the colour sees, by kind."""
        seen = self.seats[colour].seen
        return [men & seen for men in self.position.kinds[not colour]]

    def _look(self, colour: bool, turns: int) -> None:
        """What the colour sees, own squares and squares that own men could go to, and what it may play.

        The pawn that can be taken en passant is seen, too.
        """
        seat, position = self.seats[colour], self.position
        seen, legal, to_move = position.own[colour], 0, position.turn == colour
        for square, kind, targets in position.reach(colour):
            seen |= targets
            if to_move and targets:
                legal |= leading(square, targets, kind == chess.PAWN, colour)
        for king, target in position.castlings(colour):
            seen |= 1 << target
            if to_move:
                legal |= leading(king, 1 << target, False, colour)
        if to_move:
            self._legal, self._open = legal, None
            if position.passed is not None:
                seen |= 1 << position.passed + (-8 if colour else 8)
        seat.seen = seen
        if turns:
            seat.age = int.from_bytes(seat.age.to_bytes(64, "little").translate(OLDER), "little")
        seat.age &= ~bytes_of(seen)
        theirs = position.kinds[not colour]
        seat.recalled = [old & ~seen | now & seen for old, now in zip(seat.recalled, theirs, strict=True)]

    # ---- tries

    def own_board_bits(self) -> int:
        """Actions of the mask "own-board" of the side to move, as bits: own men and enemy men in sight."""
        if self._open is None:
            turn, known = self.position.turn, self.seats[self.position.turn].seen
            self._open = 0
            for square, kind, targets in self.position.reach(turn, known):
                if targets:
                    self._open |= leading(square, targets, kind == chess.PAWN, turn)
            for king, target in self.position.castlings(turn, known):
                self._open |= leading(king, 1 << target, False, turn)
        return self._open

    def legal_bits(self) -> int:
        """Actions that would be accepted, as bits; also the mask "informed"."""
        return self._legal

    def own_board(self) -> set[int]:
        return set(members(self.own_board_bits()))

    def legal(self) -> set[int]:
        return set(members(self.legal_bits()))

    def ask(self, action: int) -> str:
        """Answer a try of the side to move."""
        turn = self.position.turn
        if 0 <= action < COUNT and self._legal >> action & 1:
            self._accept(action)
            return "moved"
        shaped = 0 <= action < COUNT and bool(self.own_board_bits() >> action & 1)
        kind = "illegal" if shaped and action not in self.refused else "nonsense"
        if kind == "illegal":
            self.refused.append(action)
        self.tries += 1
        self.seats[turn].answer = kind
        if self.tries >= self.max_tries:
            self.reason, self.winner = "tries", not turn
            self.seats[not turn].heard.append(Told("illegal", turn, None, None, None, not turn, "tries"))
        said = Told(kind, turn, action if 0 <= action < COUNT else -1, None, None, self.winner, self.reason)
        self.seats[turn].heard.append(said)
        return kind

    def refused_squares(self) -> tuple[Counter[int], Counter[int]]:
        """From-squares and to-squares of the tries refused this turn."""
        turn, steps = self.position.turn, [STEPS[action] for action in self.refused]
        return (
            Counter(seat_square(step.source, turn) for step in steps),
            Counter(seat_square(step.target, turn) for step in steps),
        )

    def _accept(self, action: int) -> None:
        position, turn = self.position, self.position.turn
        source, target, promotion = STEPS[action]
        source, target = seat_square(source, turn), seat_square(target, turn)
        pawn = bool(position.kinds[turn][chess.PAWN] >> source & 1)
        victim = target
        if pawn and target == position.passed and source % 8 != target % 8:
            victim = chess.square(target % 8, source // 8)
        captured = position.take(victim) if position.at[victim] else None
        self._shift(source, target, promotion or chess.QUEEN)
        self.clock = 0 if pawn or captured else self.clock + 1
        self.number += not turn
        self.plies += 1
        self.tries = 0
        self.refused = []
        self._tell(turn, captured, victim, pawn)
        self._look(turn, 0)
        self._look(not turn, 1)
        self._end(captured)
        kind, where = (captured.piece_type, victim) if captured else (None, None)
        for listener in chess.COLORS:
            own = action if listener == turn else None
            self.seats[listener].heard.append(Told("moved", turn, own, kind, where, self.winner, self.reason))

    def _shift(self, source: int, target: int, promotion: int) -> None:
        position, turn = self.position, self.position.turn
        man = position.take(source)
        pawn = man.piece_type == chess.PAWN
        position.put(target, chess.Piece(promotion, turn) if pawn and target // 8 in (0, 7) else man)
        way = target - source
        if man.piece_type == chess.KING and abs(way) == 2:
            position.put(source + way // 2, position.take(source + (3 if way > 0 else -4)))
        if position.rights:
            touched = {source, target}
            position.rights = "".join(r for r in position.rights if not touched & set(CORNERS[r]))
        position.passed = source + way // 2 if pawn and abs(way) == 16 else None
        position.turn = not turn
        self._drop_passed()

    def _tell(self, turn: bool, captured: chess.Piece | None, victim: int, pawn: bool) -> None:
        mover, other = self.seats[turn], self.seats[not turn]
        mover.took, other.lost = None, None
        mover.answer = "moved"
        if captured is not None:
            mover.took = other.lost = (victim, captured.piece_type)
            mover.recalled = [men & ~(1 << victim) for men in mover.recalled]
            mover.age &= ~(255 << 8 * victim)
            mover.taken["pawns" if captured.piece_type == chess.PAWN else "pieces"] += 1
        mover.fifty = 0 if pawn or captured else mover.fifty + 1
        other.fifty = 0 if captured else other.fifty + 1

    def _end(self, captured: chess.Piece | None) -> None:
        if self.clock == 0:
            self.occurred = {}  # what was before a pawn move or a capture cannot come again
        identity = self.position.identity()
        self.occurred[identity] = self.occurred.get(identity, 0) + 1
        if captured is not None and captured.piece_type == chess.KING:
            self.reason, self.winner = "king_captured", not self.position.turn
        elif not self._legal:
            self.reason = "stalemate"
        elif self.threefold and self.occurred[identity] >= 3:
            self.reason = "repetition"
        elif self.fifty_moves and self.clock >= 100:
            self.reason = "fifty_moves"
        elif self.plies >= self.max_plies:
            self.reason = "plies"
