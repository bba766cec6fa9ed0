"""The numbers of the actions, written down a second time.

```
0 .. 1791     from-square ascending, to-square ascending, queen-wise and knight-wise steps of an empty board
1792 .. 1857  under-promotions: from a7 .. h7, to-square ascending, then knight, bishop, rook
1858          the question "any?"
```
Squares are the mover's own: Black's are mirrored, files kept (a7 is his a2).
"""

from __future__ import annotations

import random
from collections.abc import Iterable
from typing import Final, NamedTuple

import chess
import numpy as np


class Step(NamedTuple):
    """One action as squares of the mover's side; `promotion` is set for under-promotions alone."""

    source: int
    target: int
    promotion: chess.PieceType | None


def _is_plain(source: int, target: int) -> bool:
    files = abs(source % 8 - target % 8)
    ranks = abs(source // 8 - target // 8)
    straight = (files == 0) != (ranks == 0)
    diagonal = files == ranks != 0
    return straight or diagonal or sorted((files, ranks)) == [1, 2]


def _all_steps() -> list[Step]:
    steps = [Step(s, t, None) for s in range(64) for t in range(64) if _is_plain(s, t)]
    for source in range(48, 56):
        for target in range(56, 64):
            if abs(source % 8 - target % 8) <= 1:
                steps += [Step(source, target, kind) for kind in (chess.KNIGHT, chess.BISHOP, chess.ROOK)]
    return steps


STEPS: Final = tuple(_all_steps())
NUMBER: Final = {step: number for number, step in enumerate(STEPS)}
ANY: Final = len(STEPS)
COUNT: Final = len(STEPS) + 1


def seat_square(square: int, colour: chess.Color) -> int:
    """The square as the player of `colour` counts it; the same call turns it back."""
    return square if colour == chess.WHITE else chess.square_mirror(square)


def number_of(move: chess.Move, colour: chess.Color) -> int:
    """The action of a python-chess move by `colour`; a promotion to a queen is the plain step."""
    kind = None if move.promotion == chess.QUEEN else move.promotion
    return NUMBER[Step(seat_square(move.from_square, colour), seat_square(move.to_square, colour), kind)]


def uci(action: int, colour: chess.Color, promotes: bool) -> str:
    """UCI text of an action; `promotes`: it is a pawn's plain step to the last rank."""
    if action == ANY:
        return "any?"
    source, target, kind = STEPS[action]
    if kind is None and promotes:
        kind = chess.QUEEN
    return chess.Move(seat_square(source, colour), seat_square(target, colour), kind).uci()


# -- sets of actions as the bits of a number -----------------------------------------------------------------

BYTES: Final = -(-COUNT // 8)
MOST_REMEMBERED: Final = 200_000  # answers of `leading`
_LEADING: dict[int, int] = {}


def bits_of(found: Iterable[int]) -> int:
    """The set as a number."""
    bits = 0
    for action in found:
        bits |= 1 << action
    return bits


def members(bits: int) -> list[int]:
    """The actions of such a set, in growing order."""
    packed = np.frombuffer(bits.to_bytes(BYTES, "little"), np.uint8)
    found: list[int] = np.flatnonzero(np.unpackbits(packed, bitorder="little")).tolist()
    return found


def draw(rng: random.Random, bits: int) -> int:
    """One of the actions of such a set that is not empty, each equally likely."""
    number, action, half = rng.randrange(bits.bit_count()), 0, 1024
    while half:
        lower = bits & (1 << half) - 1
        count = lower.bit_count()
        if number < count:
            bits = lower
        else:
            number -= count
            bits >>= half
            action += half
        half >>= 1
    return action


def leading(source: int, targets: int, pawn: bool, colour: chess.Color = chess.WHITE) -> int:
    """The actions from a square to the squares of a bitboard, a pawn's promotions of each kind.

    Both are squares of the board as `colour` is to number them; those of a seat, with the default.
    """
    key = targets << 8 | colour << 7 | pawn << 6 | source
    found = _LEADING.get(key)
    if found is None:
        start, found = seat_square(source, colour), 0
        for square in chess.SquareSet(targets):
            end = seat_square(square, colour)
            found |= 1 << NUMBER[Step(start, end, None)]
            if pawn and end >= 56:
                found |= bits_of(
                    NUMBER[Step(start, end, k)] for k in (chess.KNIGHT, chess.BISHOP, chess.ROOK)
                )
        if len(_LEADING) < MOST_REMEMBERED:
            _LEADING[key] = found
    return found
