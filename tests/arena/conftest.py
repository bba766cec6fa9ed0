import pytest
from ks_arena.match.play import warm_up

from ks_env.games import DEFAULT_GAME


@pytest.fixture(scope="session", autouse=True)
def _kernels_are_there() -> None:
    """Compiled before any worker process needs them, and so outside of every test's time limit."""
    warm_up(DEFAULT_GAME)
