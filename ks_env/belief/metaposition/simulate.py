"""Silent updates for searching: what the umpire prediction of M07 §3.1 assumes, a referee that says nothing.

Only these two change a metaposition inside a search. They keep to M07 §4.3: a metamove never lowers the
entropy, since ghosts only spread and age; a pseudomove never raises it, since they only vanish.
"""

from ks_env.belief.metaposition.boards import own_pawn_targets
from ks_env.belief.metaposition.layout import Metaposition
from ks_env.belief.metaposition.measures import possible_but_king
from ks_env.belief.metaposition.own_move import count_captured, kind_at, move_own_man
from ks_env.belief.metaposition.spread import king_steps, may_promote, movable, spread_pawns, spread_pieces
from ks_env.belief.metaposition.squares import grow_old, may_lose_pawns, settle_counts
from ks_env.core.attacks import man_attacks
from ks_env.core.bits import ALL, bit, has
from ks_env.core.jit import kernel
from ks_env.core.record import i1
from ks_env.core.tables import KING, KNIGHT, PAWN


@kernel
def simulate_pseudo(m: Metaposition, start: int, end: int, under: int, captures: int) -> None:
    """An own move that is legal and of which nothing is said but, if it captures, the capture.

    The captured man is a pawn unless none can be there, and then a piece (M07 §3.1). As no check is
    announced, the opponent's king stands where the moved man does not attack it.

    Args:
        m: METAPOSITION of the seat to move, in place.
        start: square.
        end: square; the king's two-square move is castling.
        under: kind of an under-promotion, else 0.
        captures: 1 if it captures.
    """
    if captures:
        count_captured(m, end, PAWN if has(m.ghosts[PAWN], end) else 0)
        settle_counts(m)
    move_own_man(m, start, end, under)
    kind = kind_at(m, end)
    if kind == PAWN:
        m.ghosts[KING] &= ~own_pawn_targets(bit(end))
    else:
        m.ghosts[KING] &= ~man_attacks(kind, end, m.own[0] | possible_but_king(m))


@kernel
def simulate_meta(m: Metaposition) -> None:
    """A quiet move of the opponent, any of them: every ghost spawns copies, and stays."""
    empty = m.ghosts[0]
    may_leave = movable(m, empty)
    steps = king_steps(m, empty)
    if may_promote(m, empty):
        promotions = spread_pawns(m, empty, ALL)
        spread_pieces(m, empty, ALL)
        may_lose_pawns(m, promotions)
        for kind in range(KNIGHT, KING):
            m.ghosts[kind] |= promotions
    else:
        spread_pawns(m, empty, ALL)
        spread_pieces(m, empty, ALL)
    m.ghosts[KING] |= steps
    m.ghosts[0] |= may_leave
    m.moved = i1(-1)
    grow_old(m)
