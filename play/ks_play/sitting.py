"""One game, its two seats, and what is done at them.

A seat is sent something when it has heard something, and at no other time: a try of which it hears nothing
sends it nothing.
"""

import asyncio
import contextlib
import json
from collections.abc import Awaitable, Callable
from typing import Any, cast

import chess

from ks_env.core.actions import text_to_action
from ks_env.core.ruleset import AskAny
from ks_env.games.record import ended_otherwise, seat_index
from ks_env.games.words import colour_name
from ks_env.render.following import Follower, can_follow
from ks_play import clock
from ks_play.analysis import Finished
from ks_play.clock import Clock, Pace
from ks_play.engines import ClosedError, EngineError, Engines
from ks_play.guesses import guesses_of, keep_ghosts, read_ghosts
from ks_play.ladder import score_of
from ks_play.offers import Offers
from ks_play.past import past
from ks_play.refusals import Refusal
from ks_play.setup import Setup
from ks_play.store import Kept, Store
from ks_play.thinking import Thinking
from ks_play.told import belief, told
from ks_play.warm import POSSIBLE, check_ready

Send = Callable[[dict[str, Any]], Awaitable[None]]


class Listener:
    """One page that looks at a seat.

    Args:
        seat: colour.
        send: sends it a message.
    """

    def __init__(self, seat: bool, send: Send) -> None:
        self.seat = seat
        self.send = send
        self.sent = 0  # announcements
        self.believes = False


class Sitting:
    """One game.

    Args:
        number: of the game in the store.
        kept: the game as it is kept.
        store: where it is kept.
        engines: who think for it.
        beat: seconds; see `Pace`.
    """

    def __init__(self, number: int, kept: Kept, store: Store, engines: Engines, beat: float) -> None:
        self.number = number
        self.setup = Setup.model_validate_json(kept.setup)
        self.ended: dict[str, Any] | None = None if kept.ended is None else json.loads(kept.ended)
        self.awaited = kept.invitation is not None
        self._begun, self._actions = kept.begun, list(kept.actions)
        self._store, self._beat = store, beat
        self._engines = Thinking(engines, self.setup, (number, number))
        self.game = self.setup.begin()
        for action in self._actions:
            self.game.ask(action)
        self.listeners: list[Listener] = []
        self._follower: Follower | None = None
        self._lock = asyncio.Lock()
        self._thinking: asyncio.Task[None] | None = None
        self._offers = Offers.from_json(kept.offers, self.game.plies, self.game.to_play)
        self._clock = None if self.setup.clock is None else Clock(self.setup.clock, kept.left)
        self._alarm: asyncio.TimerHandle | None = None
        self._ringing: asyncio.Task[None] | None = None
        self._met = False  # whether the engine has been made ready, for which it has no clock
        self.when_idle: Callable[[], object] = lambda: None

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.ended is not None or self.game.to_play is None

    @property
    def idle(self) -> bool:
        """Whether nobody looks at the game, no engine thinks about it, and no clock runs."""
        thinking = self._thinking is not None and not self._thinking.done()
        return not self.listeners and not thinking and (self._clock is None or self._clock.running is None)

    # ---- what seats are sent

    async def join(self, listener: Listener) -> None:
        """A page looks at a seat: it is sent all that the seat was told."""
        async with self._lock:
            self.listeners.append(listener)
            listener.sent = 0
            await listener.send(self._about(listener.seat))
            self._wind()
            await self._keep_score()  # a kill may have come between the end and this
            await self._tell(listener)
            if self._offers.by is not None:
                await listener.send(self._offers.values())
        self.think()

    def _about(self, seat: bool) -> dict[str, Any]:
        game = self.setup.definition
        return {
            "type": "seat",
            "game": game.id,
            "title": game.name[:1].upper() + game.name[1:],
            "rules": self.game.ruleset.name,
            "colour": chess.COLOR_NAMES[seat],
            "names": self._names(seat),
            "metaposition": can_follow(game),
            "asks": self.game.ruleset.ask_any is not AskAny.NONE,
            "options": self.setup.options,
            "clock": None if self.setup.clock is None else self.setup.clock.model_dump(),
            "person": self.setup.engine(not seat) is None,
            "awaited": self.awaited,
        }

    def _names(self, seat: bool) -> list[str]:
        """White's and Black's name as the seat knows them."""
        other = self.setup.engine(not seat) or "Opponent"
        return ["You", other] if seat else [other, "You"]

    async def _tell(self, listener: Listener) -> None:
        end = None if self.ended is None else self.ended["words"]
        message = told(self.game, listener.seat, listener.sent, end)
        listener.sent += len(message["lines"])
        if self._clock is not None:
            message["clock"] = self._clock.values()
        if listener.believes:
            message["belief"] = self._belief(listener.seat)
        await listener.send(message)

    def _belief(self, seat: bool) -> dict[str, Any]:
        """What the seat holds possible; both metapositions are followed from when one is first asked for."""
        if self._follower is None:
            game: Any = self.setup.begin()
            follower = Follower(game)
            for action in self._actions:
                game.ask(action)
                follower.update(game)
            self._follower = follower
        return belief(self._follower.ghosts(seat))

    async def _announce(self) -> None:
        """Send every page what its seat has heard since, if anything."""
        for listener in list(self.listeners):
            if self.ended is not None or len(self.game.heard(listener.seat)) > listener.sent:
                await self._tell(listener)

    async def seat_taken(self) -> None:
        """The awaited opponent has come, and clocks begin to run."""
        self.awaited = False
        self._wind()
        shown = {} if self._clock is None else {"clock": self._clock.values()}
        await self._send_all({"type": "came", **shown})

    async def _send_all(self, message: dict[str, Any]) -> None:
        for listener in list(self.listeners):
            await listener.send(message)

    # ---- commands

    async def command(self, listener: Listener, message: dict[str, Any]) -> None:
        """Carry out what a page asks for.

        Raises:
            Refusal: it cannot be.
        """
        kind = message.get("type")
        if kind == "try":
            await self._try(listener.seat, message)
        elif kind == "resign":
            await self._resign(listener.seat)
        elif kind in ("offer", "accept", "decline"):
            await self._draw(listener.seat, kind)
        elif kind == "look":
            await self._look(listener, message.get("at"))
        elif kind == "believe":
            await self._believe(listener, message.get("on") is True)
        elif kind == "ghosts":
            await self._set_ghosts(listener.seat, message.get("men"))
        elif kind == "ping":
            await listener.send({"type": "pong"})
        else:
            raise Refusal(
                "expected a message of type try, resign, offer, accept, decline, look, believe, ghosts"
                " or ping"
            )

    async def _try(self, seat: bool, message: dict[str, Any]) -> None:
        async with self._lock:
            if self.over:
                raise Refusal("the game is over")
            if self.game.to_play != seat:
                raise Refusal("it is not your turn")
            if await self._ring():
                return
            asked = sum(a.action is not None for a in self.game.heard(seat))
            if message.get("asked") != asked:
                raise Refusal("the board has changed since; look again")
            text = message.get("try")
            if not isinstance(text, str) or len(text) > 10:
                raise Refusal('expected a try such as "e2e4"')
            try:
                action = text_to_action(text, seat)
            except ValueError as error:
                raise Refusal(str(error)) from None
            await self._judge(action)
        self.think()

    async def _judge(self, action: int) -> None:
        """Keep a try, let the referee answer it, and tell who may hear."""
        mover, came = self.game.to_play, clock.now()
        await self._store.add_try(self.number, len(self._actions), action)
        self._actions.append(action)
        self.game.ask(action)
        if self._follower is not None:
            self._follower.update(cast(Any, self.game))
        lapsed = None
        if mover is not None and self.game.to_play != mover:
            lapsed = self._offers.lapse(mover)
            if self._clock is not None:  # it ran while what the opponent does not hear was written
                self._clock.end_turn(mover, came)
        if lapsed is not None:
            await self._keep_offers()
        await self._keep_clock()
        self._wind()
        await self._keep_score()
        await self._announce()
        if lapsed is not None:
            await self._send_all(lapsed)

    async def _keep_offers(self) -> None:
        await self._store.keep_offers(self.number, self._offers.to_json())

    async def _resign(self, seat: bool) -> None:
        async with self._lock:
            if self.over:
                raise Refusal("the game is over")
            await self._end(not seat, f"{colour_name(not seat)} wins: {colour_name(seat)} resigned")

    async def _end(self, winner: bool | None, words: str, *, fault: bool = False) -> None:
        self.ended = {"winner": winner, "words": words, "fault": fault}
        self._wind()
        await self._keep_clock()
        await self._store.end_game(self.number, json.dumps(self.ended))
        await self._keep_score()
        await self._announce()

    async def _keep_score(self) -> None:
        """Keep what a game that is over counts for the person's rating."""
        score = score_of(self.setup, self.game, self.ended) if self.over else None
        if score is not None:
            await self._store.add_score(self.number, *score)

    async def _draw(self, seat: bool, kind: str) -> None:
        """Offer a draw, accept it or decline it; an engine declines all."""
        async with self._lock:
            if self.over:
                raise Refusal("the game is over")
            if self.awaited:
                raise Refusal("your opponent has not come yet")
            if kind == "offer":
                made = self._offers.make(seat, self.game.plies)
                await self._keep_offers()
                await self._send_all(made)
                seat, kind = not seat, "decline"
                if self.setup.engine(seat) is None:
                    return
            self._offers.answer(seat)
            if kind == "accept":
                await self._end(None, "Draw: agreed")
            else:
                await self._keep_offers()
                await self._send_all(self._offers.values(f"{colour_name(seat)} declines the draw"))

    async def _look(self, listener: Listener, at: Any) -> None:
        """Show a page what its seat saw when it had heard `at` announcements."""
        if isinstance(at, bool) or not isinstance(at, int) or at < 1:
            raise Refusal(f"at is {at!r}; expected how many announcements, from 1")
        await listener.send(past(self.setup.begin(), self._actions, listener.seat, at))

    # ---- clocks

    def _wind(self) -> None:
        """Let the clock run of who is to move; all stand until both seats are there, and after the end."""
        if self._clock is None:
            return
        waits = self.over or self.awaited or (self._engine() is not None and not self._met)
        mover = None if waits else self.game.to_play
        self._clock.run(mover)
        if self._alarm is not None:
            self._alarm.cancel()
            self._alarm = None
        if mover is not None:
            self._alarm = asyncio.get_running_loop().call_later(self._clock.left(mover), self._time_is_up)

    def _time_is_up(self) -> None:
        async def ring() -> None:
            async with self._lock:
                if not await self._ring():
                    self._wind()
            if self.idle:
                self.when_idle()

        self._ringing = asyncio.create_task(ring())

    async def _ring(self) -> bool:
        """End the game if the time of who is to move is used up; whether it was.

        It is a loss, or a draw if the other side does not have the men to mate.
        """
        seat = self.game.to_play
        if self._clock is None or self.over or seat is None or self._clock.left(seat) > 0:
            return False
        if self.game.board().has_insufficient_material(not seat):
            await self._end(
                None, f"Draw: {colour_name(seat)} ran out of time, {colour_name(not seat)} cannot mate"
            )
        else:
            await self._end(not seat, f"{colour_name(not seat)} wins: {colour_name(seat)} ran out of time")
        return True

    async def _keep_clock(self) -> None:
        if self._clock is not None:
            await self._store.keep_clock(self.number, self._clock.milliseconds())

    async def _believe(self, listener: Listener, on: bool) -> None:
        if on and not can_follow(self.setup.definition):
            raise Refusal(f"there are no metapositions of {self.setup.definition.name}")
        if on:
            check_ready(POSSIBLE)
        async with self._lock:
            listener.believes = on
            if on:
                if not self.over:
                    await self._store.keep_help(self.number)
                await listener.send({"type": "belief", "belief": self._belief(listener.seat)})

    async def _set_ghosts(self, seat: bool, men: Any) -> None:
        """Keep the ghosts that a person has set, for the analysis after the end."""
        ghosts = read_ghosts(men)
        if not self.over:
            await keep_ghosts(self._store, self.number, seat, len(self._actions), ghosts)

    # ---- engines

    def think(self) -> None:
        """Let the engine think whose turn it is, if one is."""
        if not self.over and self._engine() is not None and (self._thinking is None or self._thinking.done()):
            self._thinking = asyncio.create_task(self._engine_turn())

    async def leave_off(self) -> None:
        """Stop thinking and stop the clocks; the game is kept."""
        if self._alarm is not None:
            self._alarm.cancel()
        if self._clock is not None:
            self._clock.run(None)
            await self._keep_clock()
        if self._thinking is not None:
            self._thinking.cancel()
            with contextlib.suppress(asyncio.CancelledError, ClosedError):
                await self._thinking

    def _engine(self) -> str | None:
        mover = self.game.to_play
        return None if mover is None else self.setup.engine(mover)

    async def _engine_turn(self) -> None:
        seat = self.game.to_play
        pace = Pace(self._beat)
        while not self.over and seat is not None and self.game.to_play == seat:
            try:
                action = await self._engines.choose(self.game, self._actions, seat)
            except EngineError as fault:
                async with self._lock:
                    if not self.over:
                        words = f"{self._engine()} forfeits: {fault}"
                        await self._end(not seat, f"{colour_name(not seat)} wins: {words}", fault=True)
                return
            if not self._met:
                self._met = True
                self._wind()
            if self._would_hear(not seat, action):
                await pace.wait()
            async with self._lock:
                if await self._ring() or self.over:
                    return
                await self._judge(action)
        self.think()

    def _would_hear(self, seat: bool, action: int) -> bool:
        """Whether a seat hears anything of the answer to a try."""
        trial = self.game.copy()
        trial.ask(action)
        return trial.log()[-1][seat_index(seat)] is not None

    # ---- after the end

    async def finished(self) -> Finished:
        """The game, to look back at it.

        Raises:
            Refusal: the game is not over.
        """
        if not self.over:
            raise Refusal("the game is not over; its record is secret until then", 409)
        ended = self.ended
        metadata = {} if ended is None else ended_otherwise(ended["winner"], ended["words"])
        record = self.setup.record(self.game, date=self._begun, metadata=metadata)
        guesses = await guesses_of(self._store, self.number)
        return Finished(f"game {self.number}", record, self.setup.engines, self.setup.seeds, guesses)
