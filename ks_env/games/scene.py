"""What a picture shows of a game, as a value."""

from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple, get_args

import chess
import numpy as np
from numpy.typing import NDArray

from ks_env.core.actions import action_to_move, action_to_text
from ks_env.core.answers import Kind
from ks_env.core.tables import ANY
from ks_env.games.under_way import A, AnyAnnouncement, GameUnderWay
from ks_env.games.words import colour_name, end_words

Viewpoint = Literal["referee", "white", "black"]


class Mark(NamedTuple):
    """A ring and a number around a man.

    Attributes:
        square: where it is drawn.
        number: of the man.
        whole: whether the ring is whole; otherwise it is dashed.
        words: what the mark says of the man.
    """

    square: int
    number: int
    whole: bool
    words: str


class LegendEntry(NamedTuple):
    """What something drawn means.

    Attributes:
        sample: what is drawn.
        words: what it means.
        brief: the same, short, to be read after the entries before it.
    """

    sample: Literal["dashed", "whole", "shade"]
    words: str
    brief: str


@dataclass(frozen=True)
class Scene:
    """One picture's content. Squares are python-chess squares.

    Attributes:
        title: whose view this is.
        status: move number and who is to play, or how the game ended.
        seat: whose view; None for the referee.
        to_play: who is to play; None when the game is over.
        board: the men to draw.
        last: the latest move that this viewpoint knows in full.
        refused: moves refused this turn that this viewpoint knows.
        captures: squares of captures announced in the last turn of either side.
        king: the king in check, if its square is known here.
        check: squares from which that check may come.
        said_tries: squares of pawns announced to have a capture.
        ages: u1[64], opponent turns since this player last had information; None where none are drawn.
        lines: announcements, the newest last.
        ghosts: `ks_env.render.ghosts.Ghosts`: what the seat holds possible of its opponent; `ages` are then
            those of its metaposition.
        marks: rings around men.
        marked: the marked men in a line of text, for pictures that have no rings; may be empty.
        shaded: squares under a shade.
        shade_words: what the shade says of a square.
        empty_words: what is said of any other square without a man; may be empty.
        legend: what the marks and the shade mean.
        note: a line below the legend; may be empty.
    """

    title: str
    status: str
    seat: bool | None
    to_play: bool | None
    board: chess.Board
    last: chess.Move | None
    refused: tuple[chess.Move, ...]
    captures: tuple[int, ...]
    lines: tuple[str, ...]
    king: int | None = None
    check: chess.SquareSet = field(default_factory=chess.SquareSet)
    said_tries: tuple[int, ...] = ()
    ages: NDArray[np.uint8] | None = None
    ghosts: Any = None
    marks: tuple[Mark, ...] = ()
    marked: str = ""
    shaded: chess.SquareSet = field(default_factory=chess.SquareSet)
    shade_words: str = ""
    empty_words: str = "empty"
    legend: tuple[LegendEntry, ...] = ()
    note: str = ""

    @property
    def orientation(self) -> bool:
        """Colour at the bottom of the board."""
        return chess.BLACK if self.seat == chess.BLACK else chess.WHITE


def seat_of(viewpoint: Viewpoint) -> bool | None:
    """The colour whose view it is; None for the referee.

    Raises:
        ValueError: the viewpoint is not "referee", "white" or "black".
    """
    if viewpoint not in get_args(Viewpoint):
        raise ValueError(f"viewpoint is {viewpoint!r}; expected one of {', '.join(get_args(Viewpoint))}")
    return None if viewpoint == "referee" else viewpoint == "white"


def make_scene(game: GameUnderWay[Any], viewpoint: Viewpoint) -> Scene:
    """What a picture shows; of a player's view by what that player knows and heard alone.

    Raises:
        ValueError: the viewpoint is not "referee", "white" or "black".
    """
    return game.definition.scene(game, seat_of(viewpoint))


def title_of(seat: bool | None) -> str:
    """Whose view it is."""
    return "Referee" if seat is None else f"{colour_name(seat)}’s view"


def status_of(game: GameUnderWay[Any]) -> str:
    """Move number and who is to play, or how the game ended."""
    if game.to_play is None:
        return end_words(game.winner, game.reason)
    return f"Move {game.board().fullmove_number} · {colour_name(game.to_play)} to play"


def heard_in_full(game: GameUnderWay[A], seat: bool | None) -> tuple[A, list[A]]:
    """What was heard at the start, and of each try: by a player, or for the referee by who made it."""
    opening, *heard = game.heard(chess.WHITE if seat is None else seat)
    if seat is None:
        heard = [next(a for a in pair if a is not None and a.action is not None) for pair in game.log()]
    return opening, heard


def known_move(heard: AnyAnnouncement) -> chess.Move | None:
    """The move that was tried, if the listener knows it; None also for "any?"."""
    return None if heard.action in (None, ANY) else action_to_move(heard.action, heard.by)


def announcement_line(heard: AnyAnnouncement, seat: bool | None) -> str:
    """One announcement as a line: who tried what, as far as the listener knows, and the referee's words.

    Args:
        seat: who listens; None for the referee.
    """
    if heard.kind is Kind.START:
        return f"Start · {heard.text()}"
    if heard.action is None:
        return _overheard(heard)
    tried = action_to_text(heard.action, heard.by)
    return (
        f"{colour_name(heard.by)} {tried} · {heard.text()}" if seat is None else f"{tried} · {heard.text()}"
    )


def _overheard(heard: AnyAnnouncement) -> str:
    """What a listener hears of the opponent's try."""
    if heard.kind.ends_turn:
        return heard.text()
    asked = heard.kind in (Kind.ANY_YES, Kind.ANY_NO)
    return f"{colour_name(heard.by)} {'asks any?' if asked else 'tries'} · {heard.text()}"
