"""One game, played and measured: the referee, two players, and what each of them does wrong."""

import operator
import random
import textwrap
from time import perf_counter
from typing import Any

import chess
import numpy as np

from ks_env.core.announcement import Kind, announce
from ks_env.core.layout import GAME, VIEW
from ks_env.core.referee import judge
from ks_env.core.ruleset import ICC, PawnTries, Ruleset
from ks_env.core.setup import start_row
from ks_env.core.tables import TRIES
from ks_env.players.protocol import Player
from ks_env.players.registry import make_player
from train.arena.notebook import Notebook
from train.arena.result import FORFEIT, GameResult, SeatWork
from train.arena.schedule import GameJob
from train.arena.versions import versions_text
from train.reasons import reason_name

MOST_WORDS = 500  # characters kept of what a player raises


class ForfeitError(Exception):
    """A player has lost by what it did.

    Attributes:
        seat: 0 White, 1 Black.
        fault: what it did.
    """

    def __init__(self, seat: int, fault: str) -> None:
        super().__init__(fault)
        self.seat = seat
        self.fault = fault


class Referee:
    """The position of one game, and what has been counted of it."""

    def __init__(self, fen: str, rules: Ruleset, *, hidden: bool) -> None:
        self.rules = rules
        self._record = rules.record()[0]
        games = np.zeros(1, GAME)
        games[0] = start_row(fen, rules, hidden=hidden)
        self._game = games[0]
        self.truth = games["truth"][0]
        self._views = games["views"][0].view(np.uint8).reshape(2, VIEW.itemsize)
        self._history = np.zeros(rules.history, np.uint64)
        self._history[0] = self.truth["key"]
        self.truth["past"] = 1
        self.moves = [0, 0]
        self.tries = [0, 0]
        self.spoken = 0

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return bool(self.truth["reason"])

    @property
    def mover(self) -> int:
        """The seat to move."""
        return int(self.truth["side"])

    def view(self, seat: int) -> np.void:
        """A copy of what a seat knows."""
        view: np.void = np.frombuffer(bytearray(self._views[seat]), VIEW)[0]
        return view

    def ask(self, action: int) -> bool:
        """Judge a try; whether the move was played."""
        mover = self.mover
        moved = judge(self._game, self._history, self._record, action) == Kind.MOVED
        self.tries[mover] += 1
        if moved:
            self.moves[mover] += 1
            self.spoken += self._has_spoken()
        return moved

    def _has_spoken(self) -> bool:
        said = self.truth["said"]
        return bool(
            said["captured"]
            or said["checks"]
            or (said["tries"] and self.rules.pawn_tries is not PawnTries.NONE)
            or (said["promoted"] and self.rules.promotion_said)
        )


class Seat:
    """A player in its seat: every call is timed and noted, every fault becomes a forfeit."""

    def __init__(self, number: int, job: GameJob, notebook: Notebook) -> None:
        self.number = number
        self._limit = job.seconds_a_move
        self._notebook = notebook
        self._turn = 0.0
        self._preparing = True
        self._player: Player = self._call(lambda: make_player(job.players[number]))
        # The first player of a process may have to load a model, which tells nothing of the game.
        notebook.seconds[number] = 0.0
        # A kernel player has all it needs in its view.
        self.listens = getattr(self._player, "kernel", None) is None

    def begin(self, job: GameJob) -> None:
        """Tell the player of the game."""
        fen = None if job.hidden else job.fen
        colour = chess.WHITE if self.number == 0 else chess.BLACK
        self._call(lambda: self._player.begin(colour, job.rules, fen, job.seeds[self.number]))
        self._preparing = False
        self._turn = 0.0  # getting ready is not thinking

    def choose(self, view: np.void) -> int:
        """The player's next try."""
        answer = self._call(lambda: self._player.choose(view))
        self._check_time()
        try:
            action = operator.index(answer)
        except TypeError:
            raise ForfeitError(self.number, f"chose {answer!r}; expected the number of a try") from None
        if not 0 <= action < TRIES:
            raise ForfeitError(self.number, f"chose {action}; expected a try from 0 to {TRIES - 1}")
        return action

    def hear(self, said: Any, rules: Ruleset) -> None:
        """Tell the player what it may hear of an answer."""
        heard = announce(said, rules, self.number == 0)
        if heard is not None:
            self._call(lambda: self._player.hear(heard))
            self._check_time()

    def end_turn(self) -> None:
        """The move was played."""
        self._turn = 0.0

    def _check_time(self) -> None:
        slowest = self._notebook.slowest
        slowest[self.number] = max(slowest[self.number], self._turn)
        if self._limit is not None and self._turn > self._limit:
            raise ForfeitError(
                self.number, f"took {self._turn:.3g} s for a move; the limit is {self._limit:g} s"
            )

    def _call(self, work: Any) -> Any:
        self._notebook.enter(self.number, preparing=self._preparing)
        begun = perf_counter()
        try:
            return work()
        except (Exception, SystemExit) as error:
            raise ForfeitError(self.number, _words(f"raised {type(error).__name__}: {error}")) from error
        finally:
            spent = perf_counter() - begun
            self._turn += spent
            self._notebook.seconds[self.number] += spent
            self._notebook.leave()

    def note_nodes(self) -> None:
        """Put down the player's count of its work, if it keeps one."""
        nodes = getattr(self._player, "nodes", None)
        if isinstance(nodes, int | np.integer):
            self._notebook.nodes[self.number] = nodes


def _words(text: str) -> str:
    return textwrap.shorten(text, MOST_WORDS, placeholder=" ...")


def warm_up() -> None:
    """Load or compile the kernels of the referee and of the built-in players, so that no game has to wait."""
    referee = Referee(chess.STARTING_FEN, ICC, hidden=False)
    for name in ("random", "capture"):
        player = make_player(name)
        player.begin(chess.WHITE, ICC, None, 0)
        player.choose(referee.view(0))
    referee.ask(0)


def play_game(job: GameJob, notebook: Notebook | None = None) -> GameResult:
    """Play one game to its end, or to a forfeit.

    Args:
        job: the game.
        notebook: where to note who is thinking and what was tried.
    """
    notebook = notebook or Notebook()
    notebook.new_game()
    # For players that draw from the generators that all share: neither's own seed, which is its secret.
    shared = np.random.SeedSequence(job.seeds).generate_state(2)
    random.seed(int(shared[0]))
    np.random.seed(shared[1])
    referee = Referee(job.fen, job.rules, hidden=job.hidden)
    begun = perf_counter()
    try:
        seats = (Seat(0, job, notebook), Seat(1, job, notebook))
        begun = perf_counter()
        _play(referee, seats, job, notebook)
    except ForfeitError as forfeit:
        return result_of(job, referee, notebook, perf_counter() - begun, forfeit)
    return result_of(job, referee, notebook, perf_counter() - begun)


def _play(referee: Referee, seats: tuple[Seat, Seat], job: GameJob, notebook: Notebook) -> None:
    for seat in seats:
        seat.begin(job)
    listeners = [seat for seat in seats if seat.listens]
    said = referee.truth["said"]
    for seat in listeners:
        seat.hear(said, job.rules)
    while not referee.over:
        mover = seats[referee.mover]
        action = mover.choose(referee.view(mover.number))
        moved = referee.ask(action)
        notebook.answer(action)
        for seat in listeners:
            seat.hear(said, job.rules)
        if moved:
            mover.note_nodes()
            mover.end_turn()
    for seat in seats:
        seat.note_nodes()


def result_of(
    job: GameJob, referee: Referee, notebook: Notebook, seconds: float, forfeit: ForfeitError | None = None
) -> GameResult:
    """What is known of a game that has ended, or that one player has forfeited.

    Once the rules have ended a game its result stands, whatever a player does on hearing it.
    """
    if referee.over:
        forfeit = None
    truth = referee.truth
    winner = int(truth["winner"]) if forfeit is None else 1 - forfeit.seat
    white, black = (
        SeatWork(
            moves=referee.moves[seat],
            tries=referee.tries[seat],
            seconds=float(notebook.seconds[seat]),
            slowest=float(notebook.slowest[seat]),
            nodes=None if notebook.nodes[seat] < 0 else int(notebook.nodes[seat]),
        )
        for seat in (0, 1)
    )
    return GameResult(
        pairing=job.pairing,
        pair=job.pair,
        leg=job.leg,
        white=job.labels[0],
        black=job.labels[1],
        white_seed=job.seeds[0],
        black_seed=job.seeds[1],
        start_fen=job.fen,
        outcome={-1: 0, 0: 1, 1: -1}[winner],
        reason=reason_name(int(truth["reason"])) if forfeit is None else FORFEIT,
        fault=None if forfeit is None else forfeit.fault,
        plies=int(truth["plies"]),
        spoken=referee.spoken,
        work=(white, black),
        seconds=seconds,
        actions=notebook.actions(),
        versions=versions_text(),
    )


def result_of_broken(job: GameJob, notebook: Notebook, seconds: float, forfeit: ForfeitError) -> GameResult:
    """The result of a game whose worker is gone: the tries in its notebook are judged once more."""
    referee = Referee(job.fen, job.rules, hidden=job.hidden)
    for action in np.frombuffer(notebook.actions(), "<i2").tolist():
        referee.ask(action)
    return result_of(job, referee, notebook, seconds, forfeit)
