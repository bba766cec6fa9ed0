"""The referee on python-chess: judges tries, says what each player hears, ends the game."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import replace
from functools import cached_property
from typing import NamedTuple

import chess

from tests.oracle import actions
from tests.oracle.position import OracleStartError, Survey, is_pawn_capture
from tests.oracle.rules import RULES, Rules
from tests.oracle.seat import Heard, Seat


class Judged(NamedTuple):
    """The answer to a try that has not been made: what each player would hear, and the position after."""

    mine: Heard
    theirs: Heard | None
    after: Survey | None = None  # None: the turn goes on
    seen: int = 0  # how often that position would have occurred
    zeroing: bool = False


def _pushed(board: chess.Board, move: chess.Move) -> chess.Board:
    """The board after a move; itself it stays as it is, and neither has a history."""
    after = object.__new__(chess.Board)
    after.__dict__.update(board.__dict__)
    after.occupied_co = list(board.occupied_co)
    after.move_stack, after._stack = [], []
    after.push(move)
    after.clear_stack()
    return after


class OracleGame:
    """One game under one ruleset. Colours and squares are python-chess's.

    `heard[colour]` is all that the player has heard, the start first. `reason` is "" while the game goes on.
    """

    def __init__(self, rules: Rules | str, fen: str = chess.STARTING_FEN, **options: bool | int) -> None:
        base = RULES[rules] if isinstance(rules, str) else rules
        self.rules: Rules = replace(base, **options) if options else base  # type: ignore[arg-type]
        self.start_fen = fen
        self.plies = 0
        self.tries_this_turn = 0
        self.asked = False
        self.obliged = False
        self.winner: chess.Color | None = None
        self.reason = ""
        board = chess.Board(fen)
        self._take(Survey(board))
        self.seen: dict[Hashable, int] = {self.survey.key: 1}
        self.times_seen = 1
        if self._end_of_position(self.survey)[1]:
            raise OracleStartError(f"the game is over at the start: {fen}")
        self.heard: dict[chess.Color, list[Heard]] = {chess.WHITE: [], chess.BLACK: []}
        self.seats = {colour: Seat(self.rules, colour, board) for colour in chess.COLORS}
        start = self.describe_turn(Heard("start", board.turn), self.survey)
        for colour in chess.COLORS:
            self._tell(colour, start)

    def copy(self) -> OracleGame:
        """An independent game in the same state, histories included."""
        twin = object.__new__(OracleGame)
        twin.__dict__.update(self.__dict__)
        twin.seen = dict(self.seen)
        twin._judged = dict(self._judged)
        twin.heard = {colour: list(messages) for colour, messages in self.heard.items()}
        twin.seats = {colour: seat.copy() for colour, seat in self.seats.items()}
        return twin

    def _take(self, survey: Survey) -> None:
        self.survey, self.board = survey, survey.board
        self._judged: dict[int, Judged] = {}  # accepted moves of this position that were judged
        self.__dict__.pop("moves", None)

    @property
    def to_play(self) -> chess.Color | None:
        return None if self.reason else self.board.turn

    @property
    def checks(self) -> tuple[str, ...]:
        return self.survey.checks

    @cached_property
    def moves(self) -> dict[int, chess.Move]:
        """The legal moves by action, as python-chess lists them."""
        return {actions.number_of(m, self.board.turn): m for m in self.board.generate_legal_moves()}

    @property
    def pawn_captures(self) -> dict[int, chess.Move]:
        """Those of `moves` that are pawn captures."""
        return {action: move for action, move in self.moves.items() if is_pawn_capture(self.board, move)}

    def legal_bits(self) -> int:
        """Actions that would be accepted now, as bits; under an obligation pawn captures alone."""
        if self.reason:
            return 0
        return self.survey.captures if self.obliged else self.survey.legal

    def legal(self) -> set[int]:
        """The same as a set."""
        return set(actions.members(self.legal_bits()))

    def ask(self, action: int) -> tuple[Heard, Heard | None]:
        """Judge one try of the side to play: what he hears, and what the other hears (None: nothing)."""
        judged = self.judge(action)
        mine, theirs, after, seen, zeroing = judged
        self.winner, self.reason = mine.winner, mine.reason
        if after is None:
            self.tries_this_turn += 1
            if mine.kind in ("any yes", "any no"):
                self.asked, self.obliged = True, mine.kind == "any yes"
            elif self.rules.any == "one try" and not self._is_hopeless(action):
                self.obliged = False
        else:
            self.plies += 1
            self.tries_this_turn = 0
            self.asked = self.obliged = False
            if zeroing:
                self.seen = {}
            self.seen[after.key] = self.times_seen = seen
            self._take(after)
        self._tell(mine.by, mine)
        if theirs is not None:
            self._tell(not mine.by, theirs)
        return mine, theirs

    def judge(self, action: int) -> Judged:
        """What `ask` would answer; nothing is said, and the game stays as it is."""
        if self.reason:
            raise ValueError(f"the game is over: {self.reason}")
        if not 0 <= action < actions.COUNT:
            raise ValueError(f"no such action: {action}")
        if self._is_hopeless(action):
            return self._answer(self.rules.hopeless_word, action, self.rules.hopeless_public)
        if action == actions.ANY:
            return self._answer("any yes" if self.survey.captures else "any no", action, True)
        if not self.survey.legal >> action & 1:
            return self._answer("illegal", action, self.rules.illegal_public)
        found = self._judged.get(action)
        if found is None:
            found = self._judged[action] = self._accept(action)
        return found

    # -- answers that leave the turn -------------------------------------------------------------------------

    def _is_hopeless(self, action: int) -> bool:
        seat = self.seats[self.board.turn]
        if action == actions.ANY:
            return self.rules.any == "never" or self.asked
        if action in seat.refused or not seat.own_board_bits() >> action & 1:
            return True
        if not self.rules.unannounced_capture_hopeless or self.survey.captures:
            return False
        return bool(seat.pawn_capture_bits() >> action & 1)

    def _answer(self, kind: str, action: int, public: bool) -> Judged:
        mover, winner, reason = self.board.turn, None, ""
        if self.tries_this_turn + 1 >= self.rules.max_tries:
            winner, reason = not mover, "tries"
        mine = Heard(kind, mover, action, winner=winner, reason=reason)
        theirs = None
        if public:
            theirs = Heard(kind, mover, winner=winner, reason=reason)
        elif reason:
            theirs = Heard("illegal", mover, winner=winner, reason=reason)
        return Judged(mine, theirs)

    def _tell(self, colour: chess.Color, message: Heard) -> None:
        self.heard[colour].append(message)
        self.seats[colour].hear(message)

    # -- accepted moves --------------------------------------------------------------------------------------

    def move_of(self, action: int) -> chess.Move:
        """The move of an action that is legal."""
        source, target, kind = actions.STEPS[action]
        turn = self.board.turn
        start, end = actions.seat_square(source, turn), actions.seat_square(target, turn)
        if kind is None and target >= 56 and self.board.pawns >> start & 1:
            kind = chess.QUEEN
        return chess.Move(start, end, kind)

    def _accept(self, action: int) -> Judged:
        board, mover, move = self.board, self.board.turn, self.move_of(action)
        captured, square, en_passant = self._captured(move)
        promotion = self.rules.promotion_said and move.promotion is not None
        zeroing = board.is_zeroing(move)
        after = Survey(_pushed(board, move))
        seen = 1 if zeroing else self.seen.get(after.key, 0) + 1
        winner, reason = self._end_of_game(after, seen)
        turn = self._said_of_turn(after)
        rest = captured, square, en_passant, *turn, promotion, winner, reason
        return Judged(
            Heard("moved", mover, action, *rest), Heard("moved", mover, None, *rest), after, seen, zeroing
        )

    def _captured(self, move: chess.Move) -> tuple[str | None, int | None, bool]:
        """What is said of a capture: the kind of man, the square, and whether it is named en passant."""
        board = self.board
        if board.occupied_co[not board.turn] >> move.to_square & 1:
            kind = "pawn" if board.pawns >> move.to_square & 1 else "piece"
            return kind if self.rules.kind_said else "man", move.to_square, False
        if not board.is_en_passant(move):
            return None, None, False
        victim = chess.square(chess.square_file(move.to_square), chess.square_rank(move.from_square))
        square = move.to_square if self.rules.en_passant_named else victim
        return "pawn" if self.rules.kind_said else "man", square, self.rules.en_passant_named

    def describe_turn(self, message: Heard, survey: Survey) -> Heard:
        """Add the checks on the side now to move and its pawn tries."""
        checks, tries, squares = self._said_of_turn(survey)
        return message._replace(checks=checks, tries=tries, try_squares=squares)

    def _said_of_turn(self, survey: Survey) -> tuple[tuple[str, ...], int | None, tuple[int, ...]]:
        tries: int | None = None
        if self.rules.tries == "number":
            tries = survey.capture_count
        elif self.rules.tries == "yes or no":
            tries = int(survey.capture_count > 0)
        return survey.checks, tries, survey.capture_squares if self.rules.tries == "squares" else ()

    # -- ends ------------------------------------------------------------------------------------------------

    def _end_of_position(self, survey: Survey) -> tuple[chess.Color | None, str]:
        board = survey.board
        if not survey.legal:
            if survey.checks:
                return not board.turn, "checkmate"
            return (not board.turn if self.rules.stalemate_loses else None), "stalemate"
        if not (board.pawns or board.rooks or board.queens) and board.is_insufficient_material():
            return None, "material"
        return None, ""

    def _end_of_game(self, survey: Survey, times_seen: int) -> tuple[chess.Color | None, str]:
        winner, reason = self._end_of_position(survey)
        if reason:
            return winner, reason
        if self.rules.threefold and times_seen >= 3:
            return None, "repetition"
        if self.rules.fifty_moves and survey.board.halfmove_clock >= 100:
            return None, "fifty moves"
        return None, "plies" if self.plies + 1 >= self.rules.max_plies else ""
