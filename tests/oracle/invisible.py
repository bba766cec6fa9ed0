"""The referee of invisible chess on python-chess, written from docs/invisible-chess.md."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence

import chess

from tests.oracle import actions
from tests.oracle.invisible_seat import Heard, Men, Seat
from tests.oracle.position import position_key


class InvisibleOracle:
    """One game. `heard[colour]` is all that the player has heard, the start first.

    Args:
        fen: start position.
        white: squares of White's hidden men.
        black: likewise.
        options: `threefold`, `fifty_moves`, `max_tries`, `max_plies`.
    """

    _shaped: set[int] | None = None  # the own-board mask of the side to play, once it was asked for

    def __init__(self, fen: str, white: Sequence[int], black: Sequence[int], **options: int) -> None:
        self.options = {"threefold": 1, "fifty_moves": 1, "max_tries": 256, "max_plies": 1000} | options
        self.board = chess.Board(fen)
        order = {chess.WHITE: sorted(white), chess.BLACK: sorted(black, key=chess.square_mirror)}
        self.number = {square: n for men in order.values() for n, square in enumerate(men, 1)}
        self.plies = self.tries = 0
        self.winner: chess.Color | None = None
        self.reason = ""
        self.seen: Counter[Hashable] = Counter([position_key(self.board)])
        men = {colour: self._men(colour) for colour in chess.COLORS}
        self.seats = {c: Seat(c, self.board, men[c], men[not c]) for c in chess.COLORS}
        self.heard: dict[chess.Color, list[Heard]] = {colour: [] for colour in chess.COLORS}
        start = self._with_checks(Heard("start", self.board.turn), self.board.checkers())
        for colour in chess.COLORS:
            self._tell(colour, start)

    def _men(self, colour: chess.Color) -> Men:
        men = self.board.piece_map().items()
        return {s: (p.piece_type, self.number.get(s, 0)) for s, p in men if p.color == colour}

    def _tell(self, colour: chess.Color, message: Heard) -> None:
        self.heard[colour].append(message)
        self.seats[colour].hear(message)

    def _with_checks(self, message: Heard, squares: chess.SquareSet) -> Heard:
        """As it is told to who does not own the men: hidden ones by number."""
        visible = tuple(s for s in squares if s not in self.number)
        return message._replace(checkers=visible, hidden_checkers=self._numbers(squares))

    def _numbers(self, squares: chess.SquareSet) -> tuple[int, ...]:
        return tuple(sorted(self.number[s] for s in squares if s in self.number))

    def legal(self) -> set[int]:
        """The actions that would be played."""
        if self.reason:
            return set()
        return {actions.number_of(move, self.board.turn) for move in self.board.legal_moves}

    def shaped(self) -> set[int]:
        """The own-board mask of the side to play."""
        if self._shaped is None:
            self._shaped = self.seats[self.board.turn].own_board()
        return self._shaped

    def ask(self, action: int) -> Heard:
        """Judge one try of the side to play; what he hears."""
        mover = self.board.turn
        if action in self.seats[mover].refused or action not in self.shaped():
            return self._refuse(Heard("nonsense", mover, action))
        move = self._move(action)
        if self.board.is_legal(move):
            return self._play(action, move)
        why, attackers = self._cause(move)
        if why != "check" and not self.board.is_check():
            return self._lose(action)
        return self._refuse(self._with_checks(Heard("illegal", mover, action, why=why), attackers))

    def would_hear(self, action: int) -> tuple[Heard, Heard | None]:
        """What both players would hear of a try, the mover first; nothing is said, and no limit is heeded."""
        board, mover = self.board, self.board.turn
        if action in self.seats[mover].refused or action not in self.shaped():
            return Heard("nonsense", mover, action), None
        move = self._move(action)
        if not board.is_legal(move):
            why, attackers = self._cause(move)
            if why == "check" or board.is_check():
                return self._with_checks(Heard("illegal", mover, action, why=why), attackers), None
            return Heard("lost", mover, action), Heard("lost", mover)
        full, number = self._describe(action, move), self.number
        self.board, self.number = board.copy(stack=False), dict(number)
        try:
            return self._pushed(full, move)
        finally:
            self.board, self.number = board, number

    def _move(self, action: int) -> chess.Move:
        source, target, kind = actions.STEPS[action]
        start, end = (actions.seat_square(square, self.board.turn) for square in (source, target))
        if kind is None and target >= 56 and self.board.piece_type_at(start) == chess.PAWN:
            kind = chess.QUEEN
        return chess.Move(start, end, kind)

    def _cause(self, move: chess.Move) -> tuple[str, chess.SquareSet]:
        """Why the move is not legal, and the men that attack the king where the cause is check."""
        board, nobody = self.board, chess.SquareSet()
        if board.is_castling(move):
            corner = chess.square(7 if move.to_square > move.from_square else 0, move.from_square // 8)
            if any(board.piece_at(s) for s in chess.SquareSet.between(move.from_square, corner)):
                return "blocked", nobody
            return "check", self._attackers_on_the_way(move)
        if board.is_pseudo_legal(move):
            after = board.copy(stack=False)
            after.push(move)
            king = after.king(board.turn)
            assert king is not None
            return "check", after.attackers(not board.turn, king)
        pawn = board.piece_type_at(move.from_square) == chess.PAWN
        return ("nothing" if pawn and (move.from_square - move.to_square) % 8 else "blocked"), nobody

    def _attackers_on_the_way(self, move: chess.Move) -> chess.SquareSet:
        """Who attacks the king where it stands, passes and arrives."""
        found = chess.SquareSet()
        for square in {move.from_square, (move.from_square + move.to_square) // 2, move.to_square}:
            board = self.board.copy(stack=False)
            board.remove_piece_at(move.from_square)
            board.set_piece_at(square, chess.Piece(chess.KING, board.turn))
            found |= board.attackers(not board.turn, square)
        return found

    def _refuse(self, message: Heard) -> Heard:
        """The opponent hears nothing, unless the limit on tries ends the game."""
        self.tries += 1
        if self.tries >= self.options["max_tries"]:
            self.winner, self.reason = not message.by, "tries"
            message = message._replace(winner=self.winner, reason=self.reason)
            self._tell(not message.by, Heard("illegal", message.by, winner=self.winner, reason=self.reason))
        self._tell(message.by, message)
        return message

    def _lose(self, action: int) -> Heard:
        mover = self.board.turn
        self.board.push(chess.Move.null())
        self._end_turn()
        message = Heard("lost", mover, winner=self.winner, reason=self.reason)
        self._tell(not mover, message)
        self._tell(mover, message._replace(action=action))
        return message._replace(action=action)

    def _play(self, action: int, move: chess.Move) -> Heard:
        mover = self.board.turn
        full = self._describe(action, move)
        if self.board.is_zeroing(move):
            self.seen = Counter()
        mine, theirs = self._pushed(full, move)
        self._end_turn()
        mine, theirs = (each._replace(winner=self.winner, reason=self.reason) for each in (mine, theirs))
        self._tell(mover, mine)
        self._tell(not mover, theirs)
        return mine

    def _pushed(self, full: Heard, move: chess.Move) -> tuple[Heard, Heard]:
        """Make a move on the board, the numbers going with their men; what both players hear."""
        if full.square is not None:
            self.number.pop(full.square, None)
        self._renumber(move.from_square, move.to_square)
        if full.castled:
            row = 0 if self.board.turn else 56
            self._renumber(*((row + 7, row + 5) if full.castled == "king side" else (row, row + 3)))
        self.board.push(move)
        checkers = self.board.checkers()
        theirs = self._with_checks(full._replace(action=None), checkers)
        if full.mover:
            theirs = theirs._replace(start=None, end=None)
        return full._replace(checkers=tuple(checkers), hidden_checkers=self._numbers(checkers)), theirs

    def _renumber(self, start: int, end: int) -> None:
        if start in self.number:
            self.number[end] = self.number.pop(start)

    def _describe(self, action: int, move: chess.Move) -> Heard:
        board, start, end = self.board, move.from_square, move.to_square
        message = Heard("moved", board.turn, action, start, end, board.piece_type_at(start))
        message = message._replace(mover=self.number.get(start, 0), promoted=move.promotion)
        if board.is_castling(move):
            corner = chess.square(7 if end > start else 0, start // 8)
            side = "king side" if end > start else "queen side"
            return message._replace(castled=side, rook=self.number.get(corner, 0))
        if not board.is_capture(move):
            return message
        square = chess.square(end % 8, start // 8) if board.is_en_passant(move) else end
        return message._replace(
            captured=board.piece_type_at(square), taken=self.number.get(square, 0), square=square, landing=end
        )

    def _end_turn(self) -> None:
        self.plies += 1
        self.tries = 0
        self._shaped = None
        self.seen[position_key(self.board)] += 1
        self.board.clear_stack()
        self.winner, self.reason = self._end()

    def _end(self) -> tuple[chess.Color | None, str]:
        board = self.board
        if not any(board.legal_moves):
            return (not board.turn, "checkmate") if board.is_check() else (None, "stalemate")
        if board.is_insufficient_material():
            return None, "material"
        if self.options["threefold"] and self.seen[position_key(board)] >= 3:
            return None, "repetition"
        if self.options["fifty_moves"] and board.halfmove_clock >= 100:
            return None, "fifty moves"
        return None, "plies" if self.plies >= self.options["max_plies"] else ""
