"""Pictures as SVG: python-chess draws the board, this adds what was announced, the ages and the text.

::

    +--------------------------------+
    | o White's view      Move 12 ..  |  header
    | +----------------------------+ |
    | |        the board           | |  own men, ages, captures, checks, refused tries
    | +----------------------------+ |
    | [ 0 ... 30+ ] opponent turns   |  scale of the ages, the legend, the key of the marks
    | latest announcements           |  newest first
    +--------------------------------+
"""

import math
import textwrap
from collections.abc import Iterator
from dataclasses import replace
from typing import Any
from xml.sax.saxutils import escape

import chess
import chess.svg

from ks_env.games.scene import Scene, Viewpoint, make_scene
from ks_env.games.under_way import GameUnderWay
from ks_env.render.ghost_svg import ghost_defs, ghosts_on, key
from ks_env.render.marks_svg import legend, mark
from ks_env.render.palette import (
    AGE_STOPS,
    AGE_TOP,
    ALERT,
    BOARD,
    CAPTURE,
    GHOST_AGE_STOPS,
    INK,
    MUTED,
    PAPER,
    PAWN_TRY,
    RULE,
    SHADE,
    Stops,
    age_fill,
    text_on,
)

# User units; python-chess draws squares of 45.
SQUARE = 45
BOARD_SIDE = 8 * SQUARE
LEFT, RIGHT = 26, 14
WIDTH = LEFT + BOARD_SIDE + RIGHT
BOARD_TOP = 46
STRIP_TOP = BOARD_TOP + BOARD_SIDE + 28
TEXT_TOP = STRIP_TOP + 46
LINE, LINES = 18, 4
ROW_LINES = 2  # lines of text that give way to a row of keys below the scale of the ages
HEIGHT = TEXT_TOP + LINE * (LINES - 1) + 16
FONTS = "Lato, 'Helvetica Neue', Arial, sans-serif"


class Svg(str):
    """An SVG document as text, which a notebook shows as the picture."""

    def _repr_svg_(self) -> str:
        return str(self)

    def __repr__(self) -> str:
        return f"<SVG of {len(self)} characters>"


def render_svg(
    game: GameUnderWay[Any], viewpoint: Viewpoint = "referee", size: int = 400, ages: bool = True
) -> Svg:
    """One picture of a game as an SVG document.

    Args:
        game: the game as it stands.
        viewpoint: "referee" sees all; "white" and "black" see what that player knows.
        size: width in pixels; the height is about 1.4 times that.
        ages: draw a player's ages as a heat map.

    Raises:
        ValueError: another viewpoint.
    """
    inside = scene_svg(make_scene(game, viewpoint), ages)
    return document(inside, WIDTH, HEIGHT, size)


def document(inside: str, width: int, height: int, pixels: int) -> Svg:
    """An SVG document of `width` by `height` user units, `pixels` wide, on paper."""
    return Svg(
        f'<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" '
        f'viewBox="0 0 {width} {height}" width="{pixels}" height="{round(pixels * height / width)}" '
        f'font-family="{FONTS}"><rect width="{width}" height="{height}" fill="{PAPER}"/>{inside}</svg>'
    )


def scene_svg(scene: Scene, ages: bool = True) -> str:
    """The elements of one picture, in a box of WIDTH by HEIGHT user units."""
    shown = scene if ages else replace(scene, ages=None)
    return "".join([*_header(shown), _board(shown), *_strip(shown), *_text_lines(shown)])


def _header(scene: Scene) -> Iterator[str]:
    yield _seat_icon(LEFT + 9, 24, scene.seat)
    yield _text(LEFT + 25, 30, scene.title, 18, weight="bold")
    yield _text(LEFT + BOARD_SIDE, 29.5, scene.status, 13, MUTED, anchor="end")


def _seat_icon(x: float, y: float, seat: bool | None) -> str:
    """A disc in the seat's colour; half and half for the referee."""
    fill = "#ffffff" if seat in (None, chess.WHITE) else INK
    disc = f'<circle cx="{x}" cy="{y}" r="8" fill="{fill}" stroke="{INK}" stroke-width="1.5"/>'
    half = f'<path d="M{x} {y - 8}a8 8 0 0 1 0 16z" fill="{INK}"/>'
    return disc + (half if seat is None else "")


def _text(
    x: float,
    y: float,
    text: str,
    size: float,
    fill: str = INK,
    *,
    weight: str = "normal",
    anchor: str = "start",
) -> str:
    return (
        f'<text x="{x}" y="{y}" font-size="{size}" fill="{fill}" font-weight="{weight}" '
        f'text-anchor="{anchor}">{escape(text)}</text>'
    )


def _board(scene: Scene) -> str:
    """The board and its marks, moved to its place."""
    picture = chess.svg.board(
        scene.board,
        orientation=scene.orientation,
        lastmove=scene.last,
        check=scene.king,
        fill=_fills(scene),
        colors=dict(BOARD),
        size=BOARD_SIDE,
        coordinates=False,
        style="svg svg>rect{shape-rendering:crispEdges}",
    )
    marks = [
        _coordinates(scene),
        _age_numbers(scene),
        _captures(scene),
        _ghosts(scene),
        _marks(scene),
        _said_tries(scene),
        _refused(scene),
    ]
    frame = f'<path d="M0 0H{BOARD_SIDE}V{BOARD_SIDE}H0z" fill="none" stroke="{MUTED}"/>'
    drawn = "".join(element for elements in marks for element in elements)
    return f'<g transform="translate({LEFT} {BOARD_TOP})">{picture}{frame}{drawn}</g>'


def _coordinates(scene: Scene) -> Iterator[str]:
    for i in range(8):
        x, y = _centre(scene, chess.square(i, i))
        yield _text(-8, y + 4, chess.RANK_NAMES[i], 11, MUTED, anchor="end")
        yield _text(x, BOARD_SIDE + 15, chess.FILE_NAMES[i], 11, MUTED, anchor="middle")


def _fills(scene: Scene) -> dict[int, str]:
    fills = {}
    if scene.ages is not None:
        stops = _stops(scene)
        fills = {square: age_fill(int(age), square, stops) for square, age in enumerate(scene.ages) if age}
    return fills | dict.fromkeys(scene.shaded, SHADE) | dict.fromkeys(scene.check, f"{ALERT}73")


def _stops(scene: Scene) -> Stops:
    return AGE_STOPS if scene.ghosts is None else GHOST_AGE_STOPS


def _corner(scene: Scene, square: int) -> tuple[int, int]:
    """Upper left corner of a square on the board's picture."""
    file, rank = chess.square_file(square), chess.square_rank(square)
    across, down = (file, 7 - rank) if scene.orientation else (7 - file, rank)
    return SQUARE * across, SQUARE * down


def _centre(scene: Scene, square: int) -> tuple[float, float]:
    x, y = _corner(scene, square)
    return x + SQUARE / 2, y + SQUARE / 2


def _age_numbers(scene: Scene) -> Iterator[str]:
    if scene.ages is None or scene.ghosts is not None:
        return
    marked = {move.to_square for move in scene.refused} | set(scene.check)
    for square, age in enumerate(scene.ages):
        if age and square not in marked:
            x, y = _centre(scene, square)
            yield _text(x, y + 4, str(age), 11, text_on(age_fill(int(age), square)), anchor="middle")


def _ghosts(scene: Scene) -> Iterator[str]:
    if scene.ghosts is None:
        return
    yield ghost_defs(not scene.ghosts.seat)
    for square in chess.SQUARES:
        yield from ghosts_on(scene.ghosts, square, *_corner(scene, square))


def _marks(scene: Scene) -> Iterator[str]:
    for each in scene.marks:
        yield mark(*_corner(scene, each.square), each)


def _captures(scene: Scene) -> Iterator[str]:
    for square in scene.captures:
        x, y = _corner(scene, square)
        yield (
            f'<rect x="{x + 2}" y="{y + 2}" width="{SQUARE - 4}" height="{SQUARE - 4}" rx="4" '
            f'fill="none" stroke="{CAPTURE}" stroke-width="3.5"/>'
        )


def _said_tries(scene: Scene) -> Iterator[str]:
    for square in scene.said_tries:
        x, y = _corner(scene, square)
        yield f'<circle cx="{x + 37}" cy="{y + 8}" r="4.5" fill="{PAWN_TRY}" stroke="#ffffff"/>'


def _refused(scene: Scene) -> Iterator[str]:
    """A line from each refused try's square to a cross where it was to go."""
    for move in dict.fromkeys(scene.refused):
        (x1, y1), (x2, y2) = _centre(scene, move.from_square), _centre(scene, move.to_square)
        start = 17 / math.hypot(x2 - x1, y2 - y1)  # clear of the man that was to move
        line = f"M{x1 + start * (x2 - x1):.1f} {y1 + start * (y2 - y1):.1f}L{x2} {y2}"
        cross = f"M{x2 - 7} {y2 - 7}l14 14m0 -14l-14 14"
        yield (
            f'<g fill="none" stroke-linecap="round">'
            f'<path d="{line}{cross}" stroke="{PAPER}" stroke-width="6"/>'
            f'<path d="{line}" stroke="{ALERT}" stroke-width="3" stroke-dasharray="1 6"/>'
            f'<path d="{cross}" stroke="{ALERT}" stroke-width="4"/></g>'
        )


def _strip(scene: Scene) -> Iterator[str]:
    """The scale of the ages, and the key of the marks at the right; below it, the key of the ghosts.

    The legend stands where the scale would, or below it.
    """
    yield from _key()
    if scene.ghosts is not None:
        yield from key(scene.ghosts.seat, LEFT, STRIP_TOP + 40, BOARD_SIDE)
    lower = 0 if scene.ages is None else LINE * ROW_LINES * _rows(scene) - 1
    yield from legend(scene, LEFT, STRIP_TOP + lower)
    if scene.ages is None:
        return
    left, width = LEFT, 150
    stops = "".join(
        f'<stop offset="{(age - 1) / (AGE_TOP - 1):.3f}" stop-color="{colour}"/>'
        for age, colour in _stops(scene)
    )
    name = "ages" if scene.ghosts is None else "ghost-ages"
    yield f'<defs><linearGradient id="{name}">{stops}</linearGradient></defs>'
    yield f'<rect x="{left}" y="{STRIP_TOP}" width="{width}" height="9" rx="2" fill="url(#{name})"/>'
    for age, label in ((1, "1"), (10, "10"), (20, "20"), (30, "30+")):
        x = left + width * (age - 1) / (AGE_TOP - 1)
        yield _text(x, STRIP_TOP + 21, label, 10.5, MUTED, anchor="middle")
    yield _text(left + width + 12, STRIP_TOP + 9, "turns unseen", 10.5, MUTED)


def _rows(scene: Scene) -> int:
    """How many rows of keys stand below the scale of the ages."""
    return (scene.ghosts is not None) + (scene.ages is not None and bool(scene.legend or scene.note))


def _key() -> Iterator[str]:
    right, middle = LEFT + BOARD_SIDE, STRIP_TOP + 5
    yield _text(right, middle + 4, "refused", 10.5, MUTED, anchor="end")
    x = right - 48
    yield f'<path d="M{x - 4} {middle - 4}l8 8m0 -8l-8 8" stroke="{ALERT}" stroke-width="2.5" fill="none"/>'
    yield _text(x - 14, middle + 4, "capture", 10.5, MUTED, anchor="end")
    yield (
        f'<rect x="{x - 68}" y="{middle - 5}" width="10" height="10" rx="2" fill="none" '
        f'stroke="{CAPTURE}" stroke-width="2"/>'
    )


def _text_lines(scene: Scene) -> Iterator[str]:
    """The newest announcement in full, then as many earlier ones as there is room for."""
    taken = ROW_LINES * _rows(scene)
    top = TEXT_TOP + taken * LINE
    yield f'<path d="M{LEFT} {top - 19}h{BOARD_SIDE}" stroke="{RULE}"/>'
    rows: list[tuple[str, bool]] = []
    for age, line in enumerate(reversed(scene.lines)):
        rows += [(row, age == 0) for row in textwrap.wrap(line, 58, subsequent_indent="   ")]
    for number, (row, newest) in enumerate(rows[: LINES - taken]):
        y = top + number * LINE
        yield _text(LEFT, y, row, 13, INK if newest else MUTED, weight="bold" if newest else "normal")
