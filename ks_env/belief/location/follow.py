"""A location map from the start of a game on: after each own move, and after each turn of the opponent."""

from collections.abc import Sequence
from typing import Any

import chess
import numpy as np

from ks_env.belief.location.answers import chance_empty
from ks_env.belief.location.evidence import (
    king_by_checks,
    opponent_has_tries,
    own_king_by_checks,
    own_tries,
    refusal,
)
from ks_env.belief.location.layout import (
    KINGS,
    LOCATION,
    NONE,
    ONE,
    PAWNS,
    PIECES,
    SORT_OF,
    SORTS,
    Location,
    clear_forbidden,
    normalise,
)
from ks_env.belief.location.opponent import capturer, man_captures, pawn_passes, silent_turn
from ks_env.belief.metaposition.announcements import own_tries_said
from ks_env.belief.metaposition.follow import note_heard, opening, stamp_of
from ks_env.belief.metaposition.opponent_move import meta
from ks_env.belief.metaposition.own_move import hear_turn, pseudo
from ks_env.core.bits import ZERO, lowest, without_lowest
from ks_env.core.jit import kernel
from ks_env.core.layout import Rules
from ks_env.core.record import f4, i8, u2
from ks_env.core.ruleset import COUNT
from ks_env.core.start import parse_fen
from ks_env.core.tables import TRY_FROM, TRY_TO, TRY_WORDS
from ks_env.games.kriegspiel.hearing import PAWN_SAID, PIECE_SAID
from ks_env.games.kriegspiel.layout import View
from ks_env.games.kriegspiel.tries import NOT_ASKED

Record = np.ndarray[Any, Any]

KING_IN_CHECK = f4(0.6)  # how often a king moves when it is in check; ours


def open_map(fens: Sequence[str], colour: bool) -> Record:
    """The location map of a seat at the start: a 0-d LOCATION array.

    Args:
        fens: the start positions that the seat cannot tell apart, all equally probable.
        colour: the seat's.

    Raises:
        ValueError: as `metaposition.follow.opening`.
    """
    record = np.zeros(1, LOCATION)
    record["known"][0] = opening(fens, colour)
    maps = record["maps"][0]
    for fen in fens:
        for square, piece in parse_fen(fen).piece_map().items():
            if piece.color != colour:
                maps[SORT_OF[piece.piece_type], square if colour else square ^ 56] += 1.0 / len(fens)
    record["turn"] = record["maps"]
    record["usual"] = all(fen == chess.STARTING_FEN for fen in fens)
    for sort in range(SORTS):
        record["left"][0, sort] = maps[sort].sum()
    return record[0]


@kernel
def copy_maps(source: np.ndarray, out: np.ndarray) -> None:
    """f4[3, 64] to another."""
    for sort in range(SORTS):
        for square in range(64):
            out[sort, square] = source[sort, square]


@kernel
def _take_off(maps: np.ndarray, left: np.ndarray, square: int, said: int) -> None:
    """A man of the opponent was captured on the square: one less of its sort, as far as it is said."""
    pawn, piece = maps[PAWNS, square], maps[PIECES, square]
    share = pawn / (pawn + piece) if pawn + piece > NONE else left[PAWNS] / max(ONE, left[1] + left[2])
    if said == PAWN_SAID:
        share = ONE
    elif said == PIECE_SAID:
        share = NONE
    left[PAWNS] = max(NONE, left[PAWNS] - share)
    left[PIECES] = max(NONE, left[PIECES] - (ONE - share))
    for sort in range(SORTS):
        maps[sort, square] = NONE


@kernel
def own_move(place: Location, view: View, rules: Rules, scratch: np.ndarray) -> None:
    """Update with the own accepted move `view.last` and what was said of it.

    Args:
        place: LOCATION, in place: `maps` become those after the move.
        view: VIEW after it, or after the opponent's answer.
        scratch: f4[3, 64], overwritten.
    """
    maps = place.maps
    if view.took_kind != 0:
        square = i8(view.passed if view.passed >= 0 else view.took)
        _take_off(maps, place.left, square, PAWN_SAID if view.passed >= 0 else i8(view.took_kind))
    pseudo(place.known, view, rules)
    clear_forbidden(place.known, maps)
    king_by_checks(place.known, maps, scratch[0], i8(view.gave))
    if view.left > 0:
        opponent_has_tries(place.known, maps, i8(view.left))
    normalise(place.known, maps, place.left)


@kernel
def opponent_turn(
    place: Location, view: View, rules: Rules, rates: np.ndarray, drifts: np.ndarray, scratch: np.ndarray
) -> None:
    """Update with the opponent's move, of which `view` tells.

    Args:
        place: LOCATION, in place: `maps` and `turn` become those at the beginning of the own turn.
        view: VIEW after it.
        rates: f4[3], how often the king, a pawn and a piece move, in relation to each other.
        drifts: f4[2, T, 3, 64], see `profile.Profile.drifts`.
        scratch: f4[4, 64], overwritten.
    """
    maps, known = place.maps, place.known
    own_before = known.own[0]
    in_check = known.gave != 0
    had_tries = view.left != 0
    gone = i8(view.lost)
    for square in range(64):
        scratch[3, square] = maps[PIECES, square]
    if gone < 0:
        meta(known, view, rules)
        side = 1 - i8(view.seat)
        time = moves_before(view) if place.usual != 0 else drifts.shape[1]
        drift = drifts[side, min(time, drifts.shape[1] - 1)]
        _quiet_turn(place, in_check, rates, drift, scratch)
    else:
        meta(known, view, rules)
        missing = own_before & ~known.own[0]  # en passant may be announced on another square
        if missing != ZERO:
            gone = lowest(missing)
        chance_empty(maps, own_before, scratch[0])
        if view.enemy >= 0 and i8(view.enemy) != gone:
            pawn_passes(maps, gone)
        else:
            capturer(maps, scratch[0], gone, had_tries, scratch[1])
            man_captures(maps, scratch[0], gone, scratch[1])
    clear_forbidden(known, maps)
    chance_empty(maps, known.own[0], scratch[0])
    own_king_by_checks(known, maps, scratch[0], i8(view.checks), scratch[3])
    _hear_tries(place, view, rules)
    normalise(known, maps, place.left)
    copy_maps(maps, place.turn)
    if view.refusals != 0:
        _hear_refusals(place, view, scratch)
        normalise(known, maps, place.left)


@kernel
def moves_before(view: View) -> int:
    """Own moves that the opponent had made before its last one, in a game from the usual start."""
    return max(0, i8(view.moves) - (2 if view.seat == 0 else 1))


@kernel
def _quiet_turn(
    place: Location, in_check: bool, rates: np.ndarray, drift: np.ndarray, scratch: np.ndarray
) -> None:
    known = place.known
    each = ONE / (rates[PAWNS] * place.left[PAWNS] + rates[PIECES] * place.left[PIECES] + rates[KINGS])
    king = KING_IN_CHECK if in_check else rates[KINGS] * each
    permitted = known.ghosts[6] & ~known.own[0]
    maps, left = place.maps, place.left
    silent_turn(
        maps, left, known.own[0], permitted, king, rates[PAWNS] * each, rates[PIECES] * each, drift, scratch
    )


@kernel
def _hear_tries(place: Location, view: View, rules: Rules) -> None:
    said = own_tries_said(view)
    if said > 0:
        exact = rules.pawn_tries == COUNT and view.checkers == 0
        own_tries(place.known, place.maps, said if rules.pawn_tries == COUNT else 1, exact)


@kernel
def _hear_refusals(place: Location, view: View, scratch: np.ndarray) -> None:
    """All tries refused this turn; in check too many causes are possible."""
    if view.refusals == 0 or view.checkers != 0:
        return
    for word in range(TRY_WORDS):
        bits = view.refused[word]
        while bits != ZERO:
            action = (word << 6) + lowest(bits)
            bits = without_lowest(bits)
            chance_empty(place.maps, place.known.own[0], scratch[0])
            refusal(place.known, place.maps, scratch[0], i8(TRY_FROM[action]), i8(TRY_TO[action]))


@kernel
def hear(place: Location, view: View, rules: Rules, scratch: np.ndarray) -> None:
    """What was said in the own turn so far: refusals, answers to "any?".

    Worked out from `turn` anew each time, so that it does not depend on how often the seat was looked at.
    """
    hear_turn(place.known, view, rules)
    copy_maps(place.turn, place.maps)
    clear_forbidden(place.known, place.maps)
    _hear_refusals(place, view, scratch)
    if view.asked != NOT_ASKED:
        _hear_tries(place, view, rules)
    normalise(place.known, place.maps, place.left)


@kernel
def follow_map(
    place: Location, view: View, rules: Rules, rates: np.ndarray, drifts: np.ndarray, scratch: np.ndarray
) -> bool:
    """Bring a location map up to date; doing so again with the same view changes nothing.

    Args:
        place: LOCATION, in place.
        rates: f4[3], how often the king, a pawn and a piece move, in relation to each other.
        drifts: f4[2, T, 3, 64], see `profile.Profile.drifts`.
        scratch: f4[4, 64], overwritten.

    Returns:
        False if the view is more than an own move and an answer ahead, or lies behind.
    """
    if view.over:
        return True
    known = place.known
    told = stamp_of(view)
    if told < known.stamp or told > known.stamp + 2:
        return False
    while known.stamp < told:
        if (known.stamp & 1) == view.seat:
            if told == known.stamp + 2 or not view.turn:
                own_move(place, view, rules, scratch)
        else:
            if not view.turn:
                return False
            opponent_turn(place, view, rules, rates, drifts, scratch)
            note_heard(known, view)
        known.stamp += u2(1)
    if view.turn and (known.refusals != view.refusals or known.asked != view.asked):
        hear(place, view, rules, scratch)
        note_heard(known, view)
    return True
