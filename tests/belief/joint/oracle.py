"""The joint distribution of hidden men by brute force: one whole game of python-chess for each board.

Written from docs/invisible-chess.md and from the assumption of `ks_env.belief.joint.turns`: the weight
of a board is divided equally among the squares that the hidden man which moved can legally go to. A board
stays when the referee would have said on it what he said.
"""

from __future__ import annotations

import copy
from collections import Counter, defaultdict
from collections.abc import Iterator
from types import SimpleNamespace

import chess

from tests.invisible_duel import InvisibleDuel
from tests.oracle import actions
from tests.oracle.invisible import InvisibleOracle
from tests.oracle.invisible_seat import Heard, Seat

GONE = 64
WITHOUT_HISTORY = {"threefold": 0, "fifty_moves": 0, "max_tries": 1 << 30, "max_plies": 1 << 30}
Key = tuple[
    int, ...
]  # squares by number in the seat's frame, as in `Joint.boards`, then the square passed over


class Hypothesis(InvisibleOracle):
    """A board as it might be, with its referee; `told` is what each player hears of the last answer.

    What a player may try is not looked at: only tries are asked that the real referee has answered.
    """

    def __init__(self, board: chess.Board, number: dict[int, int]) -> None:
        self.options = dict(WITHOUT_HISTORY)
        self.board, self.number = board.copy(stack=False), dict(number)
        self.plies = self.tries = 0
        self.winner, self.reason = None, ""
        self.seen = Counter()
        all_tries = set(range(actions.COUNT))
        anybody = SimpleNamespace(refused=set(), own_board=lambda: all_tries)
        self.seats = {chess.WHITE: anybody, chess.BLACK: anybody}  # type: ignore[dict-item]
        self.told: dict[chess.Color, Heard] = {}

    def _tell(self, colour: chess.Color, message: Heard) -> None:
        self.told[colour] = message

    def after(self, action: int) -> Hypothesis:
        """Another one, in which the try was made."""
        other = Hypothesis(self.board, self.number)
        other.ask(action)
        return other

    def squares_of(self, colour: chess.Color) -> dict[int, int]:
        """The colour's hidden men by number."""
        return {n: s for s, n in self.number.items() if self.board.color_at(s) == colour}

    def loses(self, action: int) -> bool:
        """Whether the try would be impossible, and cost the turn."""
        move = self._move(action)
        return not (self.board.is_check() or self.board.is_legal(move)) and self._cause(move)[0] != "check"


class JointOracle:
    """What `colour` can know of the other's hidden men. Call `before` each try, and `hear` after it."""

    def __init__(self, duel: InvisibleDuel, colour: chess.Color) -> None:
        self.duel, self.colour = duel, colour
        self.boards = [(Hypothesis(duel.oracle.board, duel.oracle.number), 1.0)]
        self._other = self._copy_of_other()
        self._heard = 1

    def _copy_of_other(self) -> Seat:
        """What the other player knows of this one's men, which is public; his own men are a guess."""
        other = copy.copy(self.duel.oracle.seats[not self.colour])
        other.placed, other.unseen = dict(other.placed), dict(other.unseen)
        other.seen, other.shade, other.rights = dict(other.seen), dict(other.shade), set(other.rights)
        return other

    def before(self) -> None:
        """Keep what the other player knows before his turn."""
        self._other = self._copy_of_other()

    def hear(self) -> None:
        """Take in what was heard since, one message at most."""
        heard = self.duel.oracle.heard[self.colour]
        new, self._heard = heard[self._heard :], len(heard)
        for message in new:
            if message.kind != "nonsense":
                self._hear(message)

    def _hear(self, message: Heard) -> None:
        follow = self._own if message.by == self.colour else self._theirs
        merged: dict[Key, tuple[Hypothesis, float]] = {}
        for board, weight in self.boards:
            for after, share in follow(board, message):
                if after.told.get(self.colour) == message:
                    key = self.key(after)
                    merged[key] = (
                        after,
                        merged[key][1] + weight * share if key in merged else weight * share,
                    )
        total = sum(weight for _, weight in merged.values())
        self.boards = [(board, weight / total) for board, weight in merged.values()]

    def _own(self, board: Hypothesis, message: Heard) -> Iterator[tuple[Hypothesis, float]]:
        assert message.action is not None
        yield board.after(message.action), 1.0

    def _theirs(self, board: Hypothesis, message: Heard) -> Iterator[tuple[Hypothesis, float]]:
        if message.kind == "lost":
            yield from self._lost(board)
        elif not message.mover:
            assert message.start is not None
            assert message.end is not None
            move = chess.Move(message.start, message.end, message.promoted)
            yield board.after(actions.number_of(move, not self.colour)), 1.0
        else:
            yield from self._hidden(board, message)

    def _lost(self, board: Hypothesis) -> Iterator[tuple[Hypothesis, float]]:
        """Some try of the other player is impossible on this board; which one, is not said."""
        other = self._other
        men = board.board.piece_map().items()
        other.own = {s: (p.piece_type, board.number.get(s, 0)) for s, p in men if p.color == other.colour}
        for action in other.own_board():
            if board.loses(action):
                yield board.after(action), 1.0
                return

    def _hidden(self, board: Hypothesis, message: Heard) -> Iterator[tuple[Hypothesis, float]]:
        start = board.squares_of(not self.colour).get(message.mover)
        if start is None:
            return
        targets = {move.to_square for move in board.board.legal_moves if move.from_square == start}
        for end in targets:
            last = board.board.piece_type_at(start) == chess.PAWN and end // 8 in (0, 7)
            move = chess.Move(start, end, (message.promoted or chess.QUEEN) if last else None)
            yield board.after(actions.number_of(move, not self.colour)), 1 / len(targets)

    def key(self, board: Hypothesis) -> Key:
        """The board as `Joint` would write it."""
        mirror = 0 if self.colour else 56
        men = board.squares_of(not self.colour)
        squares = [men[n] ^ mirror if n in men else GONE for n in range(16)]
        return (*squares, self._passed(board))

    def _passed(self, board: Hypothesis) -> int:
        """The square that a hidden pawn of the other player has just passed over, if not all know it."""
        square = board.board.ep_square
        known = self.duel.oracle.seats[self.colour].passed  # at the start, whose position is public
        if square is None or square == known or board.board.turn != self.colour:
            return -1
        pawn = square + (-8 if self.colour else 8)
        return square ^ (0 if self.colour else 56) if pawn in board.number else -1

    def weights(self) -> dict[Key, float]:
        """The distribution."""
        found: dict[Key, float] = defaultdict(float)
        for board, weight in self.boards:
            found[self.key(board)] += weight
        return dict(found)
