"""One game put to the compiled referee and to the oracle at once, compared after every answer."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterable
from typing import Any, Final

import chess
import numpy as np

from ks_env.core.answers import Kind, Reason
from ks_env.core.ruleset import RULESETS
from ks_env.games.kriegspiel.announcement import Announcement
from ks_env.games.kriegspiel.game import Game
from tests.oracle import RULES, Heard, OracleGame, actions

KINDS: Final = {
    Kind.START: "start",
    Kind.ILLEGAL: "illegal",
    Kind.NONSENSE: "nonsense",
    Kind.MOVED: "moved",
    Kind.ANY_YES: "any yes",
    Kind.ANY_NO: "any no",
}
REASONS: Final = {
    Reason.NONE: "",
    Reason.CHECKMATE: "checkmate",
    Reason.STALEMATE: "stalemate",
    Reason.MATERIAL: "material",
    Reason.REPETITION: "repetition",
    Reason.FIFTY_MOVES: "fifty moves",
    Reason.TRIES: "tries",
    Reason.PLIES: "plies",
}

Options = dict[str, bool | int]


def as_heard(announcement: Announcement) -> Heard:
    """An announcement of the compiled referee in the oracle's words, field by field."""
    return Heard(
        KINDS[announcement.kind],
        announcement.by,
        announcement.action,
        announcement.captured,
        announcement.square,
        announcement.en_passant,
        announcement.checks,
        announcement.tries,
        announcement.try_squares,
        announcement.promotion,
        announcement.winner,
        REASONS[announcement.reason],
    )


class RefereesDifferError(AssertionError):
    """The two referees disagree; the message is a transcript that plays the game again."""


def new_games(ruleset: str, fen: str, options: Options) -> tuple[Game, OracleGame]:
    """The same game for both referees; `options` are fields that `Ruleset` and `Rules` have in common."""
    ours = Game(dataclasses.replace(RULESETS[ruleset], **options), fen)  # type: ignore[arg-type]
    return ours, OracleGame(RULES[ruleset], fen, **options)


class Duel:
    """A game before both referees.

    `ask` compares the answer; `compare_decision` what the side to play may try; `compare_all` all the rest.
    """

    def __init__(self, ruleset: str, fen: str, options: Options | None = None) -> None:
        self.ruleset, self.fen, self.options = ruleset, fen, options or {}
        self.asked: list[int] = []
        self.compared = dict.fromkeys(chess.COLORS, 0)  # messages that were found the same
        self.ours, self.oracle = new_games(ruleset, fen, self.options)

    def ask(self, action: int) -> Heard:
        """Put one try to both, compare what the mover hears, whose turn it is and the result."""
        self.asked.append(action)
        mine, _ = self.oracle.ask(action)
        self._same("what the mover hears", as_heard(self.ours.ask(action)), mine)
        self._same("side to play", self.ours.to_play, self.oracle.to_play)
        self._same("winner", self.ours.winner, self.oracle.winner)
        self._same("reason", REASONS[self.ours.reason], self.oracle.reason)
        return mine

    def compare_decision(self) -> None:
        """Legal tries and both masks of the side to play, and that each contains the one before."""
        turn = self.oracle.board.turn
        seat = self.oracle.seats[turn]
        legal, informed, own = self.oracle.legal(), seat.informed(), seat.own_board()
        self._same("legal tries", self.ours.legal() - {actions.ANY}, legal)
        self._same_mask("informed mask", self.ours.mask(turn, "informed"), informed)
        self._same_mask("own-board mask", self.ours.mask(turn, "own-board"), own)
        if not legal <= informed <= own:
            self._fail(f"masks do not contain each other: {legal - informed} and {informed - own}")

    def compare_all(self) -> None:
        """All that both players have heard, the board and the own boards, counters."""
        ours, oracle = self.ours, self.oracle
        for colour in chess.COLORS:
            name = chess.COLOR_NAMES[colour]
            heard, expected = ours.heard(colour), oracle.heard[colour]
            for number in range(self.compared[colour], min(len(heard), len(expected))):
                self._same(f"message {number} that {name} heard", as_heard(heard[number]), expected[number])
            self._same(f"number of messages that {name} heard", len(heard), len(expected))
            self.compared[colour] = len(heard)
        self.compare_boards()

    def compare_boards(self) -> None:
        """The board, the own boards and counters."""
        ours, oracle = self.ours, self.oracle
        for colour in chess.COLORS:
            name = chess.COLOR_NAMES[colour]
            men = {s: p for s, p in oracle.board.piece_map().items() if p.color == colour}
            self._same(f"own board of {name}", ours.own_board(colour).piece_map(), men)
            told = {actions.seat_square(s, colour): m for s, m in oracle.seats[colour].men.items()}
            self._same(f"men {name} knows of", told, {s: p.piece_type for s, p in men.items()})
        self._same("board", ours.board().fen(), oracle.board.fen())
        self._same("plies", ours.plies, oracle.plies)
        if not oracle.reason:
            self._same("tries this turn", int(ours.row()["truth"]["answered"]), oracle.tries_this_turn)

    def _same_mask(self, what: str, mask: np.ndarray[Any, Any], expected: set[int]) -> None:
        found = np.flatnonzero(mask).tolist()
        if len(found) != len(expected) or not expected.issuperset(found):
            self._same(what, set(found), expected)

    def _same(self, what: str, found: object, expected: object) -> None:
        if found == expected:
            return
        if isinstance(found, set) and isinstance(expected, set):
            turn = self.oracle.board.turn
            extra, missing = found - expected, expected - found
            self._fail(f"{what}: too many {_texts(extra, turn)}, missing {_texts(missing, turn)}")
        self._fail(f"{what}:\n  ks_env  {found}\n  oracle  {expected}")

    def _fail(self, what: str) -> None:
        raise RefereesDifferError(f"{what}\n{self.transcript()}")

    def transcript(self) -> str:
        """Everything needed to play the game again, and the tries in words."""
        recipe = {"ruleset": self.ruleset, "fen": self.fen, "options": self.options, "actions": self.asked}
        lines = [json.dumps(recipe)]
        try:
            game = OracleGame(RULES[self.ruleset], self.fen, **self.options)
            for action in self.asked:
                turn, plies = game.board.turn, game.plies
                mine, theirs = game.ask(action)
                lines.append(
                    f"{chess.COLOR_NAMES[turn]:5} {actions.uci(action, turn, False):5} {mine}"
                    + ("" if theirs else "   (unheard)")
                )
                if game.plies > plies:
                    lines.append(f"      {game.board.fen()}")
        except (ValueError, AssertionError) as error:
            lines.append(f"the oracle stops: {error!r}")
        return "\n".join(lines)


def _texts(found: Iterable[int], colour: chess.Color) -> list[str]:
    return sorted(actions.uci(action, colour, False) for action in found)


def replay(recipe: dict[str, Any]) -> Duel:
    """Play a transcript's first line again, comparing everything after every try."""
    duel = Duel(recipe["ruleset"], recipe["fen"], recipe["options"])
    for action in recipe["actions"]:
        duel.compare_decision()
        duel.compare_all()
        duel.ask(action)
    duel.compare_all()
    return duel
