"""A window that shows a game, for `render_mode="human"`."""

from typing import Any

import numpy as np

from ks_env.games.scene import Viewpoint
from ks_env.games.under_way import GameUnderWay
from ks_env.render.raster import INSTALL, render_rgb


class Window:
    """A pygame window; it opens when something is first shown.

    Args:
        size: width in pixels.

    Attributes:
        closed: whether the user has closed it; showing then does nothing.

    Raises:
        ModuleNotFoundError: the render extra is not installed.
    """

    def __init__(self, size: int = 560) -> None:
        try:
            import pygame
        except ModuleNotFoundError as error:
            raise ModuleNotFoundError(INSTALL, name=error.name) from error
        self._pygame = pygame
        self._screen: Any = None
        self._size = size
        self.closed = False

    def show(self, game: GameUnderWay[Any], viewpoint: Viewpoint = "referee") -> None:
        """Draws the game as it stands and answers the window's events."""
        if self.closed:
            return
        pixels = render_rgb(game, viewpoint, self._size)
        if self._screen is None:
            self._pygame.display.init()
            self._screen = self._pygame.display.set_mode((pixels.shape[1], pixels.shape[0]))
            self._pygame.display.set_caption(game.definition.name.capitalize())
        self._pygame.surfarray.blit_array(self._screen, np.swapaxes(pixels, 0, 1))
        self._pygame.display.flip()
        if any(event.type == self._pygame.QUIT for event in self._pygame.event.get()):
            self.close()

    def close(self) -> None:
        """Closes the window; closing twice does no harm."""
        self.closed = True
        if self._screen is not None:
            self._screen = None
            self._pygame.display.quit()
