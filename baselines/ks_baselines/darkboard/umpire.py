"""What the referee is assumed to say in the tree: the heuristics of M07 §3.1, one function each.

"Every move is always assumed to be legal" needs no code: whatever is generated is made. The rules of the
opponent's turn need no code of their own beyond `simulate_meta`, which makes it silent: it
captures nothing ("the opponent never captures any pieces"), gives no check ("never threatens the allied
King") and leaves no pawn tries ("pawn tries for the artificial player are never generated"), so that below
the root no pawn captures are generated.
"""

from ks_env.belief.metaposition.layout import Metaposition
from ks_env.core.bits import ZERO, has
from ks_env.core.jit import kernel
from ks_env.core.tables import BEYOND, KING, KNIGHT, PAWN, PAWN_ATTACKS, TRY_INDEX
from ks_env.core.tries import refused
from ks_env.games.kriegspiel.layout import View

NOTHING, A_PAWN, A_PIECE = 0, 1, 2  # what a simulated move captures


@kernel
def is_pawn_try(kind: int, start: int, end: int) -> bool:
    """A pawn's diagonal move captures by its own nature."""
    return kind == PAWN and (start ^ end) & 7 != 0


@kernel
def lands_on_a_man(m: Metaposition, kind: int, end: int) -> bool:
    """A man other than a pawn that lands where the pseudo-piece Empty is not set captures."""
    return kind != PAWN and not has(m.ghosts[0] | m.own[0], end)


@kernel
def shorter_than_refused(view: View, kind: int, start: int, end: int) -> bool:
    """A slide one square shorter than one that was refused this turn is considered a capture."""
    if view.refusals == 0 or view.refused_from[start] == 0:
        return False
    if kind == KNIGHT or kind == KING or kind == PAWN:
        return False
    beyond = BEYOND[start, end]
    step = (end - start) // max(abs((end >> 3) - (start >> 3)), abs((end & 7) - (start & 7)))
    return beyond != ZERO and refused(view, TRY_INDEX[start, end + step])


@kernel
def captured_kind(m: Metaposition, end: int) -> int:
    """The captured man is a pawn, unless pawns are impossible on that square."""
    return A_PAWN if has(m.ghosts[PAWN], end) else A_PIECE


@kernel
def gives_pawn_try(m: Metaposition, end: int) -> bool:
    """The opponent gets a pawn try if the man that just moved may be the target of a pawn's capture."""
    return PAWN_ATTACKS[0, end] & m.ghosts[PAWN] != ZERO


@kernel
def predicted_capture(m: Metaposition, kind: int, start: int, end: int) -> int:
    """What an own move captures, as far as the metaposition tells: NOTHING, A_PAWN or A_PIECE."""
    if is_pawn_try(kind, start, end) or lands_on_a_man(m, kind, end):
        return captured_kind(m, end)
    return NOTHING
