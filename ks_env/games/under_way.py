"""One game in chess moves and words: the referee's kernels behind an interface for people and scripts."""

import pkgutil
from abc import ABC, abstractmethod
from copy import copy
from dataclasses import dataclass
from typing import Any, ClassVar, Generic, Self, TypeVar

import chess
import numpy as np
import numpy.typing as npt

from ks_env.core.actions import ACTIONS, check_action, move_to_action, text_to_action
from ks_env.core.answers import Kind, Reason
from ks_env.core.position import legal_targets
from ks_env.core.record import Array
from ks_env.core.rows import rows_of
from ks_env.core.ruleset import Ruleset, check_ruleset
from ks_env.core.start import to_board
from ks_env.core.tables import ANY, TRY_FROM, TRY_TO
from ks_env.core.tries import MOST_TRIES, MaskLevel, mask_level
from ks_env.games.definition import GameDefinition

Row = Any  # a record: np.void


@dataclass(frozen=True, slots=True)
class AnyAnnouncement(ABC):
    """One announcement, as one listener hears it: what those of all games have.

    Squares are python-chess squares.

    Attributes:
        kind: what the referee answered.
        by: colour whose try was answered; at the start, the side to move.
        action: the try, numbered in the frame of `by`; None for the other player and at the start.
        square: the square told for a capture, or None.
        winner: colour that won; None for a draw, for truncation and while the game goes on.
        reason: why the game is over; `Reason.NONE` while it goes on.
    """

    kind: Kind
    by: bool
    action: int | None = None
    square: int | None = None
    winner: bool | None = None
    reason: Reason = Reason.NONE

    @property
    @abstractmethod
    def check(self) -> bool:
        """Whether the side now to move is told to be in check."""

    @abstractmethod
    def text(self) -> str:
        """The announcement in words, without the try."""


A = TypeVar("A", bound=AnyAnnouncement)


class GameUnderWay(ABC, Generic[A]):
    """One game under a referee: for records, pictures, players written in Python and tests.

    It keeps everything that was said; the environments work on rows directly.

    Attributes:
        ruleset: the rules.
        start_fen: start position.
        hidden_start: the seats know only their own men at the start.
    """

    definition: ClassVar[GameDefinition]  # set by the game
    ruleset: Ruleset
    start_fen: str
    hidden_start: bool = False
    _log: list[tuple[A | None, A | None]]

    def _begin(self, row: Row, ruleset: Ruleset, fen: str) -> None:
        """On fresh memory, from the GAME record of a start."""
        check_ruleset(ruleset)
        games = np.zeros(1, row.dtype)
        games[0] = row
        games["truth"]["past"] = 1
        history = np.zeros((1, ruleset.history), np.uint64)
        history[0, 0] = games[0]["truth"]["key"]
        self._take(games, history, ruleset, fen)
        self._log = [self.both_hear(games[0], ruleset)]

    def _take(self, games: Array, history: Array, ruleset: Ruleset, fen: str) -> None:
        self.ruleset = ruleset
        self.start_fen = fen
        self._rules = ruleset.record()
        self._games = games
        self._history = history

    @classmethod
    def adopt(
        cls,
        games: Array,
        history: Array,
        ruleset: Ruleset,
        *,
        start: Row,
        fen: str,
        hidden_start: bool,
        log: list[tuple[A | None, A | None]],
    ) -> Self:
        """A game that lives elsewhere, in a row of a batch.

        Args:
            games: GAME[1], the row.
            history: u8[1, H].
            start: the GAME record that it began with.
            fen: its start position.
            hidden_start: the seats were told their own men only.
            log: what was said so far, the start first; it may grow while the batch is stepped.
        """
        game = cls.__new__(cls)
        game._take(games, history, ruleset, fen)
        game._log = log
        game._adopted(start, hidden_start)
        return game

    def copy(self) -> Self:
        """The game as it stands, to be played on apart from this one."""
        other = copy(self)
        other._games = rows_of(self._games, slice(None))
        other._history, other._log = self._history.copy(), list(self._log)
        return other

    def _adopted(self, start: Row, hidden_start: bool) -> None:
        """Note what the game's class keeps beside the row."""

    @classmethod
    def for_match(
        cls, fen: str, ruleset: Ruleset, *, hidden_start: bool, men: tuple[str, str], draws: tuple[int, int]
    ) -> Self:
        """A game of a match between two players.

        Args:
            hidden_start: the players are not told the position, in games that can hide it.
            men: White's and Black's hidden men, in games that have them.
            draws: a number for each side, for what it may draw at the start.
        """
        return cls(ruleset, fen)  # type: ignore[call-arg]

    @staticmethod
    @abstractmethod
    def hears(game: Row, ruleset: Ruleset, colour: bool) -> A | None:
        """What a colour hears of the latest answer of a GAME record; None for nothing."""

    @staticmethod
    @abstractmethod
    def has_spoken(game: Row, ruleset: Ruleset) -> bool:
        """Whether the latest answer of a GAME record, which ended a turn, says more than whose turn it is."""

    @classmethod
    def both_hear(cls, game: Row, ruleset: Ruleset) -> tuple[A | None, A | None]:
        """What White and Black hear of the latest answer of a GAME record."""
        return cls.hears(game, ruleset, chess.WHITE), cls.hears(game, ruleset, chess.BLACK)

    def judge(self, action: int) -> int:
        """Let the referee judge one try of the side to play; the kind of answer. Nothing is announced."""
        return self.definition.kernels.judge(self._games[0], self._history[0], self._rules[0], action)

    def ask(self, action: int | chess.Move | str) -> A:
        """Let the referee judge one try of the side to play; what the mover hears.

        Args:
            action: number, move, UCI text, or "any?" where the ruleset has the question.

        Raises:
            ValueError: the game is over, or there is no such action.
        """
        mover = self.to_play
        if mover is None:
            raise ValueError("the game is over; no try can be made")
        self.judge(_number(action, mover))
        said = self.both_hear(self._games[0], self.ruleset)
        self._log.append(said)
        heard = said[0] if mover else said[1]
        assert heard is not None  # the mover always hears
        return heard

    def heard(self, colour: bool) -> list[A]:
        """All that the colour heard, the start first."""
        mine = [white if colour else black for white, black in self._log]
        return [announcement for announcement in mine if announcement is not None]

    def log(self) -> list[tuple[A | None, A | None]]:
        """What (White, Black) heard of every answered try, the start left out."""
        return self._log[1:]

    def board(self) -> chess.Board:
        """The referee's board."""
        return to_board(self._truth, self.definition.notation.board)

    def own_board(self, colour: bool) -> chess.Board:
        """That colour's men and castling rights alone, with nothing that it may not know."""
        truth = self.board()
        own = truth.occupied_co[colour]
        board = chess.Board(None)
        for kind in ("pawns", "knights", "bishops", "rooks", "queens", "kings"):
            setattr(board, kind, getattr(truth, kind) & own)
        board.occupied = board.occupied_co[colour] = own
        board.castling_rights = truth.castling_rights & (chess.BB_RANK_1 if colour else chess.BB_RANK_8)
        board.turn = truth.turn
        board.fullmove_number = truth.fullmove_number
        return board

    def mask(self, colour: bool, level: MaskLevel = "informed") -> npt.NDArray[np.int8]:
        """The seat's mask: int8[1859]; zero for a seat that waits or has finished."""
        out = np.zeros(ACTIONS, np.int8)
        view = self._games["views"][0, 0 if colour else 1]
        if view["turn"]:
            found = np.zeros(MOST_TRIES, np.int16)
            n = self.definition.kernels.list_tries(view, self._rules[0], mask_level(level), found)
            out[found[:n]] = 1
        return out

    def legal(self) -> set[int]:
        """What the referee would not refuse now; with a capture owed after "any?", captures alone."""
        if self.to_play is None:
            return set()
        truth = self._truth
        mirror = 56 * int(truth["side"])
        own = np.flatnonzero(self.mask(bool(self.to_play), "own-board"))
        starts = (TRY_FROM[own] ^ mirror).tolist()
        ends = (TRY_TO[own] ^ mirror).tolist()
        targets = {start: int(legal_targets(truth, start)) for start in set(starts)}
        tries = zip(own.tolist(), starts, ends, strict=True)
        return {a for a, start, end in tries if a == ANY or targets[start] >> end & 1}

    @property
    def _truth(self) -> Row:
        return self._games[0]["truth"]

    @property
    def to_play(self) -> bool | None:
        """Colour to move; None once the game is over."""
        return None if self._truth["reason"] else bool(self._truth["side"] == 0)

    @property
    def winner(self) -> bool | None:
        """Colour that won; None for a draw and while the game goes on."""
        winner = int(self._truth["winner"])
        return None if winner < 0 else winner == 0

    @property
    def reason(self) -> Reason:
        """Why the game is over; `Reason.NONE` while it goes on."""
        return Reason(int(self._truth["reason"]))

    @property
    def men(self) -> tuple[str, str]:
        """White's and Black's hidden men by their squares at the start, as `for_match` takes them."""
        return "", ""

    @property
    def result(self) -> str:
        """PGN result: "1-0", "0-1", "1/2-1/2", or "*" while it goes on and when truncated."""
        if self.reason in (Reason.NONE, Reason.PLIES):
            return "*"
        return {chess.WHITE: "1-0", chess.BLACK: "0-1", None: "1/2-1/2"}[self.winner]

    @property
    def plies(self) -> int:
        """Half-moves played, and in invisible chess turns lost."""
        return int(self._truth["plies"])

    def _repr_svg_(self) -> str:
        """The referee's picture, which notebooks show; named by text, since drawing rests on the rules."""
        picture: str = pkgutil.resolve_name("ks_env.render.svg:render_svg")(self)
        return picture

    def row(self) -> Row:
        """The GAME record itself, as np.void; not a copy."""
        return self._games[0]

    def view(self, colour: bool) -> Row:
        """The VIEW record of a seat, as np.void: a copy, from which nothing else can be reached."""
        return rows_of(self._games["views"], (0, 0 if colour else 1))


def _number(action: int | chess.Move | str, mover: bool) -> int:
    if isinstance(action, chess.Move):
        return move_to_action(action, mover)
    if isinstance(action, str):
        return text_to_action(action, mover)
    return check_action(action)
