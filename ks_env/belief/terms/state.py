"""The terms `raw`: what all tries of a state share (men, pins, the other king), and the state's terms."""

import numpy as np

from ks_env.belief.location.answers import (
    LINE_SHARE,
    chance_free,
    control_map,
    pawn_control,
    pieces_along,
)
from ks_env.belief.location.layout import KINGS, PAWNS, PIECES, Location
from ks_env.belief.metaposition.announcements import line_between
from ks_env.belief.metaposition.layout import Metaposition, certain
from ks_env.belief.terms.interface import Term
from ks_env.belief.terms.placements import (
    Placements,
    placement_key,
    seen_keys,
    times_stood,
)
from ks_env.core.attacks import attacks_of, steps_apart
from ks_env.core.bits import ZERO, bit, has, lowest, popcount, without_lowest
from ks_env.core.jit import kernel
from ks_env.core.record import Array, Record, dtype_of, f4, field, i8
from ks_env.core.tables import (
    BETWEEN,
    BISHOP,
    KING,
    KING_MOVES,
    PAWN,
)
from ks_env.games.kriegspiel.layout import View
from ks_env.games.kriegspiel.tries import OBLIGED

STATE_TERMS = tuple(
    Term(*pair)
    for pair in (
        ("own pawns", "of 8"),
        ("own knights", "of 2"),
        ("own bishops", "of 2"),
        ("own rooks", "of 2"),
        ("own queens", "of 2"),
        ("their pawns", "expected number, of 8"),
        ("their pieces", "expected number, of 7"),
        ("lead", "own men less theirs, of 10 pawns"),
        ("small lead", "the same, of 3 pawns, at most 1 in size"),
        ("clock", "bound on the fifty-move clock, of 100 half-moves"),
        ("clock times lead", "product of the two"),
        ("moves", "full moves played, of 100"),
        ("left hanging", "expected loss of all men but the king, of 3 pawns"),
        ("refusals", "of this turn, of 10"),
        ("a man was lost", "in the opponent's last turn: 1 or 0"),
        ("in check", "1 or 0"),
        ("pawn tries", "some were announced: 1 or 0"),
        ("squares of their king", "that are possible, of 64"),
        ("likeliest of them", "its chance"),
        ("flights", "expected flight squares of the opponent's king, of 8"),
        ("foremost pawn", "its rank, of 7"),
        ("pawns' ways", "sum over pawns of the chance that no pawn is ahead, by the rank squared, of 60"),
        ("their men", "of 16"),
        ("own men", "of 16"),
        ("gave check", "by the last move: 1 or 0"),
        ("tries", "number of them, of 60"),
        ("castling rights", "king side 1, queen side 2, of 3"),
        ("steps between the kings", "expected, of 7"),
        ("repeats", "how often the own men stood so, of 3"),
        ("owes a capture", 'after "any?": 1 or 0'),
        ("control around the king", "squares around the own king that the opponent controls, of 8"),
    )
)
MEN = 16
WORTH = np.array([0, 1, 3, 3, 5, 9, 0], np.float32)  # pawns, by kind
PIECE = f4(31 / 7)  # mean worth of the opponent's pieces
LEAST = f4(1 / 512)  # chance of a king's square that is left out
NONE, ONE = f4(0), f4(1)


class Work(Record):
    """What holds for all tries of a state; overwritten by `look`."""

    empty: Array = field("f4", (64,))  # chance that no man of the opponent stands there
    control: Array = field("f4", (2, 64))  # Prob_control, and its part that is pieces
    king_at: Array = field("i8", (64,))  # squares where the opponent's king may be, `kings` of them
    king_chance: Array = field("f4", (64,))
    around: Array = field("u8", (64,))  # squares next to each of them
    their_king: np.uint64 = field("u8")  # the same squares as a board
    man_at: Array = field("i8", (MEN,))  # own men, `men` of them
    man_kind: Array = field("i8", (MEN,))
    seen: Array = field("u8", (MEN,))  # squares that each of them controls
    beside: Array = field("u8", (MEN,))  # squares that the others control that do not slide
    sliders: Array = field("i8", (2,))  # bishops, rooks and queens in these lists: from, and to before
    pin: Array = field("f4", (64,))  # chance that a piece pins the own man there to its king
    line: Array = field("i8", (64,))  # the line of that pin, -1 none
    guards: Array = field("i8", (64,))  # own men that control each square
    number: Array = field("i8", (64,))  # of the own man there, in the lists of men
    loss: Array = field("f4", (2, MEN))  # expected loss of each man, unguarded and guarded
    steps: Array = field("f4", (64,))  # expected king's steps to the opponent's king; below 0: not known yet
    certain: np.uint64 = field("u8")  # men of the opponent that certainly stand there
    occupied: np.uint64 = field("u8")  # own men, and the opponent's certain ones but the king
    key: np.uint64 = field("u8")  # of the own men's placement
    stood: np.uint64 = field("u8")  # `seen_keys` of the placements that may be repeated
    kings: int = field("i8")
    men: int = field("i8")
    seen_by_all: int = field("i8")  # squares that own men control


WORK = dtype_of(Work)


@kernel
def look_at_men(known: Metaposition, work: Work) -> None:
    """Own men, what they control, and how often each square is guarded."""
    n, all_seen = 0, ZERO
    for square in range(64):
        work.guards[square] = 0
    for kind in range(1, 7):
        men = known.own[kind]
        if kind == BISHOP:
            work.sliders[0] = n
        elif kind == KING:
            work.sliders[1] = n
        while men != ZERO:
            square = lowest(men)
            men = without_lowest(men)
            seen = attacks_of(kind, square, work.occupied)
            work.man_at[n], work.man_kind[n], work.seen[n] = square, kind, seen
            work.number[square] = n
            all_seen |= seen
            n += 1
            while seen != ZERO:
                work.guards[lowest(seen)] += 1
                seen = without_lowest(seen)
    work.men = n
    work.seen_by_all = popcount(all_seen)
    for i in range(n):
        work.beside[i] = ZERO
        for j in range(n):
            if j != i and not work.sliders[0] <= j < work.sliders[1]:
                work.beside[i] |= work.seen[j]


@kernel
def look_at_pins(known: Metaposition, maps: Array, work: Work) -> None:
    """The chance that each own man is pinned to the king, by pieces beyond it."""
    king = lowest(known.own[KING])
    for i in range(work.men):
        square = work.man_at[i]
        work.pin[square], work.line[square] = NONE, -1
        if square == king:
            continue
        line = line_between(king, square)
        if line < 0 or BETWEEN[king, square] & known.own[0] != ZERO:
            continue
        direction = 2 * line + (0 if square > king else 1)
        beyond = pieces_along(maps, work.empty, square, direction)
        work.pin[square] = min(ONE, chance_free(work.empty, BETWEEN[king, square]) * LINE_SHARE * beyond)
        work.line[square] = line


@kernel
def look_at_kings(maps: Array, work: Work) -> None:
    """The squares of the opponent's king."""
    n, work.their_king = 0, ZERO
    for square in range(64):
        if maps[KINGS, square] > LEAST:
            work.their_king |= bit(square)
            work.king_at[n], work.king_chance[n] = square, maps[KINGS, square]
            work.around[n] = KING_MOVES[square]
            n += 1
    work.kings = n


@kernel
def look(place: Location, past: Placements, view: View, work: Work) -> None:
    """Work out what holds for all tries of a state."""
    known = place.known
    control_map(place.maps, known.own[0], work.empty, work.control)
    work.certain = certain(known)
    work.occupied = known.own[0] | (work.certain & ~known.ghosts[KING])
    work.key, work.stood = placement_key(view), seen_keys(past, view)
    look_at_men(known, work)
    look_at_pins(known, place.maps, work)
    look_at_kings(place.maps, work)
    for i in range(work.men):
        for guarded in range(2):
            work.loss[guarded, i] = loss_of(work, place.maps, work.man_kind[i], work.man_at[i], guarded)
    for square in range(64):
        work.steps[square] = -ONE


@kernel
def loss_of(work: Work, maps: Array, kind: int, square: int, guards: int) -> float:
    """Expected loss of a man, in pawns: all of it if nothing guards it, else what it is worth more."""
    worth = WORTH[kind]
    pawns = min(ONE, pawn_control(maps, square))
    pieces = min(ONE, work.control[1, square])
    if guards <= 0:
        return min(ONE, work.control[0, square]) * worth
    return pawns * max(NONE, worth - ONE) + (ONE - pawns) * pieces * max(NONE, worth - f4(3))


@kernel
def losses(work: Work, but: int, guarded: np.uint64) -> float:
    """Expected loss of all own men but the one of a number."""
    total = NONE
    for i in range(work.men):
        if i != but:
            total += work.loss[i8(has(guarded, work.man_at[i])), i]
    return total


@kernel
def steps_to_king(work: Work, square: int) -> float:
    """Expected king's steps from a square to the opponent's king."""
    if work.steps[square] < NONE:
        total = NONE
        for i in range(work.kings):
            total += work.king_chance[i] * f4(steps_apart(work.king_at[i], square))
        work.steps[square] = total
    return work.steps[square]


@kernel
def way_free(maps: Array, square: int) -> float:
    """Chance that no pawn of the opponent stands ahead on the file."""
    free = ONE
    for ahead in range(square + 8, 64, 8):
        free *= max(NONE, ONE - maps[PAWNS, ahead])
    return free


@kernel
def lead_of(place: Location) -> float:
    """Own men less those that the opponent is expected to have, in pawns."""
    lead = -place.left[PAWNS] - PIECE * place.left[PIECES]
    for kind in range(PAWN, KING):
        lead += WORTH[kind] * f4(popcount(place.known.own[kind]))
    return lead


@kernel
def control_around(work: Work, square: int) -> float:
    """The opponent's control of the squares around one, each at most 1, of 8."""
    total, around = NONE, KING_MOVES[square]
    while around != ZERO:
        total += min(ONE, work.control[0, lowest(around)])
        around = without_lowest(around)
    return total / f4(8)


@kernel
def describe_state(place: Location, past: Placements, view: View, work: Work, n: int, out: Array) -> None:
    """Write the terms of a state with n tries to `out: f4[len(STATE_TERMS)]`."""
    known, maps = place.known, place.maps
    for kind in range(PAWN, KING):
        out[kind - 1] = f4(popcount(known.own[kind])) / f4(8 if kind == PAWN else 2)
    lead, clock = lead_of(place), min(ONE, f4(view.fifty) / f4(100))
    out[5], out[6] = place.left[PAWNS] / f4(8), place.left[PIECES] / f4(7)
    out[7], out[8] = lead / f4(10), max(-ONE, min(ONE, lead / f4(3)))
    out[9], out[10] = clock, clock * lead / f4(10)
    out[11] = min(f4(2), f4(view.moves) / f4(100))
    guarded = ZERO
    for i in range(work.men):
        guarded |= work.seen[i]
    out[12] = losses(work, -1, guarded) / f4(3)
    out[13] = min(ONE, f4(view.refusals) / f4(10))
    out[14] = f4(view.lost >= 0)
    out[15] = f4(view.checks > 0)
    out[16] = f4(view.tries > 0)
    out[17] = f4(popcount(known.ghosts[KING])) / f4(64)
    likeliest, flights = NONE, NONE
    for i in range(work.kings):
        likeliest = max(likeliest, work.king_chance[i])
        flights += work.king_chance[i] * f4(popcount(work.around[i] & ~guarded))
    out[18], out[19] = likeliest, flights / f4(8)
    foremost, ways = 0, NONE
    men = known.own[PAWN]
    while men != ZERO:
        square = lowest(men)
        men = without_lowest(men)
        rank = square >> 3
        foremost = max(foremost, rank)
        ways += way_free(maps, square) * f4(rank * rank)
    out[20], out[21] = f4(foremost) / f4(7), ways / f4(60)
    out[22], out[23] = f4(known.most[0]) / f4(16), f4(popcount(known.own[0])) / f4(16)
    out[24] = f4(view.gave > 0)
    out[25] = min(f4(2), f4(n) / f4(60))
    out[26] = f4(view.rights) / f4(3)
    king = lowest(known.own[KING])
    out[27] = steps_to_king(work, king) / f4(7)
    out[28] = min(ONE, f4(times_stood(past, view, work.key)) / f4(3))
    out[29] = f4(view.asked == OBLIGED)
    out[30] = control_around(work, king)
