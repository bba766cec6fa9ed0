"""Metapositions by hand, in the seat's frame."""

from __future__ import annotations

from typing import Any

import chess
import numpy as np

from ks_env.belief.metaposition import METAPOSITION

KINDS = dict(zip("PNBRQK", range(1, 7), strict=True))


def board(*squares: str) -> np.uint64:
    """The board of these squares."""
    return np.uint64(sum(1 << chess.parse_square(square) for square in squares))


def metaposition(own: str, ghosts: str = "", age: int = 10, certain: str = "") -> np.ndarray[Any, Any]:
    """METAPOSITION[1] with men such as "Ke1 Pa2" and ghosts such as "Kg8 Kh8 Pd5"; `certain` are occupied."""
    out = np.zeros(1, METAPOSITION)
    m = out[0]
    for text in own.split():
        here = board(text[1:])
        m["own"][KINDS[text[0]]] |= here
        m["own"][0] |= here
    for text in ghosts.split():
        m["ghosts"][KINDS[text[0]]] |= board(text[1:])
        m["age"][chess.parse_square(text[1:])] = age
        m["most"][KINDS[text[0]]] = min(8, m["most"][KINDS[text[0]]] + 1)
    m["ghosts"][0] = ~m["own"][0] & ~board(*certain.split())
    m["most"][KINDS["K"]] = 1
    m["most"][0] = m["most"][1:].sum()
    m["file_pawns"][:] = 8
    m["moved"] = -1
    return out
