"""A metaposition from the start of a game on, brought up to date with what its seat has been told."""

from collections.abc import Sequence
from typing import Any

import chess
import numpy as np

from ks_env.belief.metaposition.layout import AGE_HOME, METAPOSITION, NOTHING_HEARD, Metaposition
from ks_env.belief.metaposition.opponent_move import meta
from ks_env.belief.metaposition.own_move import hear_turn, pseudo
from ks_env.core.jit import kernel
from ks_env.core.layout import Rules, SeatView
from ks_env.core.record import i8, u2
from ks_env.core.start import parse_fen, rights_of
from ks_env.games.kriegspiel.layout import View

Record = np.ndarray[Any, Any]


def _set_own(record: Any, board: chess.Board, colour: bool) -> None:
    for square, piece in board.piece_map().items():
        if piece.color == colour:
            here = np.uint64(1 << (square if colour else square ^ 56))
            record["own"][piece.piece_type] |= here
            record["own"][0] |= here
    record["rights"] = rights_of(board, colour)
    record["seat"] = 0 if colour else 1
    record["stamp"] = 2 * board.fullmove_number + (0 if board.turn else 1)
    record["moved"] = -1
    record["refusals"] = NOTHING_HEARD


def _add_opponent(record: Any, board: chess.Board, colour: bool) -> None:
    """What one placement of the opponent adds to what is possible."""
    counts, files = np.zeros(7, np.uint8), np.zeros(8, np.uint8)
    empty = 0
    for square in chess.SQUARES:
        here = square if colour else square ^ 56
        piece = board.piece_at(square)
        if piece is None:
            empty |= 1 << here
        elif piece.color != colour:
            record["ghosts"][piece.piece_type] |= np.uint64(1 << here)
            counts[piece.piece_type] += 1
            counts[0] += 1
            files[here & 7] += piece.piece_type == chess.PAWN
    record["ghosts"][0] |= np.uint64(empty)
    record["most"] = np.maximum(record["most"], counts)
    record["file_pawns"] = np.maximum(record["file_pawns"], files)
    record["file_least"] = np.minimum(record["file_least"], files)
    record["their_rights"] |= rights_of(board, not colour)


def _set_ages(record: Any) -> None:
    """The opponent's two home ranks begin at 10 where a man may be (figures of a published build)."""
    ghosts = int(np.bitwise_or.reduce(record["ghosts"][1:]))
    for square in range(48, 64):
        if ghosts >> square & 1:
            record["age"][square] = AGE_HOME


def opening(fens: Sequence[str], colour: bool) -> Record:
    """The metaposition of a seat at the start: a 0-d METAPOSITION array.

    Args:
        fens: the start positions that the seat cannot tell apart; one where the start is public.
        colour: the seat's.

    Raises:
        ValueError: no FEN is given, a FEN is bad, or they differ in the seat's own men, rights or the turn.
    """
    if not fens:
        raise ValueError("no start position given; expected at least one FEN")
    record = np.zeros(1, METAPOSITION)
    for i, fen in enumerate(fens):
        board = parse_fen(fen)
        one = np.zeros(1, METAPOSITION)
        _set_own(one[0], board, colour)
        if i == 0:
            record[0] = one[0]
            record["file_least"] = 8
        elif one.tobytes() != _own_part(record).tobytes():
            raise ValueError(
                f"start {fen!r} differs from {fens[0]!r} in what {chess.COLOR_NAMES[colour]} knows;"
                " expected the same own men, castling rights, turn and move number"
            )
        _add_opponent(record[0], board, colour)
    _set_ages(record[0])
    return record[0]


def _own_part(record: Record) -> Record:
    """The record with what a seat knows of its own side, and nothing else."""
    part = np.zeros(1, METAPOSITION)
    for field in ("own", "rights", "seat", "stamp", "moved", "refusals"):
        part[field] = record[field]
    return part


@kernel
def stamp_of(view: SeatView) -> int:
    """Half-moves told: twice the full-move number, plus 1 when Black is to move. Both seats know it."""
    whites_turn = view.turn == (view.seat == 0)
    return 2 * i8(view.moves) + (0 if whites_turn else 1)


@kernel
def note_heard(m: Metaposition, view: View) -> None:
    """Everything that the view says about this turn has been taken in.

    Hearing it again could lead to more conclusions, as rules use what others have concluded; what is known
    must not depend on how often a seat was looked at.
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
            note_heard(m, view)
        m.stamp += u2(1)
    if view.turn and (m.refusals != view.refusals or m.asked != view.asked):
        hear_turn(m, view, rules)
        note_heard(m, view)
    return True
