"""One game, for people: the referee's kernels behind chess moves and announcements."""

import chess
import numpy as np
import numpy.typing as npt

from ks_env.core.actions import check_action, move_to_action, text_to_action
from ks_env.core.answers import Kind, Reason
from ks_env.core.position import is_legal
from ks_env.core.ruleset import ICC, Ruleset
from ks_env.core.start import to_board
from ks_env.core.tables import ANY, TRIES, TRY_FROM, TRY_TO
from ks_env.core.tries import MOST_TRIES
from ks_env.core.under_way import Array, GameUnderWay, MaskLevel, Row, mask_level
from ks_env.games.kriegspiel.announcement import Announcement, announce
from ks_env.games.kriegspiel.judge import judge
from ks_env.games.kriegspiel.layout import GAME
from ks_env.games.kriegspiel.start import start_row
from ks_env.games.kriegspiel.tries import list_tries

GameLog = list[tuple[Announcement | None, Announcement | None]]  # what (White, Black) heard


def both_hear(answer: Row, ruleset: Ruleset) -> tuple[Announcement | None, Announcement | None]:
    """What White and Black hear of one ANSWER record."""
    return announce(answer, ruleset, chess.WHITE), announce(answer, ruleset, chess.BLACK)


class Game(GameUnderWay):
    """One game of Kriegspiel under a referee.

    For records, pictures, players written in Python and tests. It keeps everything that was said; the
    environments work on rows directly.

    Args:
        ruleset: the rules.
        fen: start position.
        hidden_start: the seats know only their own men at the start.
    """

    def __init__(
        self, ruleset: Ruleset = ICC, fen: str = chess.STARTING_FEN, *, hidden_start: bool = False
    ) -> None:
        games = np.zeros(1, GAME)
        games[0] = start_row(fen, ruleset, hidden=hidden_start)
        history = np.zeros((1, ruleset.history), np.uint64)
        history[0, 0] = games[0]["truth"]["key"]
        games[0]["truth"]["past"] = 1
        self._adopt(games, history, ruleset, fen, hidden_start)

    @classmethod
    def adopt(
        cls, games: Array, history: Array, ruleset: Ruleset, *, fen: str, hidden_start: bool, log: "GameLog"
    ) -> "Game":
        """A game that lives elsewhere: GAME[1] and u8[1, H] of a batch, with what was said so far.

        `log` holds the start's announcements first; it may grow while the batch is stepped.
        """
        game = cls.__new__(cls)
        game._adopt(games, history, ruleset, fen, hidden_start)
        game._log = log
        return game

    def _adopt(self, games: Array, history: Array, ruleset: Ruleset, fen: str, hidden_start: bool) -> None:
        self.ruleset = ruleset
        self.start_fen = fen
        self.hidden_start = hidden_start
        self._rules = ruleset.record()
        self._games = games
        self._history = history
        self._log: GameLog = [both_hear(self._truth["said"], ruleset)]

    @property
    def tries_this_turn(self) -> int:
        """Answers given this turn so far."""
        return int(self._truth["answered"])

    def ask(self, action: int | chess.Move | str) -> Announcement:
        """Let the referee judge one try of the side to play; what the mover hears.

        Args:
            action: number, move, UCI text, or "any?".

        Raises:
            ValueError: the game is over, or the action is none.
        """
        mover = self.to_play
        if mover is None:
            raise ValueError("the game is over; no try can be made")
        judge(self._games[0], self._history[0], self._rules[0], self._number(action, mover))
        said = both_hear(self._truth["said"], self.ruleset)
        self._log.append(said)
        heard = said[0] if mover else said[1]
        assert heard is not None  # the mover always hears
        return heard

    def _number(self, action: int | chess.Move | str, mover: bool) -> int:

        if isinstance(action, chess.Move):
            return move_to_action(action, mover)
        if isinstance(action, str):
            return text_to_action(action, mover)
        return check_action(action)

    def heard(self, colour: bool) -> list[Announcement]:
        """All that the colour heard, the start first."""
        mine = [white if colour else black for white, black in self._log]
        return [announcement for announcement in mine if announcement is not None]

    def log(self) -> GameLog:
        """What (White, Black) heard of every answered try, the start left out."""
        return self._log[1:]

    def board(self) -> chess.Board:
        """The referee's board."""
        return to_board(self._truth)

    def own_board(self, colour: bool) -> chess.Board:
        """That colour's men and castling rights alone, with nothing that it may not know."""
        truth = self.board()
        board = chess.Board(None)
        for square in chess.SquareSet(truth.occupied_co[colour]):
            board.set_piece_at(square, truth.piece_at(square))
        board.castling_rights = truth.castling_rights & (chess.BB_RANK_1 if colour else chess.BB_RANK_8)
        board.turn = truth.turn
        board.fullmove_number = truth.fullmove_number
        return board

    def ages(self, colour: bool) -> npt.NDArray[np.uint8]:
        """The seat's age matrix by absolute square: u1[64], in opponent turns."""
        ages = np.array(self.view(colour)["age"], np.uint8)
        return ages if colour else ages[np.arange(64) ^ 56]

    def mask(self, colour: bool, level: MaskLevel = "informed") -> npt.NDArray[np.int8]:
        """The seat's mask: int8[1859]; zero for a seat that waits or has finished."""
        out = np.zeros(TRIES, np.int8)
        if self.view(colour)["turn"]:
            found = np.zeros(MOST_TRIES, np.int16)
            n = list_tries(self.view(colour), self._rules[0], mask_level(level), found)
            out[found[:n]] = 1
        return out

    def legal(self) -> set[int]:
        """What the referee would not refuse now; with a capture owed after "any?", captures alone."""
        if self.to_play is None:
            return set()
        mirror = 56 * int(self._truth["side"])
        own = np.flatnonzero(self.mask(bool(self.to_play), "own-board"))
        return {
            int(a)
            for a in own
            if a == ANY or is_legal(self._truth, int(TRY_FROM[a]) ^ mirror, int(TRY_TO[a]) ^ mirror)
        }

    def said(self) -> Row:
        """The latest ANSWER record, unabridged: the referee's own, not for players."""
        return self._truth["said"]


__all__ = ["Announcement", "Game", "Kind", "Reason"]
