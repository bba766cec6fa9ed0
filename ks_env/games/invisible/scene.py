"""What a picture shows of invisible chess.

A player's scene is made from its view and its announcements: of the opponent's hidden men it holds those
whose squares were told. The referee's marks the hidden men of both sides.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import chess

from ks_env.core.answers import Kind
from ks_env.games.invisible.announcement import Announcement
from ks_env.games.invisible.game import InvisibleGame
from ks_env.games.scene import (
    LegendEntry,
    Mark,
    Scene,
    announcement_line,
    heard_in_full,
    known_move,
    status_of,
    title_of,
)

LEGEND = (
    LegendEntry("dashed", "hidden", "hidden"),
    LegendEntry("whole", "hidden, its square known", "its square known"),
)


@dataclass(frozen=True)
class _Shown:
    """The men of a scene.

    Attributes:
        board: those to draw.
        hidden: hidden men on the board: square to number.
        known: those of their squares that both players know.
        unseen: the opponent's hidden men that stand nobody knows where, such as "bishops 1 2".
    """

    board: chess.Board
    hidden: dict[int, int]
    known: frozenset[int]
    unseen: tuple[str, ...] = ()

    def marks(self) -> tuple[Mark, ...]:
        """The hidden men, marked."""
        words = {True: ", its square known", False: ""}
        return tuple(
            Mark(square, number, square in self.known, f"hidden man {number}{words[square in self.known]}")
            for square, number in self.hidden.items()
        )

    def listed(self) -> str:
        """The hidden men on the board in a line of text."""
        men = []
        for mark in sorted(self.marks()):
            piece = self.board.piece_at(mark.square)
            assert piece is not None, "hidden men are marked where a man is drawn"
            known = " (known)" if mark.whole else ""
            men.append(f"{piece.symbol()}{mark.number} {chess.square_name(mark.square)}{known}")
        return f"Hidden: {', '.join(men) or 'none'}"


def _told(game: InvisibleGame, seat: bool, field: str) -> dict[int, int]:
    """Squares by number from `placed` or `exposed` of a seat's view."""
    mirror = 0 if seat else 56
    return {n: int(square) ^ mirror for n, square in enumerate(game.view(seat)[field]) if n and square >= 0}


def _shown_to(game: InvisibleGame, seat: bool) -> _Shown:
    placed = _told(game, seat, "placed")
    kinds = [int(kind) for kind in game.view(seat)["unseen"]]
    board = game.seen_board(seat)
    for number, square in placed.items():
        board.set_piece_at(square, chess.Piece(kinds[number], not seat))
    own = {square: number for number, square in game.hidden_squares(seat).items()}
    theirs = {square: number for number, square in placed.items()}
    known = frozenset(theirs) | frozenset(_told(game, seat, "exposed").values())
    unseen = {n: kind for n, kind in enumerate(kinds) if kind and n not in placed}
    return _Shown(board, own | theirs, known, _by_kind(unseen))


def _by_kind(unseen: Mapping[int, int]) -> tuple[str, ...]:
    """Numbers of men by kind, in words: "knights 2 6", "queen 4"."""
    words = []
    for kind in sorted(set(unseen.values()), reverse=True):
        numbers = [str(n) for n, other in unseen.items() if other == kind]
        words.append(f"{chess.piece_name(kind)}{'s' if len(numbers) > 1 else ''} {' '.join(numbers)}")
    return tuple(words)


def _shown_to_referee(game: InvisibleGame) -> _Shown:
    hidden = {square: n for seat in chess.COLORS for n, square in game.hidden_squares(seat).items()}
    known = frozenset(s for seat in chess.COLORS for s in _told(game, seat, "exposed").values())
    return _Shown(game.board(), hidden, known)


def scene_of(game: InvisibleGame, seat: bool | None) -> Scene:
    """Gathers what to draw; `seat` is None for the referee."""
    shown = _shown_to_referee(game) if seat is None else _shown_to(game, seat)
    opening, heard = heard_in_full(game, seat)
    ends = [i for i, a in enumerate(heard) if a.kind.ends_turn]
    latest = heard[ends[-1]] if ends else opening
    turn = heard[ends[-1] if ends and latest.kind is Kind.LOST else ends[-1] + 1 if ends else 0 :]
    turns = [heard[i] for i in ends[-2:]]
    king = _king_in_check(shown.board, latest, seat)
    return Scene(
        title=title_of(seat),
        status=status_of(game),
        seat=seat,
        to_play=game.to_play,
        board=shown.board,
        last=_last_move(turns),
        # illegal tries of this turn, and the impossible one that has just lost a turn
        refused=tuple(m for a in turn if a.kind in (Kind.ILLEGAL, Kind.LOST) and (m := known_move(a))),
        captures=tuple(a.square for a in turns if a.square is not None),
        king=king,
        check=_check_squares(game, latest, seat)
        if king is not None and seat is not None
        else chess.SquareSet(),
        lines=tuple(announcement_line(a, seat) for a in [opening, *heard][-4:]),
        marks=shown.marks(),
        marked=shown.listed(),
        empty_words="empty, or out of sight" if shown.unseen else "empty",
        legend=LEGEND,
        note=f"Out of sight: {', '.join(shown.unseen)}" if shown.unseen else "",
    )


def _last_move(turns: Sequence[Announcement]) -> chess.Move | None:
    moves = [chess.Move(a.start, a.end) for a in turns if a.start is not None and a.end is not None]
    return moves[-1] if moves else None


def _king_in_check(board: chess.Board, latest: Announcement, seat: bool | None) -> int | None:
    checked = latest.by if latest.kind is Kind.START else not latest.by
    told = latest.checkers or latest.hidden_checkers
    return board.king(checked) if told and seat in (None, checked) else None


def _check_squares(game: InvisibleGame, latest: Announcement, seat: bool) -> chess.SquareSet:
    """Squares of the men that give check, as far as they are known."""
    placed = _told(game, seat, "placed")
    return chess.SquareSet([*latest.checkers, *(placed[n] for n in latest.hidden_checkers if n in placed)])
