"""Pictures as pixels: resvg paints the SVG, with a font of our own so that it looks the same everywhere."""

import io
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ks_env.games.scene import Viewpoint
from ks_env.games.under_way import GameUnderWay
from ks_env.render.svg import render_svg

INSTALL = "pictures in pixels need the render extra: pip install 'ks-env[render]'"


def svg_to_png(svg: str) -> bytes:
    """The picture as a PNG file.

    Raises:
        ModuleNotFoundError: the render extra is not installed.
        ValueError: the text is no SVG.
    """
    try:
        import font_lato  # type: ignore[import-untyped]
        import resvg_py
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError(INSTALL, name=error.name) from error
    fonts = [font_lato.font_files[name] for name in ("Lato", "LatoBold")]  # regular and bold
    return bytes(resvg_py.svg_to_bytes(svg_string=svg, font_files=fonts, skip_system_fonts=True))


def svg_to_rgb(svg: str) -> NDArray[np.uint8]:
    """The picture as u1[H, W, 3].

    Raises:
        ModuleNotFoundError: the render extra is not installed.
        ValueError: the text is no SVG.
    """
    try:
        from PIL import Image
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError(INSTALL, name=error.name) from error
    return np.array(Image.open(io.BytesIO(svg_to_png(svg))).convert("RGB"), np.uint8)


def render_rgb(
    game: GameUnderWay[Any], viewpoint: Viewpoint = "referee", size: int = 400, ages: bool = True
) -> NDArray[np.uint8]:
    """One picture of a game as u1[H, W, 3]; the arguments are those of `render_svg`.

    Raises:
        ModuleNotFoundError: the render extra is not installed.
        ValueError: another viewpoint.
    """
    return svg_to_rgb(render_svg(game, viewpoint, size, ages))
