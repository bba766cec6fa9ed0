"""Whether a board fits what its seat was told: of its own move, of the opponent's turn, of its tries since.

Boards are TRUTH records in the seat's own frame: the seat is side 0 and its pawns go up, whatever its colour.
The referee's own kernels play the moves and find what would have been announced. Not used as evidence are
the half-move clock and earlier positions: that the game was not drawn by them says little, and two boards
with the same men, rights and en passant square are one.
"""

import numpy as np

from ks_baselines.mcts.approach_a.sampler import check_faults, refusal_faults, tries_faults
from ks_env.core.attacks import man_attacks
from ks_env.core.bits import ZERO, bit, lowest, popcount, without_lowest
from ks_env.core.jit import kernel
from ks_env.core.layout import Rules, Truth
from ks_env.core.position import (
    check_types,
    has_legal_move,
    insufficient_material,
    is_legal,
    legal_targets,
    play,
    refresh,
)
from ks_env.core.record import i4, i8
from ks_env.core.ruleset import ONE_TRY, SQUARES
from ks_env.core.tables import (
    KING,
    KING_MOVES,
    KNIGHT,
    PAWN,
    PAWN_ATTACKS,
    RANK_3,
    RANK_6,
    TRY_FROM,
    TRY_KIND,
    TRY_TO,
)
from ks_env.games.kriegspiel.hearing import HEARD_NO, HEARD_YES, said_kind, said_square, said_tries
from ks_env.games.kriegspiel.judge import describe
from ks_env.games.kriegspiel.layout import View
from ks_env.games.kriegspiel.tries import DENIED, NOT_ASKED

MOST_MOVES = 256  # legal moves of a side


@kernel
def goes_on(truth: Truth) -> bool:
    """Whether the game is not over on the board; the seat was not told of an end."""
    return has_legal_move(truth) and not insufficient_material(truth)


@kernel
def fits_message(truth: Truth, view: View, rules: Rules) -> bool:
    """Whether checks and pawn tries are as announced to the seat to move; the board is refreshed."""
    return check_faults(truth, view) == 0 and tries_faults(truth, view, rules) == 0


@kernel
def fits_turn(truth: Truth, view: View) -> bool:
    """Whether the board fits the answers to the seat's tries and to its "any?" of this turn."""
    if view.asked != NOT_ASKED and (truth.tries > 0) != (view.asked != DENIED):
        return False
    return refusal_faults(truth, view) == 0


@kernel
def own_move_fits(truth: Truth, view: View, rules: Rules) -> bool:
    """Play the seat's accepted try on the board; whether the referee would have said what it said.

    Args:
        truth: TRUTH, side 0 to move; the other side is to move afterwards, if True.
        view: VIEW after the move, or after the opponent's answer to it.
        rules: RULES record.
    """
    action = i8(view.last)
    start, end = i8(TRY_FROM[action]), i8(TRY_TO[action])
    if truth.men[start] == 0 or not is_legal(truth, start, end):
        return False
    play(truth, start, end, i8(TRY_KIND[action]))
    said = truth.said
    if said_kind(said, rules) != view.took_kind or (said.en_passant != 0) != (view.passed >= 0):
        return False
    if view.took_kind != 0 and said_square(said, rules) != view.took:
        return False
    refresh(truth)
    if check_types(truth) != view.gave or popcount(truth.checkers) != view.givers:
        return False
    describe(truth)
    if said_tries(said, rules) != view.left:
        return False
    if rules.pawn_tries == SQUARES and truth.try_squares != view.left_squares:
        return False
    return goes_on(truth)


@kernel
def _blind_targets(truth: Truth, start: int) -> np.uint64:
    """Where a man of the side to move might go as far as that side's own men tell."""
    side = i8(truth.side)
    own = truth.seats[side]
    kind = i8(truth.men[start]) & 7
    if kind == PAWN:
        if side == 0:
            ahead = (bit(start) << np.uint64(8)) & ~own
            ahead |= ((ahead & RANK_3) << np.uint64(8)) & ~own
        else:
            ahead = (bit(start) >> np.uint64(8)) & ~own
            ahead |= ((ahead & RANK_6) >> np.uint64(8)) & ~own
        return ahead | (PAWN_ATTACKS[side, start] & ~own)
    if kind != KING:
        return man_attacks(kind, start, own) & ~own
    targets = KING_MOVES[start] & ~own
    rights = (i8(truth.rights) >> (2 * side)) & 3
    if rights & 1 and own & (np.uint64(0x60) << np.uint64(56 * side)) == ZERO:
        targets |= bit(start + 2)
    if rights & 2 and own & (np.uint64(0x0E) << np.uint64(56 * side)) == ZERO:
        targets |= bit(start - 2)
    return targets


@kernel
def _refusable(truth: Truth, enough: int) -> bool:
    """Whether the side to move has so many different tries that the referee would call illegal."""
    men = truth.seats[i8(truth.side)]
    found = 0
    while men != ZERO and found < enough:
        start = lowest(men)
        men = without_lowest(men)
        refused = _blind_targets(truth, start) & ~legal_targets(truth, start)
        last = np.uint64(0xFF000000000000FF)
        each = 4 if truth.men[start] & 7 == PAWN else 1
        found += popcount(refused & ~last) + each * popcount(refused & last)
    return found >= enough


@kernel
def refusals_fit(truth: Truth, view: View, rules: Rules) -> bool:
    """Whether what was heard of the opponent's refused tries and of its "any?" could have been said.

    A refused try that is heard says something only where nonsense is not heard: no try is then refused twice.

    Args:
        truth: TRUTH, the opponent to move.
        view: VIEW after its turn.
        rules: RULES record.
    """
    if view.their_any == HEARD_YES and truth.tries == 0:
        return False
    if view.their_any == HEARD_NO and truth.tries > 0:
        return False
    if view.heard == 0 or rules.nonsense_heard:
        return True
    return _refusable(truth, i8(view.heard))


@kernel
def _captures_only(view: View, rules: Rules) -> bool:
    """Whether the opponent was obliged to capture with a pawn when it made its move."""
    return view.their_any == HEARD_YES and (rules.ask_any != ONE_TRY or view.heard == 0)


@kernel
def list_moves(truth: Truth, view: View, rules: Rules, out: np.ndarray) -> int:
    """The opponent's legal moves that capture just what was announced, if anything.

    Args:
        truth: TRUTH, the opponent to move.
        view: VIEW after its turn.
        rules: RULES record.
        out: i4[MOST_MOVES], filled with `start | end << 6 | kind of an under-promotion << 12`.

    Returns:
        How many.
    """
    own = truth.seats[0]
    gone = own & ~view.own
    n = 0
    if (gone == ZERO) != (view.lost_kind == 0) or popcount(gone) > 1:
        return 0
    only = _captures_only(view, rules)
    men = truth.seats[1]
    while men != ZERO:
        start = lowest(men)
        men = without_lowest(men)
        pawn = i8(truth.men[start]) & 7 == PAWN
        wanted = gone if gone != ZERO else ~own
        if pawn and truth.ep >= 0:
            passed = bit(i8(truth.ep))
            wanted = (wanted | passed) if gone == bit(i8(truth.ep) ^ 8) else (wanted & ~passed)
        if only and not pawn:
            continue
        targets = legal_targets(truth, start) & wanted
        if only:
            targets &= PAWN_ATTACKS[1, start]
        while targets != ZERO:
            end = lowest(targets)
            targets = without_lowest(targets)
            out[n] = i4(start | end << 6)
            n += 1
            if pawn and end < 8:
                for under in range(KNIGHT, KNIGHT + 3):
                    out[n] = i4(start | end << 6 | under << 12)
                    n += 1
    return n


@kernel
def their_move_fits(truth: Truth, move: int, view: View, rules: Rules) -> bool:
    """Play one of `list_moves` on the board; whether the seat would have been told what it was told."""
    play(truth, move & 63, move >> 6 & 63, move >> 12)
    said = truth.said
    if said_kind(said, rules) != view.lost_kind or truth.seats[0] != view.own:
        return False
    if view.lost_kind != 0 and said_square(said, rules) != view.lost:
        return False
    if rules.promotion_said and (said.promoted != 0) != (view.promotion != 0):
        return False
    refresh(truth)
    return fits_message(truth, view, rules) and goes_on(truth)
