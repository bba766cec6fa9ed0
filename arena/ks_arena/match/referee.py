"""The referee of one game of the arena: the position, and what is counted of it."""

from abc import ABC, abstractmethod
from typing import Any

import chess
import numpy as np

from ks_arena.match.result import GameResult
from ks_arena.study.config import StudyConfig
from ks_arena.study.schedule import GameJob, men_of
from ks_env.core.answers import Kind
from ks_env.core.ruleset import PawnTries, Ruleset
from ks_env.games.invisible.announcement import Announcement as InvisibleAnnouncement
from ks_env.games.invisible.announcement import Kind as InvisibleKind
from ks_env.games.invisible.announcement import announce as announce_invisible
from ks_env.games.invisible.game import InvisibleGame
from ks_env.games.invisible.hidden import HiddenMen
from ks_env.games.invisible.judge import judge as judge_invisible
from ks_env.games.kriegspiel.announcement import Announcement, announce
from ks_env.games.kriegspiel.game import Game
from ks_env.games.kriegspiel.judge import judge

Men = tuple[str, str]  # White's and Black's hidden men
Heard = Announcement | InvisibleAnnouncement | None


class Referee(ABC):
    """The position of one game, and what has been counted of it.

    Attributes:
        moves: turns ended, by seat: moves played, and in invisible chess turns lost.
        tries: answered tries, by seat.
        spoken: moves after which the referee said more than whose turn it is.
        actions: all tries.
        played: whether the latest try was played.
    """

    def __init__(self, row: Any, rules: Ruleset) -> None:
        self.rules = rules
        self._record = rules.record()[0]
        self._game = row
        self.truth = row["truth"]
        kind = row["views"].dtype
        self._kind = kind
        self._views = row["views"].view(np.uint8).reshape(2, kind.itemsize)
        self._history = np.zeros(rules.history, np.uint64)
        self._history[0] = self.truth["key"]
        self.truth["past"] = 1
        self.moves = [0, 0]
        self.tries = [0, 0]
        self.spoken = 0
        self.actions: list[int] = []
        self.played = False

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return bool(self.truth["reason"])

    @property
    def mover(self) -> int:
        """The seat to move."""
        return int(self.truth["side"])

    def view(self, seat: int) -> Any:
        """A copy of what a seat knows."""
        view: Any = np.frombuffer(bytearray(self._views[seat]), self._kind)[0]
        return view

    def ask(self, action: int) -> bool:
        """Judge a try; whether the turn is over."""
        mover = self.mover
        ended = self._judge(action)
        self.tries[mover] += 1
        self.actions.append(action)
        if ended:
            self.moves[mover] += 1
            self.spoken += self._has_spoken()
        return ended

    @abstractmethod
    def _judge(self, action: int) -> bool:
        """Judge a try; whether the turn is over."""

    @abstractmethod
    def _has_spoken(self) -> bool:
        """Whether the latest answer says more than whose turn it is."""

    @abstractmethod
    def heard(self, seat: int) -> Heard:
        """What a seat hears of the latest answer; None for nothing."""


class KriegspielReferee(Referee):
    """The referee of Kriegspiel."""

    def __init__(self, fen: str, rules: Ruleset, *, hidden: bool) -> None:
        super().__init__(Game(rules, fen, hidden_start=hidden).row(), rules)

    def _judge(self, action: int) -> bool:
        self.played = judge(self._game, self._history, self._record, action) == Kind.MOVED
        return self.played

    def heard(self, seat: int) -> Announcement | None:
        """What a seat hears of the latest answer."""
        return announce(self.truth["said"], self.rules, seat == 0)

    def _has_spoken(self) -> bool:
        said = self.truth["said"]
        return bool(
            said["captured"]
            or said["checks"]
            or (said["tries"] and self.rules.pawn_tries is not PawnTries.NONE)
            or (said["promoted"] and self.rules.promotion_said)
        )


def invisible_game(fen: str, rules: Ruleset, men: Men, draws: tuple[int, int]) -> InvisibleGame:
    """A game of invisible chess at its start; see `InvisibleReferee`."""
    white, black = (HiddenMen.parse(text) for text in men)
    board = chess.Board(fen)
    fitting = white.count(board, chess.WHITE), black.count(board, chess.BLACK)
    choice = draws[0] % fitting[0] * fitting[1] + draws[1] % fitting[1]
    return InvisibleGame((white, black), rules, fen, choice=choice)


class InvisibleReferee(Referee):
    """The referee of invisible chess.

    Args:
        fen: start position.
        rules: draws and limits.
        men: White's and Black's hidden men.
        draws: a number for each side, by which its men are chosen where several choices fit.
    """

    def __init__(self, fen: str, rules: Ruleset, men: Men, draws: tuple[int, int]) -> None:
        super().__init__(invisible_game(fen, rules, men, draws).row(), rules)

    def _judge(self, action: int) -> bool:
        kind = judge_invisible(self._game, self._history, self._record, action)
        self.played = kind == InvisibleKind.MOVED
        return self.played or kind == InvisibleKind.LOST

    def heard(self, seat: int) -> InvisibleAnnouncement | None:
        """What a seat hears of the latest answer."""
        said = self._game["said"]
        full = said["kind"] != InvisibleKind.START and int(said["seat"]) == seat
        return announce_invisible(said if full else self._game["heard"], seat == 0)

    def _has_spoken(self) -> bool:
        said = self._game["said"]
        return bool(said["captured"] or said["checkers"] or said["kind"] == InvisibleKind.LOST)


def referee_of_job(job: GameJob) -> Referee:
    """The referee of a game that is to be played."""
    if job.men is not None:
        return InvisibleReferee(job.fen, job.rules, job.men, job.seeds)
    return KriegspielReferee(job.fen, job.rules, hidden=job.hidden)


def referee_of_result(result: GameResult, config: StudyConfig) -> Referee:
    """The referee of a game that has been played."""
    men = men_of(config, result.white, result.black)
    if men is not None:
        draws = result.white_seed, result.black_seed
        return InvisibleReferee(result.start_fen, config.rules, men, draws)
    return KriegspielReferee(result.start_fen, config.rules, hidden=config.hidden_start)
