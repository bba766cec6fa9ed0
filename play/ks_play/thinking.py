"""The engines of one game: what each is told of it before it chooses."""

from collections.abc import Sequence
from typing import Any

from ks_env.games.opening import Opening
from ks_env.games.record import seat_index
from ks_env.games.under_way import GameUnderWay
from ks_play.engines import Engines
from ks_play.setup import Setup
from ks_play.worker import Asked, Begin, Heard


class Thinking:
    """The engines of one game.

    Args:
        engines: who think.
        setup: of the game.
        keys: of White's and of Black's player, among all that think.
    """

    def __init__(self, engines: Engines, setup: Setup, keys: tuple[int, int]) -> None:
        self._engines, self._setup, self._keys = engines, setup, keys
        self._given = [0, 0]  # announcements that the engine of a seat was given

    async def choose(self, game: GameUnderWay[Any], actions: Sequence[int], seat: bool) -> int:
        """The next try of the engine of a seat, after these tries.

        Raises:
            EngineError: it raised, hung or died.
        """
        place = seat_index(seat)

        def begin() -> Begin:
            name = self._setup.engines[place]
            assert name is not None, "a seat of an engine"
            return Begin(name, Opening.of(self._setup.begin(), seat, self._setup.seeds[place]))

        def events(fresh: bool) -> list[Heard | Asked]:
            """What it is told, from the start where the player is a new one."""
            heard = game.heard(seat)
            told = self._retold(actions, seat) if fresh else list(map(Heard, heard[self._given[place] :]))
            self._given[place] = len(heard)
            return [*told, Asked(game.view(seat))]

        return await self._engines.choose(self._keys[place], begin, events)

    def _retold(self, actions: Sequence[int], seat: bool) -> list[Heard | Asked]:
        """All that a seat heard, and the views at which it had to choose."""
        game = self._setup.begin()
        events: list[Heard | Asked] = [Heard(game.heard(seat)[0])]
        for action in actions:
            if game.to_play == seat:
                events.append(Asked(game.view(seat)))
            before = len(game.heard(seat))
            game.ask(action)
            events += map(Heard, game.heard(seat)[before:])
        return events

    def forget(self) -> None:
        """Drop the players."""
        for key in set(self._keys):
            self._engines.forget(key)
