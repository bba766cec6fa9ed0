"""One game of invisible chess, for people: the referee's kernels behind chess moves and announcements."""

import chess
import numpy as np
import numpy.typing as npt

from ks_env.core.actions import check_action, move_to_action, text_to_action
from ks_env.core.position import is_legal
from ks_env.core.ruleset import Ruleset
from ks_env.core.start import parse_fen, to_board
from ks_env.core.tables import TRIES, TRY_FROM, TRY_TO
from ks_env.core.tries import MOST_TRIES
from ks_env.core.under_way import Array, GameUnderWay, MaskLevel, Row, mask_level
from ks_env.games.invisible.announcement import Announcement, announce
from ks_env.games.invisible.hidden import HiddenMen, all_choices, choice_text, parse_both
from ks_env.games.invisible.judge import judge
from ks_env.games.invisible.layout import GAME
from ks_env.games.invisible.start import start_row
from ks_env.games.invisible.tries import list_tries

INVISIBLE = Ruleset("invisible", says_nonsense=True)

Heard = tuple[Announcement | None, Announcement | None]  # what (White, Black) heard


def both_hear(game: Row) -> Heard:
    """What White and Black hear of the latest answer of a GAME record."""
    mover = int(game["said"]["seat"])
    start = game["said"]["kind"] == 0
    records = [game["said"] if seat == mover and not start else game["heard"] for seat in (0, 1)]
    return announce(records[0], chess.WHITE), announce(records[1], chess.BLACK)


class InvisibleGame(GameUnderWay):
    """One game of invisible chess under a referee.

    For records, pictures, players written in Python and tests. It keeps everything that was said.

    Args:
        hidden: the hidden men, `"2B v 1R"`, or White's and Black's.
        ruleset: its draws and limits; what Kriegspiel's referee says has no part here.
        fen: start position.
        choice: where the hidden men are not fixed, which choice of them; an environment draws it.

    Attributes:
        hidden: the hidden men of this game by their squares at the start, such as `"c1 f1 v a8"`; None for an
            adopted game that was not told.
    """

    def __init__(
        self,
        hidden: str | tuple[HiddenMen, HiddenMen],
        ruleset: Ruleset = INVISIBLE,
        fen: str = chess.STARTING_FEN,
        *,
        choice: int = 0,
    ) -> None:
        white, black = parse_both(hidden) if isinstance(hidden, str) else hidden
        choices = all_choices(parse_fen(fen), white, black)
        if not 0 <= choice < len(choices):
            raise ValueError(f"choice {choice} of hidden men; expected 0 to {len(choices) - 1}")
        games = np.zeros(1, GAME)
        games[0] = start_row(fen, *choices[choice])
        games["truth"]["start"] = choice
        games["views"]["start"] = choice
        games["truth"]["past"] = 1
        history = np.zeros((1, ruleset.history), np.uint64)
        history[0, 0] = games[0]["truth"]["key"]
        self._adopt(games, history, ruleset, fen, choice_text(*choices[choice]))
        self._log: list[Heard] = [both_hear(self._games[0])]

    @classmethod
    def adopt(
        cls,
        games: Array,
        history: Array,
        ruleset: Ruleset,
        *,
        fen: str,
        log: list[Heard],
        hidden: str | None = None,
    ) -> "InvisibleGame":
        """A game that lives elsewhere: GAME[1] and u8[1, H] of a batch, with what was said so far.

        `hidden` are the squares of its hidden men at the start; only a record asks for them.
        """
        game = cls.__new__(cls)
        game._adopt(games, history, ruleset, fen, hidden)
        game._log = log
        return game

    def _adopt(self, games: Array, history: Array, ruleset: Ruleset, fen: str, hidden: str | None) -> None:
        self.ruleset = ruleset
        self.start_fen = fen
        self.hidden = hidden
        self._rules = ruleset.record()
        self._games = games
        self._history = history

    def ask(self, action: int | chess.Move | str) -> Announcement:
        """Let the referee judge one try of the side to play; what the mover hears.

        Args:
            action: number, move or UCI text.

        Raises:
            ValueError: the game is over, or the action is none.
        """
        mover = self.to_play
        if mover is None:
            raise ValueError("the game is over; no try can be made")
        judge(self._games[0], self._history[0], self._rules[0], _number(action, mover))
        said = both_hear(self._games[0])
        self._log.append(said)
        heard = said[0] if mover else said[1]
        assert heard is not None  # the mover always hears
        return heard

    def heard(self, colour: bool) -> list[Announcement]:
        """All that the colour heard, the start first."""
        mine = [white if colour else black for white, black in self._log]
        return [announcement for announcement in mine if announcement is not None]

    def log(self) -> list[Heard]:
        """What (White, Black) heard of every answered try, the start left out."""
        return self._log[1:]

    def board(self) -> chess.Board:
        """The referee's board."""
        return to_board(self._truth)

    def hidden_squares(self, colour: bool) -> dict[int, int]:
        """Where the colour's hidden men stand, by number: the referee's own, not for its opponent."""
        ids, seats = self._games[0]["ids"], self._truth["seats"]
        own = chess.SquareSet(int(seats[0 if colour else 1]))
        return {int(ids[s]): s for s in sorted(own, key=lambda s: int(ids[s])) if ids[s]}

    def seen_board(self, colour: bool) -> chess.Board:
        """What the colour sees: all men but the opponent's hidden ones; castling rights are its own."""
        board = self.board()
        for square in self.hidden_squares(not colour).values():
            board.remove_piece_at(square)
        board.castling_rights &= chess.BB_RANK_1 if colour else chess.BB_RANK_8
        passed = int(self.view(colour)["passed"])
        board.ep_square = None if passed < 0 else passed ^ (0 if colour else 56)
        return board

    def mask(self, colour: bool, level: MaskLevel = "informed") -> npt.NDArray[np.int8]:
        """The seat's mask: int8[1859]; zero for a seat that waits or has finished."""
        out = np.zeros(TRIES, np.int8)
        if self.view(colour)["turn"]:
            found = np.zeros(MOST_TRIES, np.int16)
            out[found[: list_tries(self.view(colour), mask_level(level), found)]] = 1
        return out

    def legal(self) -> set[int]:
        """The tries that would be played now."""
        if self.to_play is None:
            return set()
        mirror = 56 * int(self._truth["side"])
        own = np.flatnonzero(self.mask(bool(self.to_play), "own-board"))
        return {
            int(a) for a in own if is_legal(self._truth, int(TRY_FROM[a]) ^ mirror, int(TRY_TO[a]) ^ mirror)
        }


def _number(action: int | chess.Move | str, mover: bool) -> int:
    if isinstance(action, chess.Move):
        return move_to_action(action, mover)
    if isinstance(action, str):
        return text_to_action(action, mover)
    return check_action(action)
