"""All games that are played here: found by the token of a seat, begun, and put away when nobody looks."""

import asyncio
import secrets
from datetime import date
from functools import partial
from typing import Any

from ks_env.games import game_named
from ks_play.engines import Engines
from ks_play.ladder import Scored, ladder, rating_of
from ks_play.setup import Wish, settle
from ks_play.sitting import Sitting
from ks_play.store import Store
from ks_play.warm import check_ready

TOKEN_BYTES = 24  # 192 bits: not to be guessed


class House:
    """The games of one server.

    Args:
        store: where they are kept.
        engines: who think.
        beat: see `Sitting`.
        strangers: see `settle`.
    """

    def __init__(self, store: Store, engines: Engines, beat: float, *, strangers: bool) -> None:
        self._store, self._engines, self._beat, self._strangers = store, engines, beat, strangers
        self._sittings: dict[int, Sitting] = {}
        self._lock = asyncio.Lock()

    async def begin(self, wish: Wish) -> dict[str, Any]:
        """A new game: the token of the asker's seat and, against a person, the invitation to the other one.

        Raises:
            ValueError: there is no such game.
            Refusal: it is not ready yet.
        """
        check_ready(game_named(wish.game).name)
        setup, colour = settle(wish, strangers=self._strangers)
        tokens = secrets.token_urlsafe(TOKEN_BYTES), secrets.token_urlsafe(TOKEN_BYTES)
        awaited = setup.engines[1 if colour else 0] is None
        invited = (not colour, secrets.token_urlsafe(TOKEN_BYTES)) if awaited else None
        today = date.today().strftime("%Y.%m.%d")
        await self._store.add_game(setup.model_dump_json(), today, tokens, invited)
        return {"seat": tokens[0 if colour else 1], "invitation": invited and invited[1]}

    async def accept(self, code: str) -> str | None:
        """The token of the seat that an invitation opens, once; None if it opens none."""
        token = await self._store.take_seat(code) if code.isascii() else None
        if token is not None:
            found = await self.find(token)
            if found is not None:
                await found[0].seat_taken()
        return token

    async def rating(self) -> dict[str, Any] | None:
        """The rating of the person who plays here; None on a server for others, who are not known."""
        if self._strangers:
            return None
        return rating_of([Scored(*score) for score in await self._store.scores()], ladder())

    async def find(self, token: str) -> tuple[Sitting, bool] | None:
        """The game and the colour that a token opens; None for a token of no seat."""
        seat = await self._store.seat(token) if token.isascii() else None
        if seat is None:
            return None
        number, colour = seat
        async with self._lock:
            if number not in self._sittings:
                kept = await self._store.game(number)
                sitting = Sitting(number, kept, self._store, self._engines, self._beat)
                sitting.when_idle = partial(self.leave, sitting)
                self._sittings[number] = sitting
            return self._sittings[number], colour

    def leave(self, sitting: Sitting) -> None:
        """Put a game away that nobody looks at; it is kept in the store."""
        if sitting.idle:
            self._sittings.pop(sitting.number, None)
            self._engines.forget(sitting.number)

    async def close(self) -> None:
        """Stop all engines, before the store is closed."""
        for sitting in list(self._sittings.values()):
            await sitting.leave_off()
