"""From a view of invisible chess to observation planes. The kernels are handed a view and nothing else."""

import numpy as np

from ks_env.core.bits import ZERO, bit, popcount
from ks_env.core.jit import kernel
from ks_env.core.memory import copy_board, nonzero_bits, spread_bits
from ks_env.core.planes import Row, one_square, spread_rights, spread_value, write_state
from ks_env.core.record import Array, i8
from ks_env.core.tables import ANY, PAWN, QUEEN, TRY_FROM, TRY_TO
from ks_env.games.invisible.layout import NUMBERS, View
from ks_env.games.invisible.planes import TABLE
from ks_env.games.invisible.tries import haunts

SHAPE = (TABLE.count, 8, 8)

OWN = TABLE.channel("own pawns")  # a row of planes by kind begins here, and so on
OWN_HIDDEN = TABLE.channel("own hidden men")
EXPOSED = TABLE.channel("exposed")
THEIRS = TABLE.channel("their pawns")
STANDS = TABLE.channel("hidden pawn stands")
POSSIBLE = TABLE.channel("hidden pawn possible")
FROM = TABLE.channel("their from")
TO = TABLE.channel("their to")
PASSED = TABLE.channel("passed")
LOST = TABLE.channel("lost")
TOOK = TABLE.channel("took")
TRIED_FROM = TABLE.channel("tried from")
TRIED_TO = TABLE.channel("tried to")
REFUSED_FROM = TABLE.channel("refused from")
REFUSED_TO = TABLE.channel("refused to")
CHECKERS = TABLE.channel("checkers")
ATTACKERS = TABLE.channel("attackers")
GIVERS = TABLE.channel("givers")
CHECKS = TABLE.channel("checks")
HIDDEN_CHECKS = TABLE.channel("hidden pawn checks")
HIDDEN_ATTACKS = TABLE.channel("hidden pawn attacks")
OWN_COUNTS = TABLE.channel("own hidden pawn count")
THEIR_COUNTS = TABLE.channel("their hidden pawn count")
ANSWERS = TABLE.channel("gave checks")  # from here on one value a plane, in the order of `_answers`
VALUES = TABLE.channel("king side right")  # the first that `_values` writes


@kernel
def _own_men(view: View, out: np.ndarray) -> None:
    for kind in range(1, 7):
        spread_bits(view.kinds[kind], out, OWN + kind - 1)
    hidden = nonzero_bits(view.ids, 0)
    spread_bits(hidden, out, OWN_HIDDEN)
    for kind in range(PAWN, QUEEN + 1):
        spread_value(popcount(hidden & view.kinds[kind]), out, OWN_COUNTS + kind - 1)
    exposed = ZERO
    for n in range(1, NUMBERS):
        if view.exposed[n] >= 0:
            exposed |= bit(view.exposed[n])
    spread_bits(exposed, out, EXPOSED)


@kernel
def _one_kind(view: View, kind: int, out: np.ndarray) -> None:
    """The opponent's hidden men of a kind, whatever their numbers."""
    stands, possible = ZERO, ZERO
    count, checks, attacks = 0, 0, 0
    for n in range(1, NUMBERS):
        if view.unseen[n] == kind:
            possible |= haunts(view, n)
            if view.placed[n] >= 0:
                stands |= bit(view.placed[n])
            count += 1
            checks += (i8(view.hidden_checkers) >> n) & 1
            attacks += (i8(view.hidden_attackers) >> n) & 1
    spread_bits(stands, out, STANDS + kind - 1)
    spread_bits(possible, out, POSSIBLE + kind - 1)
    spread_value(count, out, THEIR_COUNTS + kind - 1)
    spread_value(checks, out, HIDDEN_CHECKS + kind - 1)
    spread_value(attacks, out, HIDDEN_ATTACKS + kind - 1)


@kernel
def _their_men(view: View, out: np.ndarray) -> None:
    for kind in range(1, 7):
        spread_bits(view.their_kinds[kind], out, THEIRS + kind - 1)
    for kind in range(PAWN, QUEEN + 1):
        _one_kind(view, kind, out)


@kernel
def _last_turns(view: View, out: np.ndarray) -> None:
    one_square(i8(view.their_from), 1, out, FROM)
    one_square(i8(view.their_to), 1, out, TO)
    one_square(i8(view.passed), 1, out, PASSED)
    one_square(i8(view.lost), i8(view.lost_kind), out, LOST)
    one_square(i8(view.took), i8(view.took_kind), out, TOOK)
    tried = i8(view.tried)
    one_square(i8(TRY_FROM[tried]) if 0 <= tried < ANY else -1, 1, out, TRIED_FROM)
    one_square(i8(TRY_TO[tried]) if 0 <= tried < ANY else -1, 1, out, TRIED_TO)
    copy_board(view.refused_from, out, REFUSED_FROM)
    copy_board(view.refused_to, out, REFUSED_TO)
    spread_bits(view.checkers, out, CHECKERS)
    spread_bits(view.attackers, out, ATTACKERS)
    spread_bits(view.givers, out, GIVERS)
    spread_value(i8(view.checks), out, CHECKS)


@kernel
def _answers(view: View, out: np.ndarray) -> None:
    at = ANSWERS
    spread_value(i8(view.gave), out, at)
    spread_value(i8(view.answer), out, at + 1)
    spread_value(i8(view.why), out, at + 2)
    spread_value(1 if view.lost_number != 0 else 0, out, at + 3)
    spread_value(1 if view.took_number != 0 else 0, out, at + 4)
    spread_value(i8(view.their_turn), out, at + 5)
    moved = i8(view.their_mover)
    spread_value(i8(view.unseen[moved]) if moved != 0 else 0, out, at + 6)


@kernel
def _values(view: View, out: np.ndarray) -> None:
    at = VALUES
    spread_rights(i8(view.rights), out, at)
    spread_value(i8(view.pawns_taken), out, at + 2)
    spread_value(i8(view.pieces_taken), out, at + 3)
    spread_value(i8(view.moves), out, at + 4)
    spread_value(i8(view.fifty), out, at + 5)
    spread_value(i8(view.seat), out, at + 6)
    spread_value(i8(view.turn), out, at + 7)


@kernel
def write_observation(view: View, out: np.ndarray) -> None:
    """Write the planes of one seat to `out: u1[C, 64]`, every byte of it."""
    _own_men(view, out)
    _their_men(view, out)
    _last_turns(view, out)
    _answers(view, out)
    _values(view, out)


# The same, then White's hidden men, Black's hidden men
INVISIBLE_STATE_SHAPE = (16, 8, 8)


def write_invisible_state(game: Row, out: Array) -> None:
    """Write `out: u1[16, 8, 8]` from a GAME record of invisible chess; see `write_state`."""
    write_state(game["truth"], out)
    men, hidden = game["truth"]["men"].reshape(8, 8), game["ids"].reshape(8, 8) != 0
    out[14] = hidden & (men & 8 == 0)
    out[15] = hidden & (men & 8 != 0)
