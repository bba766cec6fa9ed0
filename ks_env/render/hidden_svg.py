"""Hidden men of invisible chess as SVG: a ring and a number each, and the key to them."""

from collections.abc import Iterator

from ks_env.games.scene import Scene
from ks_env.render.palette import HIDDEN, INK, MUTED, PAPER

SIDE = 45  # python-chess draws squares of 45
DASHES = 'stroke-dasharray="5 3.5"'


def hidden_mark(x: float, y: float, number: int, known: bool) -> str:
    """A ring around a hidden man and its number.

    Args:
        x: left edge of the square.
        y: upper edge of the square.
        number: of the man.
        known: both players know its square: the ring is whole, otherwise dashed.
    """
    return (
        f'<g class="hidden-man">{_ring(x + SIDE / 2, y + SIDE / 2, 20.5, known)}'
        f'<circle cx="{x + 37.5}" cy="{y + 7.5}" r="6.5" fill="{HIDDEN}" stroke="{PAPER}"/>'
        f'<text x="{x + 37.5}" y="{y + 10.8}" font-size="9" font-weight="bold" fill="{PAPER}" '
        f'text-anchor="middle">{number}</text></g>'
    )


def _ring(x: float, y: float, radius: float, known: bool) -> str:
    dashes = "" if known else f" {DASHES}"
    circle = f'<circle cx="{x:g}" cy="{y:g}" r="{radius:g}" fill="none"'
    return f'{circle} stroke="{HIDDEN}" stroke-width="2"{dashes}/>'


def hidden_key(scene: Scene, x: float, y: float) -> Iterator[str]:
    """What the rings mean, and the hidden men that are not on the board."""
    for left, label, known in ((x, "hidden", False), (x + 62, "hidden, its square known", True)):
        yield _ring(left + 6, y + 5, 5, known)
        yield _text(left + 16, y + 9, label, 10.5, MUTED)
    if scene.unseen:
        yield _text(x, y + 22, "Out of sight: " + ", ".join(scene.unseen), 10, INK)


def _text(x: float, y: float, text: str, size: float, fill: str) -> str:
    return f'<text x="{x:g}" y="{y:g}" font-size="{size}" fill="{fill}">{text}</text>'
