"""A joint distribution brought up to date with what its seat has been told."""

from ks_env.belief.joint.boards import gather, rebuild, shared_board, start_gathering, whole_board
from ks_env.belief.joint.layout import COUNT, FULL, GONE, TOTAL, Joint, Work
from ks_env.belief.joint.turns import own_haunts, own_turn_fits, refusal_fits, secret_men, their_turn
from ks_env.belief.metaposition.follow import stamp_of
from ks_env.core.answers import LOST, MOVED
from ks_env.core.bits import ZERO, lowest, without_lowest
from ks_env.core.jit import kernel
from ks_env.core.record import i1, i4, i8, u1
from ks_env.core.tables import TRY_WORDS
from ks_env.games.invisible.layout import NUMBERS, View

OWN, THEIRS, REFUSALS = 1, 2, 4  # what has happened since


@kernel
def begin_joint(joint: Joint, view: View) -> None:
    """The distribution at the start of a game, whose position is public."""
    joint.known = view
    joint.count = i4(1)
    joint.rebuilt = i4(0)
    joint.exact = u1(1)
    joint.begun = u1(1)
    joint.weight[0] = 1.0
    joint.passed[0] = i1(-1)
    for n in range(NUMBERS):
        stands = view.unseen[n] != 0 and view.placed[n] >= 0
        joint.squares[0, n] = u1(view.placed[n] if stands else GONE)


@kernel
def _refusals_fit(work: Work, passed: int, joint: Joint, view: View) -> bool:
    for word in range(TRY_WORDS):
        new = view.refused[word] & ~joint.known.refused[word]
        while new != ZERO:
            action = 64 * word + lowest(new)
            new = without_lowest(new)
            if not refusal_fits(work.truths[1], work.row, passed, view, action):
                return False
    return True


@kernel
def _go_through(joint: Joint, view: View, what: int, work: Work) -> None:
    """Gather what follows each board of the distribution."""
    secret, haunts = secret_men(view), own_haunts(view)
    shared_board(joint.known, work.truths[0])
    for i in range(joint.count):
        work.row[:] = joint.squares[i]
        passed, weight = i8(joint.passed[i]), joint.weight[i]
        whole_board(joint.known, work.truths, 1, work.row, passed)
        open_to = passed if passed >= 0 else i8(joint.known.passed)
        if what & REFUSALS:
            if _refusals_fit(work, open_to, joint, view):
                gather(work, passed, weight)
            continue
        if what & OWN and not own_turn_fits(work.truths[1], work.row, open_to, view):
            continue
        if what & THEIRS:
            their_turn(work, 1, view, secret, haunts, weight, i8(joint.spread_captures))
        else:
            gather(work, -1, weight)


@kernel
def keep_gathered(joint: Joint, work: Work) -> None:
    """Replace the boards by those gathered, unless these have no weight."""
    n = i8(work.tally[COUNT])
    total = 0.0
    for i in range(n):
        total += work.weight[i]
    if total <= 0.0:
        return
    for i in range(n):
        joint.squares[i] = work.squares[i]
        joint.passed[i] = work.passed[i]
        joint.weight[i] = work.weight[i] / total
    joint.count = i4(n)


@kernel
def advance(joint: Joint, view: View, what: int, work: Work) -> None:
    """Replace the boards by those that follow, and `known` by the view."""
    start_gathering(work, 0.0)
    _go_through(joint, view, what, work)
    if work.tally[FULL] != 0.0:
        joint.exact = u1(0)
        step = work.tally[TOTAL] / work.weight.shape[0]
        start_gathering(work, step)
        _go_through(joint, view, what, work)
    if work.tally[COUNT] == 0.0:
        start_gathering(work, 0.0)
        rebuild(view, work)
        joint.exact = u1(0)
        joint.rebuilt += i4(1)
    keep_gathered(joint, work)
    joint.known = view


@kernel
def is_same_game(known: View, view: View) -> bool:
    """Whether a view can be a later one of the same seat and game, as far as that is cheap to tell."""
    if view.seat != known.seat or view.start != known.start or view.men_taken < known.men_taken:
        return False
    if stamp_of(view) == stamp_of(known):
        return view.own == known.own and view.theirs == known.theirs
    return True


@kernel
def follow_joint(joint: Joint, view: View, work: Work) -> bool:
    """Bring a distribution up to date; doing so again with the same view changes nothing.

    With refused tries in a turn it is exact if it is called after each of them: of the earlier ones a view
    does not hold the causes.

    Args:
        joint: record of `layout.joint_dtype`, in place.
        work: working memory for as many boards as there may be.

    Returns:
        False if the view is of another game, more than an own turn and an answer ahead, or lies behind.
    """
    if view.over:
        return True
    if not is_same_game(joint.known, view):
        return False
    behind = stamp_of(view) - stamp_of(joint.known)
    if behind == 0:
        if view.refusals != joint.known.refusals:
            advance(joint, view, REFUSALS, work)
        return view.refusals >= joint.known.refusals
    if joint.known.turn and view.answer != MOVED and view.answer != LOST:
        return False  # a refused try of the new turn has taken the place of the move
    if behind == 1:
        advance(joint, view, OWN if joint.known.turn else THEIRS, work)
        return True
    if behind != 2 or not joint.known.turn:
        return False
    advance(joint, view, OWN | THEIRS, work)
    return True
