"""The window, on SDL's dummy driver: what is shown is what the picture has."""

from collections.abc import Iterator
from contextlib import closing

import numpy as np
import pytest

pygame = pytest.importorskip("pygame")

from ks_env.games.kriegspiel.game import Game  # noqa: E402
from ks_env.render import Window, render_rgb  # noqa: E402


@pytest.fixture(autouse=True)
def dummy_driver(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    yield
    pygame.display.quit()


def test_the_window_shows_the_picture() -> None:
    game = Game()
    with closing(Window(size=300)) as window:
        assert not pygame.display.get_init()
        window.show(game, "white")
        first = pygame.surfarray.array3d(pygame.display.get_surface()).swapaxes(0, 1)
        assert (first == render_rgb(game, "white", 300)).all()
        game.ask("e2e4")
        window.show(game, "white")
        second = pygame.surfarray.array3d(pygame.display.get_surface()).swapaxes(0, 1)
        assert (np.asarray(second) != first).any()
    assert window.closed
    assert not pygame.display.get_init()


def test_closing_by_hand_ends_the_showing() -> None:
    window = Window(size=200)
    window.show(Game())
    pygame.event.post(pygame.event.Event(pygame.QUIT))
    window.show(Game())
    assert window.closed
    window.show(Game())
    window.close()
    assert not pygame.display.get_init()
