"""The numbers of the actions, written down a second time.

```
0 .. 1791     from-square ascending, to-square ascending, queen-wise and knight-wise steps of an empty board
1792 .. 1857  under-promotions: from a7 .. h7, to-square ascending, then knight, bishop, rook
1858          the question "any?"
```
Squares are the mover's own: Black's are mirrored, files kept (a7 is his a2).
"""

from __future__ import annotations

from typing import Final, NamedTuple

import chess


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
