"""The games on disk: every command is in the file, and the file on the disk, before it is answered.

One thread writes. What has come in while it waited for the disk goes into one transaction.
"""

import asyncio
import contextlib
import os
import queue
import sqlite3
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

VERSION = 1
TABLES = """
CREATE TABLE games (id INTEGER PRIMARY KEY, setup TEXT NOT NULL, ended TEXT, begun TEXT NOT NULL);
CREATE TABLE seats (
    game INTEGER NOT NULL REFERENCES games, white INTEGER NOT NULL, token TEXT NOT NULL UNIQUE,
    invitation TEXT UNIQUE, PRIMARY KEY (game, white)
) WITHOUT ROWID;
CREATE TABLE tries (
    game INTEGER NOT NULL REFERENCES games, number INTEGER NOT NULL, action INTEGER NOT NULL,
    PRIMARY KEY (game, number)
) WITHOUT ROWID;
"""
MORE_TABLES = """
CREATE TABLE IF NOT EXISTS clocks (
    game INTEGER PRIMARY KEY REFERENCES games, white INTEGER NOT NULL, black INTEGER NOT NULL
);
CREATE TABLE IF NOT EXISTS helped (game INTEGER PRIMARY KEY REFERENCES games);
CREATE TABLE IF NOT EXISTS scores (
    game INTEGER PRIMARY KEY REFERENCES games, player TEXT NOT NULL, white INTEGER NOT NULL,
    points INTEGER NOT NULL
);
CREATE TABLE IF NOT EXISTS offers (game INTEGER PRIMARY KEY REFERENCES games, offers TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS ghosts (
    game INTEGER NOT NULL REFERENCES games, white INTEGER NOT NULL, tries INTEGER NOT NULL, men TEXT NOT NULL,
    PRIMARY KEY (game, white, tries)
) WITHOUT ROWID;
"""  # milliseconds left; games with help; rated games; offers; ghosts. Older files have not all of them


class Kept(NamedTuple):
    """A game as it is kept.

    Attributes:
        setup: its setup, JSON.
        ended: how it ended otherwise than by its rules, JSON; None if it did not.
        begun: its date.
        tokens: White's and Black's.
        invitation: the code that opens a seat to whoever comes first; None where nobody is awaited.
        actions: every try, in order.
        left: milliseconds that White and Black have left; None where no clock has been kept.
        offers: those of a draw, JSON; None where there was none.
    """

    setup: str
    ended: str | None
    begun: str
    tokens: tuple[str, str]
    invitation: str | None
    actions: list[int]
    left: tuple[int, int] | None = None
    offers: str | None = None


Value = TypeVar("Value")
Work = Callable[[sqlite3.Connection], Value]
Told = tuple[Work[Any], Callable[[Any, Exception | None], None]]  # work, and who is told the outcome


class Store:
    """The file of all games.

    Args:
        path: of the file; a missing one is made, readable to its owner alone.

    Raises:
        ValueError: the file is not one of these; it is left as it was.
        OSError: it cannot be made.
    """

    def __init__(self, path: Path) -> None:
        if path.is_dir():
            raise ValueError(f"{path}: is a folder; expected a file of games, or a name for one")
        path.parent.mkdir(parents=True, exist_ok=True)
        with contextlib.suppress(FileExistsError):
            os.close(os.open(path, os.O_CREAT | os.O_EXCL, 0o600))  # tokens will be in it
        try:
            self._db = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
            self._prepare(path)
        except sqlite3.DatabaseError as error:
            raise ValueError(f"{path}: expected a file of games that ks play has made: {error}") from error
        self._work: queue.SimpleQueue[Told | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._write, name="store", daemon=True)
        self._thread.start()

    def _prepare(self, path: Path) -> None:
        version = self._db.execute("PRAGMA user_version").fetchone()[0]
        if version not in (0, VERSION):
            raise ValueError(f"{path}: version {version} of the file of games; expected {VERSION}")
        if version == 0 and self._db.execute("SELECT * FROM sqlite_master").fetchone():
            raise sqlite3.DatabaseError("it holds something else")
        self._db.execute("PRAGMA journal_mode = WAL")
        self._db.execute("PRAGMA synchronous = FULL")
        if version == 0:
            self._db.executescript(f"BEGIN; {TABLES} PRAGMA user_version = {VERSION}; COMMIT;")
        self._db.executescript(MORE_TABLES)

    def close(self) -> None:
        """Finish what has come in, and close the file."""
        self._work.put(None)
        self._thread.join()
        self._db.close()

    async def do(self, work: Work[Value]) -> Value:
        """Do something in a transaction; when this returns, it is on the disk."""
        loop = asyncio.get_running_loop()
        done: asyncio.Future[Value] = loop.create_future()

        def finish(value: Any, error: Exception | None) -> None:
            if not done.done():
                done.set_exception(error) if error else done.set_result(value)

        def tell(value: Any, error: Exception | None) -> None:
            loop.call_soon_threadsafe(finish, value, error)

        self._work.put((work, tell))
        return await done

    def _write(self) -> None:
        while (first := self._work.get()) is not None:
            waiting, last = [first], False
            while not self._work.empty():
                more = self._work.get()
                if more is None:
                    last = True
                    break
                waiting.append(more)
            self._write_together(waiting)
            if last:
                return

    def _write_together(self, waiting: list[Told]) -> None:
        outcomes: list[tuple[Any, Exception | None]] = []
        try:
            self._db.execute("BEGIN IMMEDIATE")
            for work, _ in waiting:
                outcomes.append(self._one(work))
            self._db.execute("COMMIT")
        except sqlite3.Error as error:
            if self._db.in_transaction:
                self._db.execute("ROLLBACK")
            outcomes = [(None, error)] * len(waiting)
        for (_, tell), outcome in zip(waiting, outcomes, strict=True):
            tell(*outcome)

    def _one(self, work: Work[Any]) -> tuple[Any, Exception | None]:
        """One piece of work; what it has done is taken back if it fails."""
        self._db.execute("SAVEPOINT one")
        try:
            value = work(self._db)
        except (sqlite3.Error, ValueError) as error:
            self._db.execute("ROLLBACK TO one")
            self._db.execute("RELEASE one")
            return None, error
        self._db.execute("RELEASE one")
        return value, None

    # ---- what is kept

    async def add_game(
        self, setup: str, begun: str, tokens: tuple[str, str], invited: tuple[bool, str] | None
    ) -> int:
        """Keep a new game; its number. `invited` is the colour that is awaited, and the code."""

        def work(db: sqlite3.Connection) -> int:
            game = db.execute("INSERT INTO games (setup, begun) VALUES (?, ?)", (setup, begun)).lastrowid
            for white, token in zip((True, False), tokens, strict=True):
                code = invited[1] if invited and invited[0] == white else None
                db.execute("INSERT INTO seats VALUES (?, ?, ?, ?)", (game, white, token, code))
            return int(game or 0)

        return await self.do(work)

    async def add_try(self, game: int, number: int, action: int) -> None:
        """Keep a try, before it is judged."""
        await self.do(lambda db: db.execute("INSERT INTO tries VALUES (?, ?, ?)", (game, number, action)))

    async def keep_clock(self, game: int, left: tuple[int, int]) -> None:
        """Keep what White and Black have left, in milliseconds."""
        await self.do(lambda db: db.execute("INSERT OR REPLACE INTO clocks VALUES (?, ?, ?)", (game, *left)))

    async def keep_offers(self, game: int, offers: str) -> None:
        """Keep the offers of a draw, JSON."""
        await self.do(lambda db: db.execute("INSERT OR REPLACE INTO offers VALUES (?, ?)", (game, offers)))

    async def keep_help(self, game: int) -> None:
        """Keep that a person was helped in a game, which then does not count for the rating."""
        await self.do(lambda db: db.execute("INSERT OR IGNORE INTO helped VALUES (?)", (game,)))

    async def add_score(self, game: int, player: str, white: bool, points: int) -> None:
        """Keep the score of a person's game, once, if there was no help."""
        await self.do(
            lambda db: db.execute(
                "INSERT OR IGNORE INTO scores SELECT ?, ?, ?, ?"
                " WHERE NOT EXISTS (SELECT * FROM helped WHERE game = ?)",
                (game, player, white, points, game),
            )
        )

    async def scores(self) -> list[tuple[str, bool, int]]:
        """All scores that were kept: against whom, whether with White, and +1, 0 or -1."""

        def work(db: sqlite3.Connection) -> list[tuple[str, bool, int]]:
            found = db.execute("SELECT player, white, points FROM scores ORDER BY game").fetchall()
            return [(player, bool(white), points) for player, white, points in found]

        return await self.do(work)

    async def end_game(self, game: int, ended: str) -> None:
        """Keep how a game ended that was not ended by its rules."""
        await self.do(lambda db: db.execute("UPDATE games SET ended = ? WHERE id = ?", (ended, game)))

    async def take_seat(self, code: str) -> str | None:
        """The token of the seat that an invitation opens, which it does once; None if it opens none."""

        def work(db: sqlite3.Connection) -> str | None:
            found = db.execute("SELECT token FROM seats WHERE invitation = ?", (code,)).fetchone()
            db.execute("UPDATE seats SET invitation = NULL WHERE invitation = ?", (code,))
            return None if found is None else str(found[0])

        return await self.do(work)

    async def seat(self, token: str) -> tuple[int, bool] | None:
        """The game and the colour that a token opens; None for a token of no seat."""

        def work(db: sqlite3.Connection) -> tuple[int, bool] | None:
            found = db.execute("SELECT game, white FROM seats WHERE token = ?", (token,)).fetchone()
            return None if found is None else (int(found[0]), bool(found[1]))

        return await self.do(work)

    async def game(self, number: int) -> Kept:
        """A game as it is kept."""

        def work(db: sqlite3.Connection) -> Kept:
            setup, ended, begun = db.execute(
                "SELECT setup, ended, begun FROM games WHERE id = ?", (number,)
            ).fetchone()
            seats = db.execute(
                "SELECT token, invitation FROM seats WHERE game = ? ORDER BY white DESC", (number,)
            ).fetchall()
            tries = db.execute(
                "SELECT action FROM tries WHERE game = ? ORDER BY number", (number,)
            ).fetchall()
            invitation = next((seat[1] for seat in seats if seat[1]), None)
            left = db.execute("SELECT white, black FROM clocks WHERE game = ?", (number,)).fetchone()
            offers = db.execute("SELECT offers FROM offers WHERE game = ?", (number,)).fetchone()
            tokens = seats[0][0], seats[1][0]
            actions = [t[0] for t in tries]
            return Kept(setup, ended, begun, tokens, invitation, actions, left, offers and offers[0])

        return await self.do(work)
