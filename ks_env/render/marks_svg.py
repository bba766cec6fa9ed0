"""Marks of men as SVG, a ring and a number each, and the legend to them and to the shade."""

from collections.abc import Iterator
from xml.sax.saxutils import escape

from ks_env.games.scene import Mark, Scene
from ks_env.render.palette import INK, MARK, MUTED, PAPER, SHADE

SIDE = 45  # python-chess draws squares of 45
DASHES = 'stroke-dasharray="5 3.5"'


def mark(x: float, y: float, shown: Mark) -> str:
    """A ring around a man and its number.

    Args:
        x: left edge of the square.
        y: upper edge of the square.
        shown: the mark.
    """
    return (
        f'<g class="hidden-man">{_ring(x + SIDE / 2, y + SIDE / 2, 20.5, shown.whole)}'
        f'<circle cx="{x + 37.5}" cy="{y + 7.5}" r="6.5" fill="{MARK}" stroke="{PAPER}"/>'
        f'<text x="{x + 37.5}" y="{y + 10.8}" font-size="9" font-weight="bold" fill="{PAPER}" '
        f'text-anchor="middle">{shown.number}</text></g>'
    )


def _ring(x: float, y: float, radius: float, whole: bool) -> str:
    dashes = "" if whole else f" {DASHES}"
    circle = f'<circle cx="{x:g}" cy="{y:g}" r="{radius:g}" fill="none"'
    return f'{circle} stroke="{MARK}" stroke-width="2"{dashes}/>'


def legend(scene: Scene, x: float, y: float) -> Iterator[str]:
    """What the marks and the shade mean, in a row, and the note below it."""
    left = x
    for entry in scene.legend:
        if entry.sample == "shade":
            yield f'<rect x="{left:g}" y="{y - 1:g}" width="12" height="12" rx="2" fill="{SHADE}"/>'
            yield _text(
                left + 19, y + 9, entry.words, 10.5, MUTED, ' font-weight="normal" text-anchor="start"'
            )
        else:
            yield _ring(left + 6, y + 5, 5, entry.sample == "whole")
            yield _text(left + 16, y + 9, entry.words, 10.5, MUTED)
        left += 26 + 6 * len(entry.words)
    if scene.note:
        yield _text(x, y + 22, scene.note, 10, INK)


def _text(x: float, y: float, text: str, size: float, fill: str, more: str = "") -> str:
    return f'<text x="{x:g}" y="{y:g}" font-size="{size}" fill="{fill}"{more}>{escape(text)}</text>'
