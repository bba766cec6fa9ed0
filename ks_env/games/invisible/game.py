"""One game of invisible chess, in chess moves and words."""

from typing import Self

import chess

from ks_env.core.answers import Kind
from ks_env.core.ruleset import Ruleset
from ks_env.core.start import parse_fen
from ks_env.games.invisible.announcement import Announcement, announce
from ks_env.games.invisible.hidden import HiddenMen, all_choices, both_texts, choice_text, parse_both
from ks_env.games.invisible.start import hidden_men_of, start_row
from ks_env.games.under_way import GameUnderWay, Row

INVISIBLE = Ruleset("invisible", says_nonsense=True)


class InvisibleGame(GameUnderWay[Announcement]):
    """One game of invisible chess under a referee; see `GameUnderWay`.

    Args:
        hidden: the hidden men, `"2B v 1R"`, or White's and Black's.
        ruleset: its draws and limits; what Kriegspiel's referee says has no part here.
        fen: start position.
        choice: where the hidden men are not fixed, which choice of them; an environment draws it.

    Attributes:
        hidden: the hidden men of this game by their squares at the start, such as `"c1 f1 v a8"`.
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
        self.hidden = choice_text(*choices[choice])
        row = start_row(fen, *choices[choice])
        row["truth"]["start"] = choice
        row["views"]["start"] = choice
        self._begin(row, ruleset, fen)

    def _adopted(self, start: Row, hidden_start: bool) -> None:
        self.hidden = hidden_men_of(start)

    @classmethod
    def for_match(
        cls, fen: str, ruleset: Ruleset, *, hidden_start: bool, men: tuple[str, str], draws: tuple[int, int]
    ) -> Self:
        """See `GameUnderWay.for_match`; where several choices of men fit, `draws` choose."""
        white, black = (HiddenMen.parse(text) for text in men)
        board = chess.Board(fen)
        fitting = max(1, white.count(board, chess.WHITE)), max(1, black.count(board, chess.BLACK))
        choice = draws[0] % fitting[0] * fitting[1] + draws[1] % fitting[1]
        return cls((white, black), ruleset, fen, choice=choice)

    @staticmethod
    def hears(game: Row, ruleset: Ruleset, colour: bool) -> Announcement | None:
        """See `GameUnderWay.hears`."""
        said = game["said"]
        full = said["kind"] != Kind.START and bool(said["seat"] == 0) == colour
        return announce(said if full else game["heard"], colour)

    @staticmethod
    def has_spoken(game: Row, ruleset: Ruleset) -> bool:
        """See `GameUnderWay.has_spoken`."""
        said = game["said"]
        return bool(said["captured"] or said["checkers"] or said["kind"] == Kind.LOST)

    @property
    def men(self) -> tuple[str, str]:
        """See `GameUnderWay.men`."""
        return both_texts(self.hidden)

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
