"""The referee's messages as one number, the key of a child: the answer to the own move, then the reply.

========  =======================================================================================
bits      what the seat hears
========  =======================================================================================
0–1       what is said to be captured by the own move: nothing, a pawn, a piece, a man
2         the square said is not the one on which the move ended (en passant)
3–7, 8–9  types of the checks given, and how many men give them
10–14     pawn tries of the opponent, plus 1; 0 if nothing is said
15–21     square on which the opponent captures, plus 1; 0 for none
22–26     types of the checks suffered; 27–28 by how many men
29–33     own pawn tries, plus 1; 0 if nothing is said
34        a promotion of the opponent was announced
35–48     the opponent's pawns that have a capture, where they are named: a digest
49–62     likewise the own ones
========  =======================================================================================

What only the referee knows is in no key. Kinds of own men need no saying, and the squares of own captures
follow from the move.
"""

import numpy as np

from ks_env.core.bits import ZERO, popcount
from ks_env.core.jit import kernel
from ks_env.core.layout import Rules, Truth
from ks_env.core.position import check_types
from ks_env.core.record import i8
from ks_env.core.ruleset import SQUARES
from ks_env.games.kriegspiel.hearing import said_kind, said_square, said_tries

DIGEST = np.uint64(0x9E3779B97F4A7C15)


@kernel
def digest(board: np.uint64) -> int:
    """14 bits that tell boards of pawns apart, 0 for none: equal for two in some 16,000."""
    if board == ZERO:
        return 0
    return i8((board * DIGEST) >> np.uint64(50))


@kernel
def checks_part(truth: Truth) -> int:
    """Check types and checkers of the side to move: 7 bits."""
    return i8(check_types(truth)) | popcount(truth.checkers) << 5


@kernel
def tries_part(truth: Truth, rules: Rules) -> int:
    """What is said of the pawn tries of the side to move: 5 bits."""
    said = truth.said
    said.tries = truth.tries
    return i8(said_tries(said, rules)) + 1


@kernel
def answer_key(truth: Truth, rules: Rules, end: int) -> int:
    """The answer to the own move, which ended on `end`; the board is played and refreshed."""
    said = truth.said
    key = i8(said_kind(said, rules))
    if key != 0 and said_square(said, rules) != end:
        key |= 4
    key |= checks_part(truth) << 3 | tries_part(truth, rules) << 10
    if rules.pawn_tries == SQUARES:
        key |= digest(truth.try_squares) << 35
    return key


@kernel
def turn_key(truth: Truth, rules: Rules) -> int:
    """What is heard of the opponent's move; the board is played and refreshed."""
    said = truth.said
    key = 0
    if said.captured != 0:
        key = (i8(said_square(said, rules)) + 1) << 15
    key |= checks_part(truth) << 22 | tries_part(truth, rules) << 29
    if rules.promotion_said and said.promoted != 0:
        key |= 1 << 34
    if rules.pawn_tries == SQUARES:
        key |= digest(truth.try_squares) << 49
    return key
