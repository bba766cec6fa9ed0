"""Games of two engines, to be watched while they play.

They are played only a little ahead of whoever watches, and stop when nobody does. They are kept in memory
alone.
"""

import asyncio
import contextlib
import itertools
import secrets
import time
from typing import Any

from pydantic import Field

from ks_env.games import game_named
from ks_env.games.record import AnyTry, ended_otherwise, who_tried
from ks_env.games.words import colour_name
from ks_env.record import Record
from ks_env.render.replay import Frames, page_html, rules_words
from ks_play.analysis import Finished
from ks_play.engines import EngineError, Engines
from ks_play.house import TOKEN_BYTES
from ks_play.refusals import Refusal
from ks_play.setup import PERSON, Place, Setup, Wish, checked, settle
from ks_play.thinking import Thinking
from ks_play.warm import check_ready

AHEAD = 8  # tries that are played beyond what was asked for
MOST_GAMES = 6  # going on at once
MOST_KEPT = 40  # games, those that are over among them
IDLE = 120.0  # seconds without a question after which another game may have the place
PATIENCE = 20.0  # seconds that a question waits for the next try


class WatchWish(Place):
    """A game to be watched; `white` and `black` name players with parameters."""

    white: str = Field("random", max_length=200)
    black: str = Field("random", max_length=200)


class Watched:
    """One game of two engines.

    Args:
        setup: of the game.
        engines: who think.
        keys: of White's and of Black's player, among all that think.
    """

    def __init__(self, setup: Setup, engines: Engines, keys: tuple[int, int]) -> None:
        self.setup, self._thinking = setup, Thinking(engines, setup, keys)
        self.game = setup.begin()
        self.asked_at = time.monotonic()
        self.fault: str | None = None
        self._frames = Frames(self.record(), predicted=True)
        self.told: list[dict[str, Any]] = [self._frames.add(self.game, None)]
        self._actions: list[int] = []
        self._wanted = 0
        self._grown = asyncio.Condition()
        self._playing: asyncio.Task[None] | None = None

    @property
    def over(self) -> bool:
        """Whether the game has ended and its last frame is there."""
        drawn = len(self.told) == 1 + len(self._actions)
        return self.fault is not None or (self.game.to_play is None and drawn)

    def page(self, address: str) -> str:
        """The page that shows the game; it asks for more at this address."""
        data = self._frames.colours() | {"frames": self.told[:1]}
        return page_html(
            self.record(),
            data,
            "under way",
            live=address,
            links=[["New game", "/"], ["Watch another", "/watch"]],
        )

    def record(self) -> Record:
        """The game so far."""
        metadata = {} if self.fault is None else ended_otherwise(not self.game.to_play, self.fault)
        return self.setup.record(self.game, metadata=metadata)

    async def frames(self, since: int) -> dict[str, Any]:
        """Frames from this number on; waits for one, but not forever."""
        self.asked_at = time.monotonic()
        self._wanted = max(self._wanted, min(since, len(self.told)) + AHEAD)
        self._play_on()
        async with self._grown:
            ready = self._grown.wait_for(lambda: len(self.told) > since or self.over)
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(ready, PATIENCE)
        record = self.record() if self.over else None
        return {
            "frames": self.told[since:],
            "over": record is not None,
            "state": self._state(),
            "result": "" if record is None else record.result.replace("1/2", "½").replace("-", "–"),
            "links": [["Study", "replay"], ["One file", "share"], ["PGN", "pgn"], ["JSON", "json"]],
        }

    def _state(self) -> str:
        rules = f"{self.setup.definition.name} · {rules_words(self.game.ruleset)}"
        return f"{rules} · {self.fault or self.told[-1]['lines'][0]}"

    def _play_on(self) -> None:
        if self._playing is None or self._playing.done():
            self._playing = asyncio.create_task(self._play())

    async def _play(self) -> None:
        while not self.over and len(self.told) < self._wanted:
            try:
                await self._try()
            except EngineError as fault:
                seat = bool(self.game.to_play)
                words = f"{self.setup.engine(seat)} forfeits: {fault}"
                self.fault = f"{colour_name(not seat)} wins: {words}"
            async with self._grown:
                self._grown.notify_all()
        if self.over:
            self._thinking.forget()

    async def _try(self) -> None:
        action = await self._thinking.choose(self.game, self._actions, bool(self.game.to_play))
        self._actions.append(action)
        self.game.ask(action)
        heard = self.game.log()[-1]
        entry: AnyTry[Any] = AnyTry(*who_tried(heard), heard)
        self.told.append(await asyncio.to_thread(self._frames.add, self.game, entry))

    async def leave_off(self) -> None:
        """Stop playing."""
        if self._playing is not None:
            self._playing.cancel()
            await asyncio.gather(self._playing, return_exceptions=True)
        self._thinking.forget()


class Watching:
    """All games that are watched on one server.

    Args:
        engines: who think.
        strangers: see `settle`.
    """

    def __init__(self, engines: Engines, *, strangers: bool) -> None:
        self._engines, self._strangers = engines, strangers
        self._games: dict[str, Watched] = {}
        self._keys = itertools.count(-1, -1)  # numbers of the store's games are positive

    async def begin(self, wish: WatchWish) -> str:
        """A new game: its token.

        Raises:
            ValueError: there is no such game, or too many go on.
            Refusal: it is not ready yet.
        """
        if PERSON in (wish.white, wish.black):
            raise ValueError("two engines are watched; expected the names of two players")
        places = wish.model_dump(exclude={"white", "black"})
        against = Wish(**places, opponent=wish.black, colour="white")
        check_ready(game_named(wish.game).name)
        setup, _ = settle(against, strangers=self._strangers)
        white = checked(wish.white, setup.definition, self._strangers)
        setup = setup.model_copy(update={"engines": (white, setup.engines[1])})
        await self._make_room()
        token = secrets.token_urlsafe(TOKEN_BYTES)
        self._games[token] = Watched(setup, self._engines, (next(self._keys), next(self._keys)))
        return token

    async def _make_room(self) -> None:
        for token, game in list(self._games.items()):
            idle = time.monotonic() - game.asked_at > IDLE
            if idle and (not game.over or len(self._games) >= MOST_KEPT):
                await self._games.pop(token).leave_off()
        if sum(not game.over for game in self._games.values()) >= MOST_GAMES:
            raise ValueError(f"{MOST_GAMES} games are watched already; one has to end, or wait {IDLE:.0f} s")
        if len(self._games) >= MOST_KEPT:
            self._games.pop(next(token for token, game in self._games.items() if game.over))

    def find(self, token: str) -> Watched:
        """The game that a token opens.

        Raises:
            Refusal: it opens none.
        """
        if token not in self._games:
            raise Refusal("there is no such game, or nobody has looked at it for long", 404)
        return self._games[token]

    def finished(self, token: str) -> Finished:
        """A game that is over.

        Raises:
            Refusal: the token opens none, or the game goes on.
        """
        game = self.find(token)
        if not game.over:
            raise Refusal("the game is not over", 409)
        return Finished(f"watched {token}", game.record(), game.setup.engines, game.setup.seeds, {})

    async def close(self) -> None:
        """Stop playing, before engines are closed."""
        for game in self._games.values():
            await game.leave_off()
