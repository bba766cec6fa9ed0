"""The boards that a player judges, brought up to date with what its seat was told."""

from dataclasses import asdict, dataclass
from typing import Any

import chess
import numpy as np

from ks_baselines.samplers.draw import add_boards, new_draw
from ks_baselines.samplers.evolve import (
    filter_own_move,
    filter_turn,
    forget_seen,
    is_new,
    new_memory,
    opponents_turn,
)
from ks_env.belief.metaposition.follow import stamp_of
from ks_env.belief.particles.turns import announcement_fits, goes_on
from ks_env.core.position import refresh
from ks_env.core.record import Array
from ks_env.core.start import fill_truth, parse_fen, rights_of
from ks_env.games.kriegspiel.layout import View
from ks_env.games.opening import Opening

ATTEMPTS = 40  # boards drawn for each that is wanted, at most


@dataclass
class Counters:
    """What happened to the boards since the game began.

    Attributes:
        turns: own turns that the pool was followed through.
        dry: turns at which no board of the pool was left.
        refilled: decisions at which the pool took in boards of the last observation.
        drawn: boards of the last observation that were judged or taken in.
        without: decisions without any board, made by a random try of the informed mask.
        least: the fewest boards in the pool after a turn; -1 before the first.
    """

    turns: int = 0
    dry: int = 0
    refilled: int = 0
    drawn: int = 0
    without: int = 0
    least: int = -1

    def as_dict(self) -> dict[str, int]:
        """By name."""
        return asdict(self)


def own_frame(fen: str, colour: bool) -> chess.Board:
    """A start position as the seat sees it: it is White."""
    board = parse_fen(fen)
    return board if colour else board.mirror()


def armies_of(boards: list[chess.Board]) -> Array:
    """See `draw.Draw.armies`; the opponent is Black."""
    armies = np.zeros((len(boards), 8), np.int64)
    for army, board in zip(armies, boards, strict=True):
        for kind in range(chess.PAWN, chess.KING):
            army[kind] = len(board.pieces(kind, chess.BLACK))
        army[0] = army[1:6].sum()
        army[7] = rights_of(board, chess.BLACK)
    return armies


class Pool:
    """Boards that fit all that a seat was told, up to a number.

    Args:
        size: boards at most.

    Attributes:
        count: boards that it holds.
        whole: whether it holds every board that fits all observations.
        counters: what happened since the game began.
    """

    def __init__(self, size: int) -> None:
        self.memory = new_memory(size)
        self.count, self.whole = 0, False
        self.counters = Counters()
        self._refused = b""
        self._stamp = 0

    @property
    def boards(self) -> Array:
        """TRUTH[count], in the seat's own frame."""
        return self.memory.boards[: self.count]

    def begin(self, opening: Opening, rules: Any) -> None:
        """A new game.

        Args:
            opening: of the seat; its start positions are the first boards.
        """
        self.counters = Counters()
        self._rules = rules
        self._stamp = int(stamp_of(opening.view))
        self._refused = b""
        boards = [own_frame(fen, opening.colour) for fen in opening.fens]
        self.draw = new_draw(armies_of(boards))
        self.count, self.whole = 0, True
        forget_seen(self.memory.seen)
        for board in boards:
            if self.count == len(self.memory.boards):
                self.whole = False
                break
            self._take(board, opening.view)

    def _take(self, board: chess.Board, view: View) -> None:
        """Add a start position if it fits what is told of the start."""
        truth = self.memory.boards[self.count : self.count + 1]
        truth[:] = np.zeros(1, truth.dtype)
        fill_truth(truth[0], board)
        refresh(truth[0])
        told = view["turn"]
        fits = announcement_fits(truth[0], view, self._rules) if told else goes_on(truth[0])
        if fits and is_new(self.memory.seen, truth[0]["key"]):
            self.count += 1

    def follow(self, view: View, seed: int) -> None:
        """Bring the pool up to date with a view of the seat's, which is to move.

        With the same view again nothing changes. If turns were missed no board is left.
        """
        told = int(stamp_of(view))
        self.memory.random[0] = seed
        if told != self._stamp:
            held = self.count
            self._follow_turns(view, told - self._stamp)
            self._stamp, self._refused = told, b""
            self.counters.turns += 1
            least = self.counters.least
            self.counters.least = self.count if least < 0 else min(least, self.count)
            self._note_dry(held)
        said = view["refused"].tobytes() + bytes([view["asked"]])
        if said != self._refused:
            self._refused = said
            held = self.count
            if view["refusals"] or view["asked"]:
                self.count = int(filter_turn(self.memory, self.count, view))
            self._note_dry(held)

    def _note_dry(self, held: int) -> None:
        if self.count == 0 and held > 0:
            self.counters.dry += 1
            self.whole = False

    def _follow_turns(self, view: View, plies: int) -> None:
        """An own move and the opponent's answer; the latter alone before the own first move."""
        if plies not in (1, 2):
            self.count = 0
            return
        if plies == 2:
            self.count = int(filter_own_move(self.memory, self.count, view, self._rules))
        if self.count == 0:
            return
        found = int(opponents_turn(self.memory, self.count, view, self._rules))
        self.whole = self.whole and found >= 0
        self.count = abs(found)
        self.memory = self.memory._replace(boards=self.memory.next, next=self.memory.boards)

    def refill(self, view: View, size: int, seed: int) -> None:
        """Take in boards of the last observation, up to this size, while there is room and they are found."""
        held = self.count
        size = min(size, len(self.memory.boards))
        if held >= size:
            return
        forget_seen(self.memory.seen)
        for board in self.boards:
            is_new(self.memory.seen, board["key"])
        self.draw.random[0] = seed
        wanted = size - held
        self.count = int(add_boards(self.memory, held, size, ATTEMPTS * wanted, self.draw, view, self._rules))
        self.whole = False
        self.counters.drawn += self.count - held

    def clear(self) -> None:
        """Hold no board."""
        self.count, self.whole = 0, False
