"""The referee on python-chess: judges tries, says what each player hears, ends the game."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable
from dataclasses import replace

import chess

from tests.oracle import actions
from tests.oracle.rules import RULES, Rules
from tests.oracle.seat import CHECK_WORDS, Heard, Seat, is_pawn_capture


class OracleStartError(ValueError):
    """The start position is not one that a game can begin from."""


def position_key(board: chess.Board) -> Hashable:
    """What makes two positions the same for repetition."""
    ep_square = board.ep_square if board.has_legal_en_passant() else None
    men = (board.pawns, board.knights, board.bishops, board.rooks, board.queens, board.kings)
    return (men, *board.occupied_co, board.turn, board.clean_castling_rights(), ep_square)


def check_word(king: int, checker: int, man: chess.PieceType) -> str:
    """The word for one check, as seen from the checked king."""
    if man == chess.KNIGHT:
        return "knight"
    if king // 8 == checker // 8:
        return "rank"
    if king % 8 == checker % 8:
        return "file"
    rising = king % 8 - king // 8 == checker % 8 - checker // 8
    rising_length = 8 - abs(king % 8 - king // 8)
    falling_length = 8 - abs(king % 8 + king // 8 - 7)
    assert rising_length != falling_length
    return "long diagonal" if rising == (rising_length > falling_length) else "short diagonal"


class OracleGame:
    """One game under one ruleset. Colours and squares are python-chess's.

    `heard[colour]` is all that the player has heard, the start first. `reason` is "" while the game goes on.
    """

    def __init__(self, rules: Rules | str, fen: str = chess.STARTING_FEN, **options: bool | int) -> None:
        base = RULES[rules] if isinstance(rules, str) else rules
        self.rules: Rules = replace(base, **options) if options else base  # type: ignore[arg-type]
        self.start_fen = fen
        self.board = chess.Board(fen)
        self.plies = 0
        self.tries_this_turn = 0
        self.asked = False
        self.obliged = False
        self.winner: chess.Color | None = None
        self.reason = ""
        self.seen: Counter[Hashable] = Counter()
        self._survey()
        if self._end_of_position()[1]:
            raise OracleStartError(f"the game is over at the start: {fen}")
        self.heard: dict[chess.Color, list[Heard]] = {chess.WHITE: [], chess.BLACK: []}
        self.seats = {colour: Seat(self.rules, colour, self.board) for colour in chess.COLORS}
        start = self._describe_turn(Heard("start", self.board.turn))
        for colour in chess.COLORS:
            self._tell(colour, start)

    def copy(self) -> OracleGame:
        """An independent game in the same state, histories included."""
        twin = object.__new__(OracleGame)
        twin.__dict__.update(self.__dict__)
        twin.board = self.board.copy(stack=False)
        twin.seen = Counter(self.seen)
        twin.heard = {colour: list(messages) for colour, messages in self.heard.items()}
        twin.seats = {colour: seat.copy() for colour, seat in self.seats.items()}
        return twin

    @property
    def to_play(self) -> chess.Color | None:
        return None if self.reason else self.board.turn

    def legal(self) -> set[int]:
        """Actions that would be accepted now; under an obligation pawn captures alone."""
        if self.reason:
            return set()
        return set(self.pawn_captures) if self.obliged else set(self.moves)

    def ask(self, action: int) -> tuple[Heard, Heard | None]:
        """Judge one try of the side to play: what he hears, and what the other hears (None: nothing)."""
        if self.reason:
            raise ValueError(f"the game is over: {self.reason}")
        if not 0 <= action < actions.COUNT:
            raise ValueError(f"no such action: {action}")
        if self._is_hopeless(action):
            return self._answer(self.rules.hopeless_word, action, self.rules.hopeless_public)
        if action == actions.ANY:
            self.asked = True
            self.obliged = bool(self.pawn_captures)
            return self._answer("any yes" if self.obliged else "any no", action, True)
        if action not in self.moves:
            if self.rules.any == "one try":
                self.obliged = False
            return self._answer("illegal", action, self.rules.illegal_public)
        return self._accept(action)

    # -- answers that leave the turn -------------------------------------------------------------------------

    def _is_hopeless(self, action: int) -> bool:
        seat = self.seats[self.board.turn]
        if action == actions.ANY:
            return self.rules.any == "never" or self.asked
        shape = seat.shapes().get(action)
        if shape is None or action in seat.refused:
            return True
        return self.rules.unannounced_capture_hopeless and not self.pawn_captures and is_pawn_capture(shape)

    def _answer(self, kind: str, action: int, public: bool) -> tuple[Heard, Heard | None]:
        mover = self.board.turn
        self.tries_this_turn += 1
        mine = Heard(kind, mover, action)
        if self.tries_this_turn >= self.rules.max_tries:
            self.winner, self.reason = not mover, "tries"
            mine = mine._replace(winner=self.winner, reason=self.reason)
        theirs = mine._replace(action=None) if public else None
        if theirs is None and self.reason:
            theirs = Heard("illegal", mover, winner=self.winner, reason=self.reason)
        return self._say(mine, theirs)

    def _say(self, mine: Heard, theirs: Heard | None) -> tuple[Heard, Heard | None]:
        self._tell(mine.by, mine)
        if theirs is not None:
            self._tell(not mine.by, theirs)
        return mine, theirs

    def _tell(self, colour: chess.Color, message: Heard) -> None:
        self.heard[colour].append(message)
        self.seats[colour].hear(message)

    # -- accepted moves --------------------------------------------------------------------------------------

    def _accept(self, action: int) -> tuple[Heard, Heard]:
        board, mover, move = self.board, self.board.turn, self.moves[action]
        message = self._describe_capture(Heard("moved", mover), move)
        message = message._replace(promotion=self.rules.promotion_said and move.promotion is not None)
        if board.is_zeroing(move):
            self.seen = Counter()
        board.push(move)
        board.clear_stack()
        self.plies += 1
        self.tries_this_turn = 0
        self.asked = self.obliged = False
        self._survey()
        self.winner, self.reason = self._end_of_game()
        message = self._describe_turn(message)._replace(winner=self.winner, reason=self.reason)
        self._say(message._replace(action=action), message)
        return message._replace(action=action), message

    def _describe_capture(self, message: Heard, move: chess.Move) -> Heard:
        board = self.board
        if board.is_en_passant(move):
            victim = chess.square(chess.square_file(move.to_square), chess.square_rank(move.from_square))
            square = move.to_square if self.rules.en_passant_named else victim
            kind = "pawn" if self.rules.kind_said else "man"
            return message._replace(captured=kind, square=square, en_passant=self.rules.en_passant_named)
        if not board.is_capture(move):
            return message
        kind = "pawn" if board.piece_type_at(move.to_square) == chess.PAWN else "piece"
        return message._replace(captured=kind if self.rules.kind_said else "man", square=move.to_square)

    def _describe_turn(self, message: Heard) -> Heard:
        """Add the checks on the side now to move and its pawn tries."""
        tries: int | None = None
        if self.rules.tries == "number":
            tries = len({(m.from_square, m.to_square) for m in self.pawn_captures.values()})
        elif self.rules.tries == "yes or no":
            tries = int(bool(self.pawn_captures))
        squares: tuple[int, ...] = ()
        if self.rules.tries == "squares":
            squares = tuple(sorted({move.from_square for move in self.pawn_captures.values()}))
        return message._replace(checks=self.checks, tries=tries, try_squares=squares)

    def _survey(self) -> None:
        """Legal moves, pawn captures, checks and the count of repetitions of the position on the board."""
        board = self.board
        self.moves = {actions.number_of(move, board.turn): move for move in board.generate_legal_moves()}
        self.pawn_captures = {
            action: move
            for action, move in self.moves.items()
            if board.pawns & chess.BB_SQUARES[move.from_square]
            and chess.square_file(move.from_square) != chess.square_file(move.to_square)
        }
        self.checks = self._check_words()
        key = position_key(board)
        self.seen[key] += 1
        self.times_seen = self.seen[key]

    def _check_words(self) -> tuple[str, ...]:
        board = self.board
        king = board.king(board.turn)
        if king is None:
            raise OracleStartError(f"no king for the side to move: {self.start_fen}")
        words = []
        for square in chess.SquareSet(board.checkers_mask()):
            man = board.piece_type_at(square)
            assert man is not None
            words.append(check_word(king, square, man))
        return tuple(sorted(words, key=CHECK_WORDS.index))

    # -- ends ------------------------------------------------------------------------------------------------

    def _end_of_position(self) -> tuple[chess.Color | None, str]:
        board = self.board
        if not self.moves:
            if self.checks:
                return not board.turn, "checkmate"
            return (not board.turn if self.rules.stalemate_loses else None), "stalemate"
        if board.is_insufficient_material():
            return None, "material"
        return None, ""

    def _end_of_game(self) -> tuple[chess.Color | None, str]:
        winner, reason = self._end_of_position()
        if reason:
            return winner, reason
        if self.rules.threefold and self.times_seen >= 3:
            return None, "repetition"
        if self.rules.fifty_moves and self.board.halfmove_clock >= 100:
            return None, "fifty moves"
        return None, "plies" if self.plies >= self.rules.max_plies else ""
