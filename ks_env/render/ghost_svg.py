"""Ghosts as SVG: the men of a metaposition, drawn into a picture's squares, and the key to them."""

from collections.abc import Iterator, Sequence

import chess
import chess.svg

from ks_env.render.ghosts import Ghosts
from ks_env.render.palette import GHOST_AGE_STOPS, INK, MUTED, age_fill

MAN = 45  # python-chess draws men into boxes of 45 by 45

# For so many kinds on one square: (scale, centres of the men as shares of the square's side).
PLACES = {
    1: (0.78, ((0.5, 0.5),)),
    2: (0.58, ((0.27, 0.5), (0.73, 0.5))),
    3: (0.52, ((0.27, 0.28), (0.73, 0.28), (0.5, 0.74))),
    4: (0.52, ((0.27, 0.28), (0.73, 0.28), (0.27, 0.74), (0.73, 0.74))),
    5: (0.42, ((0.19, 0.3), (0.5, 0.3), (0.81, 0.3), (0.34, 0.73), (0.66, 0.73))),
    6: (0.42, ((0.19, 0.3), (0.5, 0.3), (0.81, 0.3), (0.19, 0.73), (0.5, 0.73), (0.81, 0.73))),
}


def ghost_defs(colour: bool) -> str:
    """The men of a colour, to be used by the ghosts of a picture."""
    letters = "pnbrqk" if not colour else "PNBRQK"
    return f"<defs>{''.join(chess.svg.PIECES[letter] for letter in letters)}</defs>"


def ghosts_on(ghosts: Ghosts, square: int, x: float, y: float) -> Iterator[str]:
    """The elements of one square, whose upper left corner is at (x, y)."""
    kinds, opacities = ghosts.kinds(square), ghosts.opacities()
    if ghosts.certain(square):
        yield _man(kinds[0], not ghosts.seat, x, y, 1, 1)
        return
    if kinds:
        shown = [1.0 if ghosts.occupied(square) else opacities[kind] for kind in kinds]
        yield from _men(kinds, not ghosts.seat, x, y, MAN, shown)
    if ghosts.occupied(square):
        yield brackets(x, y, MAN)


def _men(
    kinds: Sequence[int], colour: bool, x: float, y: float, side: float, opacities: Sequence[float]
) -> Iterator[str]:
    scale, places = PLACES[len(kinds)]
    for kind, opacity, (across, down) in zip(kinds, opacities, places, strict=True):
        half = scale * side / 2
        yield _man(
            kind, colour, x + across * side - half, y + down * side - half, scale * side / MAN, opacity
        )


def _man(kind: int, colour: bool, x: float, y: float, scale: float, opacity: float) -> str:
    name = f"{chess.COLOR_NAMES[colour]}-{chess.piece_name(kind)}"
    return (
        f'<use class="ghost" href="#{name}" xlink:href="#{name}" opacity="{opacity:g}" '
        f'transform="translate({x:.1f} {y:.1f}) scale({scale:.3g})"/>'
    )


def brackets(x: float, y: float, side: float) -> str:
    """Corners around a square on which a man stands for certain."""
    inset, arm = 0.045 * side, 0.2 * side
    near, far = inset, side - inset
    path = "".join(
        f"M{x + a + sign_a * arm:.1f} {y + b:.1f}H{x + a:.1f}V{y + b + sign_b * arm:.1f}"
        for a, sign_a in ((near, 1), (far, -1))
        for b, sign_b in ((near, 1), (far, -1))
    )
    return f'<path class="certain" d="{path}" fill="none" stroke="{INK}" stroke-width="{0.05 * side:.3g}"/>'


def key(seat: bool, x: float, y: float, width: float) -> Iterator[str]:
    """One row that says what is drawn how, `width` long, around the height `y`."""
    entries: tuple[tuple[str, list[int], bool, bool], ...] = (
        ("may be here", [chess.ROOK], False, True),
        ("one is here", [chess.BISHOP, chess.QUEEN], True, True),
        ("is here", [chess.QUEEN], True, True),
        ("empty", [], False, False),
    )
    side = 20
    for left, (label, kinds, sure, old) in zip(_lefts(x, width), entries, strict=True):
        fill = age_fill(12, chess.A8, GHOST_AGE_STOPS) if old else "#f4ecdd"
        yield (
            f'<rect x="{left}" y="{y - side / 2}" width="{side}" height="{side}" fill="{fill}" '
            f'stroke="{MUTED}" stroke-width=".5"/>'
        )
        if sure and len(kinds) == 1:
            yield _man(kinds[0], not seat, left, y - side / 2, side / MAN, 1)
        elif kinds:
            yield from _men(kinds, not seat, left, y - side / 2, side, [1.0 if sure else 0.5] * len(kinds))
        if sure and len(kinds) > 1:
            yield brackets(left, y - side / 2, side)
        yield f'<text x="{left + side + 5}" y="{y + 4}" font-size="10.5" fill="{MUTED}">{label}</text>'


def _lefts(x: float, width: float) -> list[float]:
    return [x, x + 0.26 * width, x + 0.51 * width, x + 0.71 * width]
