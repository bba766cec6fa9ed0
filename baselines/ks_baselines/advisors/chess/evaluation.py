"""What a position is worth without looking ahead, in centipawns for the side to move.

Material and squares and the pawn structure come with the board. Added here: the king's shelter, how far
bishops and rooks see, and in endings what wins won ones at small depth: the weaker king belongs to the edge,
and the stronger one beside it. A lead that cannot win counts little or nothing.
"""

from ks_baselines.advisors.chess.board import Board
from ks_baselines.advisors.chess.values import APART, CORNER, FULL_PHASE, OUT, shield
from ks_env.core.attacks import bishop_attacks, rook_attacks
from ks_env.core.bits import ZERO, lowest, popcount, without_lowest
from ks_env.core.jit import kernel
from ks_env.core.position import insufficient_material, king_square
from ks_env.core.record import i8
from ks_env.core.tables import BISHOP, DARK, KING, KNIGHT, PAWN, QUEEN, ROOK

LIMIT = 9_000  # no static value is beyond: mates stand above
BISHOP_SEES, ROOK_SEES = 4, 2  # for each square that a man sees, up to MOST_SEEN
MOST_SEEN = 8
LATE = 26  # phase below which a lead drives the king
LEAD = 250  # centipawns that make it a lead
MINOR_LEAD = 400  # without pawns, less than this seldom wins


@kernel
def drive(board: Board, winner: int) -> int:
    """Centipawns for the stronger seat: the weaker king to the edge, its own king beside it."""
    strong, weak = king_square(board, winner), king_square(board, 1 - winner)
    bare = board.seats[1 - winner] == board.kinds[KING] & board.seats[1 - winner]
    near = 28 - APART[strong, weak]
    men = board.seats[winner]
    if not bare:
        return 8 * OUT[weak] + 4 * near
    heavy = (board.kinds[PAWN] | board.kinds[ROOK] | board.kinds[QUEEN]) & men
    bishops, knights = board.kinds[BISHOP] & men, board.kinds[KNIGHT] & men
    if heavy == ZERO and knights != ZERO and bishops != ZERO and without_lowest(bishops) == ZERO:
        dark = 1 if bishops & DARK != ZERO else 0
        return 30 * (7 - CORNER[dark, weak]) + 2 * near
    return 14 * OUT[weak] + 4 * near


@kernel
def in_the_ending(board: Board, value: int) -> int:
    """White's value of an ending, with what the lead is worth there."""
    if board.kinds[PAWN] == ZERO and insufficient_material(board):
        return 0
    winner = 0 if value > 0 else 1
    lead = abs(value)
    if lead < LEAD:
        return value
    if board.kinds[PAWN] & board.seats[winner] == ZERO:
        men = board.seats[winner]
        minors = (board.kinds[KNIGHT] | board.kinds[BISHOP]) & men
        # two knights alone do not win, and neither does one minor piece more
        alone = men == minors | (board.kinds[KING] & men)
        if lead < MINOR_LEAD or (alone and minors & board.kinds[BISHOP] == ZERO):
            return value // 8 if value > 0 else -(-value // 8)
    lead += drive(board, winner)
    return lead if winner == 0 else -lead


@kernel
def mobility(board: Board, seat: int) -> int:
    """Centipawns for what the seat's bishops and rooks see; a man that sees half of `MOST_SEEN` has none."""
    occupied = board.seats[0] | board.seats[1]
    bishops, rooks = board.kinds[BISHOP] & board.seats[seat], board.kinds[ROOK] & board.seats[seat]
    value = 0
    while bishops != ZERO:
        seen = popcount(bishop_attacks(lowest(bishops), occupied))
        value += BISHOP_SEES * (min(seen, MOST_SEEN) - MOST_SEEN // 2)
        bishops = without_lowest(bishops)
    while rooks != ZERO:
        seen = popcount(rook_attacks(lowest(rooks), occupied))
        value += ROOK_SEES * (min(seen, MOST_SEEN) - MOST_SEEN // 2)
        rooks = without_lowest(rooks)
    return value


@kernel
def evaluate(board: Board) -> int:
    """Centipawns for the side to move, between -LIMIT and LIMIT; a board and its colour mirror agree."""
    phase = i8(min(board.phase, FULL_PHASE))
    pawns = i8(board.pawns)
    white, black = board.kinds[PAWN] & board.seats[0], board.kinds[PAWN] & board.seats[1]
    kings = lowest(board.kinds[KING] & board.seats[0]), lowest(board.kinds[KING] & board.seats[1])
    shelter = shield(white, kings[0], 0) - shield(black, kings[1], 1)
    sight = mobility(board, 0) - mobility(board, 1)
    middle = i8(board.middle) + (pawns >> 1) + shelter
    mixed = middle * phase + (i8(board.ending) + pawns) * (FULL_PHASE - phase)
    # towards zero, so that both colours are served alike
    value = (mixed >> 6 if mixed >= 0 else -(-mixed >> 6)) + sight
    if phase < LATE:
        value = in_the_ending(board, value)
    value = max(-LIMIT, min(LIMIT, value))
    return value if board.side == 0 else -value
