"""A metaposition brought up to date with what its seat has been told, step by step as it was told."""

from ks_env.belief.metaposition.layout import Metaposition
from ks_env.belief.metaposition.opponent_move import meta
from ks_env.belief.metaposition.own_move import hear_turn, pseudo
from ks_env.core.jit import kernel
from ks_env.core.layout import Rules
from ks_env.core.record import i8, u2
from ks_env.games.kriegspiel.layout import View


@kernel
def stamp_of(view: View) -> int:
    """Half-moves told: twice the full-move number, plus 1 when Black is to move. Both seats know it."""
    whites_turn = view.turn == (view.seat == 0)
    return 2 * i8(view.moves) + (0 if whites_turn else 1)


@kernel
def _note_heard(m: Metaposition, view: View) -> None:
    """Everything that the view tells of this turn has been taken in.

    Hearing it again could lead to more conclusions, as rules use what others have concluded; what is known
    must not hang on how often a seat was looked at.
    """
    m.refusals = view.refusals
    m.asked = view.asked


@kernel
def follow(m: Metaposition, view: View, rules: Rules) -> bool:
    """Bring a metaposition up to date; doing so again with the same view changes nothing.

    A seat's view keeps what was said of its own last move and of the opponent's answer, so following it once
    in each own turn misses nothing. Once the end was announced nothing is added.

    Args:
        m: METAPOSITION, in place.
        view: VIEW of the same seat.
        rules: RULES record.

    Returns:
        False if the view is more than an own move and an answer ahead, or lies behind.
    """
    if view.over:
        return True
    told = stamp_of(view)
    if told < m.stamp or told > m.stamp + 2:
        return False
    while m.stamp < told:
        if (m.stamp & 1) == view.seat:
            if told == m.stamp + 2 or not view.turn:
                pseudo(m, view, rules)
        else:
            if not view.turn:
                return False
            meta(m, view, rules)
            _note_heard(m, view)
        m.stamp += u2(1)
    if view.turn and (m.refusals != view.refusals or m.asked != view.asked):
        hear_turn(m, view, rules)
        _note_heard(m, view)
    return True
