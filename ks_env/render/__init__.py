"""Pictures of a game: SVG, arrays of pixels, text, a window, a page to step through a record."""

from ks_env.games.scene import Viewpoint
from ks_env.render.ansi import render_ansi
from ks_env.render.raster import render_rgb
from ks_env.render.svg import render_svg
from ks_env.render.window import Window

__all__ = ["Viewpoint", "Window", "render_ansi", "render_rgb", "render_svg"]
