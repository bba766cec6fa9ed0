"""Whether a board fits what a seat was told, and which moves its opponent has on it.

Boards are TRUTH records in the seat's frame: the seat is seat 0 and plays up the board, its opponent seat 1.
The rules' own kernels answer for each board as the referee would, and the answer is compared with the view.
Three moments are told apart:

- the seat makes a move that is accepted: `own_move_fits` plays it;
- the seat waits: `waiting_board_fits` looks at a board after that move, wherever it came from;
- the opponent has moved: `their_move_fits` plays his move, and `own_turn_fits` hears what was said in the
  seat's turn since then: refusals and the answer to "any?".
"""

import numpy as np

from ks_env.belief.metaposition.follow import stamp_of
from ks_env.core.bits import ZERO, bit, has, lowest, without_lowest
from ks_env.core.jit import kernel
from ks_env.core.layout import Rules, Truth
from ks_env.core.position import (
    attackers,
    has_legal_move,
    insufficient_material,
    is_legal,
    king_square,
    legal_targets,
    play,
    refresh,
)
from ks_env.core.record import i8
from ks_env.core.ruleset import ONE_TRY, SQUARES
from ks_env.core.tables import (
    BETWEEN,
    KING,
    PAWN,
    ROOK_FROM,
    ROOK_TO,
    TRY_FROM,
    TRY_INDEX,
    TRY_KIND,
    TRY_TO,
    TRY_WORDS,
    UNDER_INDEX,
)
from ks_env.games.kriegspiel.hearing import HEARD_YES, said_kind, said_square, said_tries
from ks_env.games.kriegspiel.judge import describe
from ks_env.games.kriegspiel.layout import View
from ks_env.games.kriegspiel.tries import DENIED, NOT_ASKED

LOST_TRACK, OWN, THEIRS, NEWS = -1, 1, 2, 4  # what has happened since


@kernel
def happened_since(known: View, view: View) -> int:
    """What a view tells beyond an earlier one of the same seat: bits OWN, THEIRS, NEWS; or LOST_TRACK."""
    if view.seat != known.seat or view.start != known.start or view.men_taken < known.men_taken:
        return LOST_TRACK
    behind = stamp_of(view) - stamp_of(known)
    if behind == 0:
        if view.own != known.own or view.turn != known.turn or view.refusals < known.refusals:
            return LOST_TRACK
        if not view.turn:
            return NEWS if view.their_any != known.their_any else 0
        return NEWS if view.refusals != known.refusals or view.asked != known.asked else 0
    if behind == 1:
        return OWN if known.turn else THEIRS
    return OWN | THEIRS if behind == 2 and known.turn else LOST_TRACK


@kernel
def goes_on(truth: Truth) -> bool:
    """Whether the game is not over on this board; clocks and repetition are not looked at."""
    return has_legal_move(truth) and not insufficient_material(truth)


@kernel
def own_move_fits(truth: Truth, view: View, rules: Rules) -> bool:
    """Play the own accepted move `view.last`; whether all that was said of it is true of this board.

    Args:
        truth: a refreshed board with the seat to move, in place.
        view: VIEW after the move, or after the opponent's answer.
    """
    action = i8(view.last)
    start, end = i8(TRY_FROM[action]), i8(TRY_TO[action])
    if not is_legal(truth, start, end):
        return False
    play(truth, start, end, i8(TRY_KIND[action]))
    said = truth.said
    if said.captured == KING:  # on a board that did not fit to begin with
        return False
    if said_kind(said, rules) != view.took_kind or (said.en_passant != 0) != (view.passed >= 0):
        return False
    if said.captured != 0 and said_square(said, rules) != view.took:
        return False
    refresh(truth)
    return own_answer_fits(truth, view, rules)


@kernel
def own_answer_fits(truth: Truth, view: View, rules: Rules) -> bool:
    """Whether check and pawn tries are as they were told after the own move, and the game goes on."""
    describe(truth)
    said = truth.said
    if said.checks != view.gave or said.checkers != view.givers or said_tries(said, rules) != view.left:
        return False
    if rules.pawn_tries == SQUARES and said.try_squares != view.left_squares:
        return False
    return goes_on(truth)


@kernel
def own_way(view: View) -> np.uint64:
    """Squares that the own last move has left or passed over, so that nobody stands there: not its end."""
    if view.last < 0:
        return ZERO
    start, end = i8(TRY_FROM[view.last]), i8(TRY_TO[view.last])
    way = BETWEEN[start, end] | bit(start)
    if view.passed >= 0:
        way |= bit(i8(view.passed))
    return way


@kernel
def waiting_board_fits(truth: Truth, view: View, rules: Rules) -> bool:
    """Whether a board may be the one after the own last move, by what was said of that move.

    It looks at what still shows: the squares that the man passed are empty, the own king is not in check, a
    king that castled crossed no attacked square, check and pawn tries are as they were told. What was heard
    before that move is not looked at.

    Args:
        truth: a board with the opponent to move; it is refreshed.
        view: VIEW after the own move, or after the opponent's answer.
    """
    occupied = truth.seats[0] | truth.seats[1]
    if own_way(view) & truth.seats[1] != ZERO:
        return False
    if attackers(truth, king_square(truth, 0), 1, occupied) != ZERO:
        return False
    if view.last >= 0:
        start, end = i8(TRY_FROM[view.last]), i8(TRY_TO[view.last])
        castled = i8(truth.men[end]) & 7 == KING and (end - start == 2 or start - end == 2)
        if castled and not _castling_was_free(truth, start, end):
            return False
    refresh(truth)
    return their_answer_fits(truth, view) and own_answer_fits(truth, view, rules)


@kernel
def their_answer_fits(truth: Truth, view: View) -> bool:
    """Whether the opponent's question "any?" was answered right on this board, if he has asked."""
    return view.their_any == 0 or (truth.tries > 0) == (view.their_any == HEARD_YES)


@kernel
def _castling_was_free(truth: Truth, start: int, end: int) -> bool:
    home, beside = ROOK_FROM[end], ROOK_TO[end]
    if BETWEEN[start, home] & truth.seats[1] != ZERO or has(truth.seats[1], home):
        return False
    occupied = (truth.seats[0] | truth.seats[1]) & ~bit(end) & ~bit(beside) | bit(home)
    attacked = ZERO
    for square in (start, beside, end):
        attacked |= attackers(truth, square, 1, occupied)
    return attacked == ZERO


@kernel
def _takes_with_pawn(truth: Truth, start: int, end: int) -> bool:
    return i8(truth.men[start]) & 7 == PAWN and (start ^ end) & 7 != 0


@kernel
def owes_pawn_capture(view: View, rules: Rules) -> bool:
    """Whether the opponent heard "yes" to "any?", and his move was a pawn capture for that reason."""
    if view.their_any != HEARD_YES:
        return False
    return rules.ask_any != ONE_TRY or view.heard == 0


@kernel
def list_moves(truth: Truth, view: View, rules: Rules, out: np.ndarray) -> int:
    """Write the legal tries of the opponent, who is to move, to `out: i2[MOST_MOVES]`; how many.

    They are numbered in the opponent's own frame. Of what was heard in his turn the question "any?" is taken
    into account: none are left if its answer is not true of this board, and pawn captures alone where he owed
    one. Tries of his that were refused say nothing here.
    """
    if not their_answer_fits(truth, view):
        return 0
    owes = owes_pawn_capture(view, rules)
    n = 0
    men = truth.seats[1]
    while men != ZERO:
        start = lowest(men)
        men = without_lowest(men)
        targets = legal_targets(truth, start)
        pawn = i8(truth.men[start]) & 7 == PAWN
        while targets != ZERO:
            end = lowest(targets)
            targets = without_lowest(targets)
            if owes and not _takes_with_pawn(truth, start, end):
                continue
            out[n] = TRY_INDEX[start ^ 56, end ^ 56]
            n += 1
            if pawn and end < 8:
                first = UNDER_INDEX[start & 7, (end & 7) - (start & 7) + 1]
                for kind in range(3):
                    out[n] = first + kind
                    n += 1
    return n


@kernel
def play_theirs(truth: Truth, action: int) -> None:
    """Play a legal try of the opponent, numbered in his frame, and refresh the board."""
    play(truth, i8(TRY_FROM[action]) ^ 56, i8(TRY_TO[action]) ^ 56, i8(TRY_KIND[action]))
    refresh(truth)


@kernel
def may_fit(truth: Truth, action: int, view: View) -> bool:
    """Whether a try of the opponent leaves the own men that are left, without playing it."""
    start, end = i8(TRY_FROM[action]) ^ 56, i8(TRY_TO[action]) ^ 56
    gone = truth.seats[0] & ~view.own
    if has(truth.seats[0], end):
        return gone == bit(end)
    if i8(truth.men[start]) & 7 == PAWN and end == truth.ep and (start ^ end) & 7 != 0:
        return gone == bit(end ^ 8)
    return gone == ZERO


@kernel
def their_move_fits(truth: Truth, action: int, view: View, rules: Rules) -> bool:
    """Play a legal try of the opponent; whether all that was said of his move is true of this one.

    Args:
        truth: a board with the opponent to move, in place.
        action: the try, in his frame.
        view: VIEW of the seat's turn after it.
    """
    play_theirs(truth, action)
    said = truth.said
    if truth.seats[0] != view.own or said_kind(said, rules) != view.lost_kind:
        return False
    if said.captured != 0 and said_square(said, rules) != view.lost:
        return False
    if rules.promotion_said and (said.promoted != 0) != (view.promotion != 0):
        return False
    return announcement_fits(truth, view, rules)


@kernel
def announcement_fits(truth: Truth, view: View, rules: Rules) -> bool:
    """Whether check and pawn tries are as they were told at the beginning of the seat's turn."""
    describe(truth)
    said = truth.said
    if said.checks != view.checks or said.checkers != view.checkers:
        return False
    if said_tries(said, rules) != view.tries:
        return False
    if rules.pawn_tries == SQUARES and said.try_squares != view.try_squares:
        return False
    return goes_on(truth)


@kernel
def own_turn_fits(truth: Truth, view: View) -> bool:
    """Whether every try refused this turn is illegal on this board, and "any?" was answered right."""
    if view.asked != NOT_ASKED and (truth.tries == 0) != (view.asked == DENIED):
        return False
    if view.refusals == 0:
        return True
    for word in range(TRY_WORDS):
        left = view.refused[word]
        while left != ZERO:
            action = (word << 6) + lowest(left)
            left = without_lowest(left)
            if is_legal(truth, i8(TRY_FROM[action]), i8(TRY_TO[action])):
                return False
    return True


@kernel
def own_board_fits(truth: Truth, view: View, rules: Rules) -> bool:
    """Whether a board with the seat to move may be the present one, by what was said in this turn alone.

    This is the sampler's test of the last observation: the opponent's move that led here is not looked at,
    but that a man stands where one certainly does (`view.enemy`).
    """
    if view.enemy >= 0 and not has(truth.seats[1], i8(view.enemy)):
        return False
    if attackers(truth, king_square(truth, 1), 0, truth.seats[0] | truth.seats[1]) != ZERO:
        return False
    refresh(truth)
    return announcement_fits(truth, view, rules) and own_turn_fits(truth, view)
