"""The location map at the start of a game."""

from collections.abc import Sequence
from typing import Any

import chess
import numpy as np

from ks_env.belief.location.layout import KINGS, LOCATION, PAWNS, PIECES, SORTS
from ks_env.belief.metaposition.opening import opening
from ks_env.core.start import parse_fen

Record = np.ndarray[Any, Any]


def open_map(fens: Sequence[str], colour: bool) -> Record:
    """The location map of a seat at the start: a 0-d LOCATION array.

    Args:
        fens: the start positions that the seat cannot tell apart, all equally probable.
        colour: the seat's.

    Raises:
        ValueError: as `metaposition.opening`.
    """
    record = np.zeros(1, LOCATION)
    record["known"][0] = opening(fens, colour)
    maps = record["maps"][0]
    for fen in fens:
        for square, piece in parse_fen(fen).piece_map().items():
            if piece.color != colour:
                maps[_sort(piece.piece_type), square if colour else square ^ 56] += 1.0 / len(fens)
    record["turn"] = record["maps"]
    record["usual"] = all(fen == chess.STARTING_FEN for fen in fens)
    for sort in range(SORTS):
        record["left"][0, sort] = maps[sort].sum()
    return record[0]


def _sort(kind: int) -> int:
    if kind == chess.KING:
        return KINGS
    return PAWNS if kind == chess.PAWN else PIECES
