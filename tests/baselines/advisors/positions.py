"""Positions of random games of invisible chess, each board of the distribution set up before a referee."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass

import chess
import numpy as np

from ks_env.belief.joint import Joint
from ks_env.belief.joint.boards import shared_board, whole_board
from ks_env.core.layout import TRUTH
from ks_env.games.definition import Row
from ks_env.games.invisible.game import InvisibleGame
from tests.belief.joint.games import followed
from tests.belief.joint.oracle import Hypothesis
from tests.oracle.invisible_seat import Heard

GONE = 64


@dataclass
class Position:
    """A seat to move, what it can know, and the kernel's and python-chess's idea of each board."""

    view: Row
    joint: Joint
    colour: bool

    @property
    def tries(self) -> list[int]:
        """The own-board mask."""
        from ks_env.core.tries import MOST_TRIES, OWN_BOARD
        from ks_env.games.invisible.game import INVISIBLE
        from ks_env.games.invisible.tries import list_tries

        found = np.zeros(MOST_TRIES, np.int16)
        n = list_tries(self.view, INVISIBLE.record()[0], OWN_BOARD, found)
        return [int(action) for action in found[:n]]

    def passed(self, at: int) -> int:
        """The square that a pawn of the opponent has just passed over on the board, in the seat's frame."""
        own = int(self.joint.record["passed"][at])
        return own if own >= 0 else int(self.view["passed"])

    def truths(self, at: int) -> np.ndarray:
        """TRUTH[3]: what all boards share, the board, and room for one more."""
        truths = np.zeros(3, TRUTH)
        shared_board(self.view, truths[0])
        whole_board(self.view, truths, 1, self.joint.boards[at], int(self.joint.record["passed"][at]))
        return truths

    def board(self, at: int) -> tuple[chess.Board, dict[int, int]]:
        """The board on python-chess, with the seat's own castling rights alone, and hidden men's numbers."""
        view, mirror = self.view, 0 if self.colour else 56
        board, number = chess.Board(None), {}
        for square in range(64):
            if view["men"][square]:
                board.set_piece_at(square ^ mirror, chess.Piece(int(view["men"][square]), self.colour))
            if view["seen"][square]:
                board.set_piece_at(square ^ mirror, chess.Piece(int(view["seen"][square]), not self.colour))
            if view["ids"][square]:
                number[square ^ mirror] = int(view["ids"][square])
        for n, square in enumerate(self.joint.boards[at].tolist()):
            if square < GONE:
                board.set_piece_at(square ^ mirror, chess.Piece(int(view["unseen"][n]), not self.colour))
                number[square ^ mirror] = n
        board.turn = self.colour
        for right, corner in ((1, 7), (2, 0)):
            if int(view["rights"]) & right:
                board.castling_rights |= chess.BB_SQUARES[corner ^ mirror]
        passed = self.passed(at)
        board.ep_square = None if passed < 0 else passed ^ mirror
        return board, number

    def heard(self, at: int, action: int) -> Heard:
        """What the seat would hear of a try on the board."""
        return Hypothesis(*self.board(at)).after(action).told[self.colour]


def positions(
    seed: int, hidden: str, tries: int, every: int, fen: str = chess.STARTING_FEN
) -> Iterator[Position]:
    """Positions of one random game, some tries apart."""
    for number, (game, joints) in enumerate(followed(random.Random(seed), hidden, 4096, tries, fen)):
        if number % every == every - 1:
            yield position_of(game, joints)


def position_of(game: InvisibleGame, joints: dict[bool, Joint]) -> Position:
    """That of the side to move."""
    colour = game.to_play
    assert colour is not None
    return Position(game.view(colour), joints[colour], colour)


# Hidden men and starts in which much can be heard: checks, pins, castling, promotions, steps of hidden pawns
RICH = [
    ("2N v 2N", chess.STARTING_FEN),
    ("R v Q", "r3k2r/p6p/8/3q4/8/2N5/P6P/R3K2R w KQkq - 0 1"),
    ("B N v R B", "4k2r/4p3/8/b7/8/2N5/3P4/R3KB2 b - - 0 1"),
    ("d2 f2 v c7 g7", "4k3/2p3p1/8/3P4/4p3/8/3P1P2/4K3 w - - 0 1"),
    ("a7 v h2 g1", "1n2k3/P7/8/8/8/8/7p/R3K1n1 w Q - 0 1"),
]
