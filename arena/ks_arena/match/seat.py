"""A player in its seat: every call is timed and noted, and what the player does wrong becomes a forfeit."""

import multiprocessing
import textwrap
from collections.abc import Callable
from time import perf_counter
from typing import Any, TypeVar

import chess
import numpy as np

from ks_arena.apart.player import ApartPlayer, isolated_player
from ks_arena.apart.wire import MOST_WORDS, FaultError, words_of
from ks_arena.match.notebook import Notebook
from ks_arena.sections import ConfigError
from ks_arena.study.schedule import GameJob
from ks_env.core.tables import TRIES
from ks_env.games import game_named, serves
from ks_env.games.opening import Opening
from ks_env.games.under_way import AnyAnnouncement
from ks_env.players.protocol import Player, listener
from ks_env.players.registry import make_player
from ks_env.players.rows import try_number

MOST_NODES = 2**63 - 1
MARGIN = 0.1  # seconds after its limit that a player in another process is waited for
LATE = "took"  # how the fault of a player begins that came back too late

Answer = TypeVar("Answer")


class ForfeitError(Exception):
    """A player has lost by what it did.

    Attributes:
        seat: 0 White, 1 Black.
        fault: what it did, in one line.
    """

    def __init__(self, seat: int, fault: str) -> None:
        self.seat = seat
        self.fault = _one_line(fault)
        super().__init__(self.fault)


class Seat:
    """A player made for one game.

    Args:
        number: 0 White, 1 Black.
        job: the game.
        notebook: where to note whose player is called.

    Raises:
        ConfigError: there is no such player here.
        ForfeitError: making it has failed.
    """

    def __init__(self, number: int, job: GameJob, notebook: Notebook) -> None:
        self.number = number
        self._limit = job.seconds_a_move
        self._notebook = notebook
        self._turn = 0.0
        self._preparing = True
        self._apart: ApartPlayer | None = None
        self._player = self._make(job, job.players[number])
        # The first player of a process may have to load a model, which tells nothing of the game.
        notebook.seconds[number] = 0.0
        self._hear = listener(self._player)
        self.listens = self._hear is not None

    def _make(self, job: GameJob, name: str) -> Player:
        if job.isolated[self.number]:
            self._apart = self._call(lambda: isolated_player(name, job.cage))
            return self._apart
        player = self._made_here(name)
        if isinstance(player, ApartPlayer):
            self._apart = player
        return player

    def _made_here(self, name: str) -> Player:
        missing: list[Exception] = []

        def make() -> Player | None:
            try:
                return make_player(name)
            except (ValueError, ImportError) as error:  # it could be made where the study was begun
                missing.append(error)
                return None

        player = self._call(make)
        if player is None:
            raise ConfigError(f"player {name!r} cannot be made here: {missing[0]}")
        return player

    def begin(self, job: GameJob, start: Any) -> None:
        """Tell the player of the game; `start` is its view of the start."""
        game = game_named(job.game)
        if not serves(self._player, game):
            raise ConfigError(f"player {self._player.name!r} does not play {game.name}")
        opening = Opening(
            game,
            chess.WHITE if self.number == 0 else chess.BLACK,
            job.rules,
            job.alike[self.number] if job.hidden else (job.fen,),
            start,
            job.seeds[self.number],
            job.hidden,
        )
        self._call(lambda: self._player.begin(opening))
        self._preparing = False
        self._turn = 0.0  # getting ready is not thinking

    def choose(self, view: Any) -> int:
        """The player's next try."""
        if self._apart is not None and self._limit is not None:
            self._apart.patience = max(self._limit - self._turn, 0) + MARGIN
        action = self._call(lambda: self._checked(self._player.choose(view)))
        self._check_time()
        return action

    def _checked(self, answer: Any) -> int:
        """The number of a try. The error for anything else may run the player's own code."""
        try:
            action = try_number(answer)
        except ValueError as error:
            raise ForfeitError(self.number, str(error)) from None
        if not 0 <= action < TRIES:
            raise ForfeitError(self.number, f"chose {action}; expected a try from 0 to {TRIES - 1}")
        return action

    def hear(self, heard: AnyAnnouncement | None) -> None:
        """Tell the player what it may hear of an answer, if there is anything."""
        if heard is not None and self._hear is not None:
            hear = self._hear
            self._call(lambda: hear(heard))
            self._check_time()

    @property
    def notes(self) -> bytes:
        """The player's notes on the game; empty if it takes none."""
        try:
            notes = getattr(self._player, "notes", b"")
        except Exception:  # its own code; the game is over, and counts
            return b""
        return notes if isinstance(notes, bytes) else b""

    def close(self) -> None:
        """End the player's process, if it has one of its own."""
        if self._apart is not None:
            self._apart.close()

    def end_turn(self) -> None:
        """The move was played."""
        self._turn = 0.0

    def note_nodes(self) -> None:
        """Note the player's count of its work, if it keeps one."""
        self._call(self._count)

    def _count(self) -> None:
        nodes = getattr(self._player, "nodes", None)
        if isinstance(nodes, int | np.integer) and 0 <= nodes <= MOST_NODES:
            self._notebook.nodes[self.number] = nodes

    def _check_time(self) -> None:
        if self._limit is not None and self._turn > self._limit:
            fault = f"{LATE} {self._turn:.3g} s for a move; the limit is {self._limit:g} s"
            raise ForfeitError(self.number, fault)

    def _call(self, work: Callable[[], Answer]) -> Answer:
        self._notebook.enter(self.number, preparing=self._preparing)
        begun = perf_counter()
        try:
            return work()
        except ForfeitError:
            raise
        except FaultError as fault:
            raise ForfeitError(self.number, str(fault)) from fault
        except BaseException as error:  # a player may raise anything
            if isinstance(error, KeyboardInterrupt) and multiprocessing.parent_process() is None:
                raise  # somebody at the keyboard: a worker process does not get it
            raise ForfeitError(self.number, f"raised {words_of(error)}") from error
        finally:
            self._note_time(perf_counter() - begun)
            self._notebook.leave()

    def _note_time(self, spent: float) -> None:
        self._turn += spent
        self._notebook.seconds[self.number] += spent
        if not self._preparing:
            slowest = self._notebook.slowest
            slowest[self.number] = max(slowest[self.number], self._turn)


def _one_line(text: str) -> str:
    """Short, printable and in characters that any file can hold."""
    plain = text.encode("utf-8", "backslashreplace").decode("utf-8")
    return textwrap.shorten(plain, MOST_WORDS, placeholder=" ...")
