"""Render modes of the environments, over `ks_env.render` (imported when first used)."""

import time
from collections.abc import Callable, Sequence
from typing import Any

import gymnasium

from ks_env.games.under_way import GameUnderWay


class Pictures:
    """Draws games in one render mode.

    Args:
        mode: None, "human", "rgb_array", "ansi" or "svg".
        allowed: the modes that the environment has.
        fps: pictures a second in the window.

    Raises:
        ValueError: the environment has no such mode.
    """

    def __init__(self, mode: str | None, allowed: Sequence[str], fps: float = 2) -> None:
        if mode is not None and mode not in allowed:
            raise ValueError(f"unknown render_mode {mode!r}; expected None or one of {', '.join(allowed)}")
        self.mode = mode
        self._window: Any = None
        self._fps = fps
        self._next = 0.0  # when the next picture in the window is due, by `time.monotonic`

    def draw(self, game: GameUnderWay[Any], viewpoint: str) -> Any:
        """A picture (RGB array or text), or None after showing it in the window.

        Args:
            game: what to draw.
            viewpoint: "referee", "white" or "black".
        """
        from ks_env import render

        if self.mode == "human":
            if self._window is None:
                self._window = render.Window()
            self._window.show(game, viewpoint)
            self._wait()
            return None
        drawers: dict[str, Callable[[GameUnderWay[Any], Any], Any]] = {
            "rgb_array": render.render_rgb,
            "ansi": render.render_ansi,
            "svg": render.render_svg,
        }
        return drawers[str(self.mode)](game, viewpoint)

    def _wait(self) -> None:
        """Keep the window's pictures `fps` a second apart; the first is not waited for."""
        wait = self._next - time.monotonic()
        if wait > 0:
            time.sleep(wait)
        self._next = time.monotonic() + 1 / self._fps

    def close(self) -> None:
        """Close the window, if there is one."""
        if self._window is not None:
            self._window.close()
            self._window = None


class OneGame:
    """What environments of one game share: the game, for pictures and records.

    Attributes:
        engine: holds the game.
        render_mode: as the environment was made.
    """

    engine: Any
    render_mode: str | None
    _pictures: Pictures

    def game(self) -> GameUnderWay[Any]:
        """The game under way, for pictures and records; needs a render mode."""
        game: GameUnderWay[Any] = self.engine.game(0)
        return game

    def _shown_to(self) -> str:
        """Whose view the pictures show: "referee", "white" or "black"."""
        raise NotImplementedError

    def render(self) -> Any:
        """A picture, as the render mode says; None in a window."""
        if self.render_mode is None:
            gymnasium.logger.warn(
                'nothing is rendered; make the environment with a render_mode, e.g. "rgb_array"'
            )
            return None
        return self._pictures.draw(self.game(), self._shown_to())

    def close(self) -> None:
        """Close the window, if there is one."""
        self._pictures.close()
