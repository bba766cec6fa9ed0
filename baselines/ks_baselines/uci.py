"""Any UCI engine as a judge of chess positions: every legal move with its value.

An engine that has MultiPV values all moves in one search. One that has not is asked for each move by itself
(`searchmoves`), as is one whose nodes ran out before all moves were looked at, and one that does not heed
this either is given the position after each move.
"""

import concurrent.futures
import os
import shlex
import shutil
import threading
import weakref
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import chess
import chess.engine

MATE = 10_000
GAMES = ("/usr/games", "/usr/local/games")  # where Linux distributions put engines, often off the path
# So that a position has the same values whatever was asked before, and quickly; where the engine has them
OPTIONS: Mapping[str, str | int | bool] = {"Threads": 1, "Hash": 4, "OwnBook": False}
UNPLAYABLE = (
    chess.STATUS_NO_WHITE_KING
    | chess.STATUS_NO_BLACK_KING
    | chess.STATUS_TOO_MANY_KINGS
    | chess.STATUS_PAWNS_ON_BACKRANK
    | chess.STATUS_OPPOSITE_CHECK
)
FAULTS = (chess.engine.EngineError, concurrent.futures.CancelledError, TimeoutError, OSError)


class UciError(RuntimeError):
    """The engine is not installed, cannot be started, or does not answer."""


def find_engine(command: str | Sequence[str]) -> list[str]:
    """The command with the place of its program, which may be in a folder of games off the path.

    Raises:
        UciError: no such program; the message says how to install one.
    """
    words = shlex.split(command) if isinstance(command, str) else list(command)
    folders = os.pathsep.join([os.environ.get("PATH", os.defpath), *GAMES])
    program = shutil.which(words[0], path=folders) if words else None
    if program is None:
        raise UciError(
            f"no program for the UCI engine {shlex.join(words)!r}: neither on the path "
            f"nor in {', '.join(GAMES)}; install one, for example with `apt install stockfish` "
            "(command `stockfish`) or `apt install gnuchess` (command `gnuchess --uci`)"
        )
    return [program, *words[1:]]


def centipawns(score: chess.engine.Score) -> int:
    """A root move's value for the mover: a mate after n plies, that move included, is ±(10,000 - n)."""
    mate = score.mate()
    if mate is None:
        plain = score.score()
        assert plain is not None
        return plain
    return MATE - (2 * mate - 1) if mate > 0 else -(MATE + 2 * mate)


def _close_at_exit(engine: chess.engine.SimpleEngine) -> None:
    """Close the engine when the interpreter ends: its thread would be waited for before any exit handler."""

    def watch() -> None:
        threading.main_thread().join()
        engine.close()

    threading.Thread(target=watch, daemon=True, name="close the UCI engine at exit").start()


class UciScores:
    """Values of all legal moves by a UCI engine at fixed depth. One request at a time.

    Args:
        command: program and arguments, such as `stockfish` or `["gnuchess", "--uci"]`.
        depth: plies of each search; None for no limit.
        nodes: positions of each request, which moves that are searched one by one share; None for no limit.
        options: UCI options to set beside `OPTIONS`; these have to exist.
        patience: seconds that a search may take before the engine counts as dead.

    Raises:
        ValueError: neither depth nor nodes is given, or one is below 1.
        UciError: the engine is not installed or cannot be started.
    """

    def __init__(
        self,
        command: str | Sequence[str],
        depth: int | None = None,
        nodes: int | None = None,
        *,
        options: Mapping[str, str | int | bool] | None = None,
        patience: float = 60.0,
    ):
        limits = [limit for limit in (depth, nodes) if limit is not None]
        if not limits or min(limits) < 1:
            raise ValueError(f"expected a depth or nodes, from 1; got depth={depth}, nodes={nodes}")
        self.command = find_engine(command)
        self.depth, self.nodes = depth, nodes
        self.options, self.patience = dict(options or {}), patience
        self._heeds_searchmoves = True
        self._engine: chess.engine.SimpleEngine | None = None
        self._finalizer: weakref.finalize[Any, Any] | None = None
        self._start()

    @property
    def _name(self) -> str:
        return shlex.join(self.command)

    def _start(self) -> chess.engine.SimpleEngine:
        """Start the engine and set its options."""
        try:
            engine = chess.engine.SimpleEngine.popen_uci(self.command)
        except FAULTS as error:
            raise UciError(f"the UCI engine {self._name!r} cannot be started: {error!r}") from error
        _close_at_exit(engine)
        self._engine, self._finalizer = engine, weakref.finalize(self, engine.close)
        usual = {name: value for name, value in OPTIONS.items() if name in engine.options}
        try:
            engine.configure({**usual, **self.options})
        except FAULTS as error:
            self.close()
            raise UciError(f"the UCI engine {self._name!r} does not take {self.options}: {error}") from error
        return engine

    def close(self) -> None:
        """End the engine; a later request starts it again."""
        engine, self._engine = self._engine, None
        if engine is None:
            return
        try:
            engine.quit()
        except FAULTS:
            pass  # dead already
        finally:
            engine.close()
            if self._finalizer is not None:
                self._finalizer.detach()

    def scores(self, board: chess.Board) -> dict[chess.Move, int]:
        """All legal moves with their values in centipawns for the mover; mates as in `centipawns`.

        An engine that dies is started again, once a request.

        Raises:
            ValueError: an engine cannot be given the position: kings are missing, or one can be taken.
            UciError: the engine died twice, or leaves out moves.
        """
        if board.status() & UNPLAYABLE:
            raise ValueError(f"an engine cannot search {board.fen()!r}: a king is missing or can be taken")
        moves = list(board.legal_moves)
        if not moves:
            return {}
        try:
            return self._ask(board, moves)
        except FAULTS:
            self.close()
        try:
            return self._ask(board, moves)
        except FAULTS as error:
            self.close()
            raise UciError(
                f"the UCI engine {self._name!r} died twice on {board.fen()!r}: {error!r}"
            ) from error

    def _ask(self, board: chess.Board, moves: list[chess.Move]) -> dict[chess.Move, int]:
        engine = self._engine or self._start()
        game = object()  # a new game each time: the engine forgets what it searched before
        multi = engine.options.get("MultiPV")
        if multi is not None and (multi.max is None or multi.max >= len(moves)):
            return self._ask_all(engine, board, moves, game)
        return {move: self._ask_one(engine, board, move, len(moves), game) for move in moves}

    @contextmanager
    def _watched(self, engine: chess.engine.SimpleEngine) -> Iterator[None]:
        """Kill the engine if it takes longer than the patience: a fixed depth has no limit of time."""
        loop, kill = engine.protocol.loop, engine.transport.kill
        timer = threading.Timer(self.patience, lambda: loop.call_soon_threadsafe(kill))
        timer.daemon = True
        timer.start()
        try:
            yield
        finally:
            timer.cancel()

    def _ask_all(
        self, engine: chess.engine.SimpleEngine, board: chess.Board, moves: list[chess.Move], game: object
    ) -> dict[chess.Move, int]:
        limit = chess.engine.Limit(depth=self.depth, nodes=self.nodes)
        with self._watched(engine):
            infos = engine.analyse(board, limit, multipv=len(moves), game=game)
        found = {}
        for info in infos:
            if info.get("pv") and "score" in info:
                found[info["pv"][0]] = centipawns(info["score"].pov(board.turn))
        missing = [move for move in moves if move not in found]
        if missing and self.nodes is None:
            words = [move.uci() for move in missing]
            raise UciError(f"the UCI engine {self._name!r} gives no value to {words} in {board.fen()!r}")
        for move in missing:  # the nodes were too few for all moves at once
            found[move] = self._ask_one(engine, board, move, len(moves), game)
        return {move: found[move] for move in moves}

    def _ask_one(
        self,
        engine: chess.engine.SimpleEngine,
        board: chess.Board,
        move: chess.Move,
        count: int,
        game: object,
    ) -> int:
        nodes = None if self.nodes is None else max(1, self.nodes // count)
        if self._heeds_searchmoves:
            limit = chess.engine.Limit(depth=self.depth, nodes=nodes)
            with self._watched(engine):
                info = engine.analyse(board, limit, root_moves=[move], game=game)
            if info.get("pv", [move])[0] == move:
                return self._value(info, board)
            self._heeds_searchmoves = False
        return self._ask_after(engine, board, move, nodes, game)

    def _ask_after(
        self,
        engine: chess.engine.SimpleEngine,
        board: chess.Board,
        move: chess.Move,
        nodes: int | None,
        game: object,
    ) -> int:
        """Value of a move by the position after it, searched one ply less deep, but one at least."""
        after = board.copy(stack=False)
        after.push(move)
        if not any(after.legal_moves):
            return MATE - 1 if after.is_check() else 0
        depth = None if self.depth is None else max(1, self.depth - 1)
        with self._watched(engine):
            info = engine.analyse(after, chess.engine.Limit(depth=depth, nodes=nodes), game=game)
        value = -self._value(info, after)
        if abs(value) > MATE - 1000:  # a mate is one ply further away
            value -= 1 if value > 0 else -1
        return value

    def _value(self, info: chess.engine.InfoDict, board: chess.Board) -> int:
        if "score" not in info:
            raise UciError(f"the UCI engine {self._name!r} gives no value in {board.fen()!r}")
        return centipawns(info["score"].pov(board.turn))
