"""The rules of dark chess for people: python-chess's board without check."""

from collections.abc import Iterator

import chess


class DarkBoard(chess.Board):
    """A board on which every pseudo-legal move is legal, and kings are captured like other men."""

    def checkers_mask(self) -> chess.Bitboard:
        """Nothing gives check."""
        return chess.BB_EMPTY

    def is_into_check(self, move: chess.Move) -> bool:
        """Never."""
        return False

    def was_into_check(self) -> bool:
        """Never."""
        return False

    def _attacked_for_king(self, path: chess.Bitboard, occupied: chess.Bitboard) -> bool:
        return False

    def is_legal(self, move: chess.Move) -> bool:
        """Whether the move is pseudo-legal."""
        return self.is_pseudo_legal(move)

    def generate_legal_moves(
        self, from_mask: chess.Bitboard = chess.BB_ALL, to_mask: chess.Bitboard = chess.BB_ALL
    ) -> Iterator[chess.Move]:
        """All pseudo-legal moves."""
        return self.generate_pseudo_legal_moves(from_mask, to_mask)

    def has_insufficient_material(self, color: chess.Color) -> bool:
        """Never: a king can capture a king."""
        return False
