"""Ghosts that people set: kept for the analysis after the end, and told to nobody before it."""

import json
import sqlite3
from typing import Any

import chess

from ks_env.games.words import PIECES
from ks_env.render.errors_told import Guesses
from ks_play.refusals import Refusal
from ks_play.store import Store

MOST_GHOSTS = 16  # an opponent has no more men


def read_ghosts(men: Any) -> dict[int, int]:
    """Kinds by square, from what a page sends: `{"52": "pawn"}`.

    Raises:
        Refusal: it is not that.
    """
    if not isinstance(men, dict) or len(men) > MOST_GHOSTS:
        raise Refusal(f"men: expected at most {MOST_GHOSTS} ghosts by square")
    squares = {str(square) for square in chess.SQUARES}
    for square, name in men.items():
        if square not in squares or not isinstance(name, str) or name not in PIECES:
            raise Refusal(f'men: {square!r}: {name!r} is no ghost; expected such as "52": "pawn"')
    return {int(square): PIECES[name] for square, name in men.items()}


async def keep_ghosts(store: Store, game: int, seat: bool, tries: int, ghosts: dict[int, int]) -> None:
    """Keep what stands after so many tries of both sides; it replaces what stood after as many."""
    row = (game, seat, tries, json.dumps(ghosts))
    await store.do(lambda db: db.execute("INSERT OR REPLACE INTO ghosts VALUES (?, ?, ?, ?)", row))


async def guesses_of(store: Store, game: int) -> Guesses:
    """By colour and number of tries, the ghosts of everybody who has set any."""

    def read(db: sqlite3.Connection) -> list[tuple[int, int, str]]:
        rows = db.execute("SELECT white, tries, men FROM ghosts WHERE game = ? ORDER BY tries", (game,))
        return rows.fetchall()

    found: dict[bool, dict[int, dict[int, int]]] = {}
    for white, tries, men in await store.do(read):
        kept = {int(square): kind for square, kind in json.loads(men).items()}
        found.setdefault(bool(white), {})[tries] = kept
    return found
