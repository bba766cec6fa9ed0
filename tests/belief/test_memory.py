"""What holds for the memory of every encoder of the package."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from ks_env.belief.encoders import Encoder
from ks_env.belief.network.sampled import BeliefParticlesEncoder
from ks_env.envs.sb3 import GameVecEnv
from tests.envs.play import draw

ENCODERS = ["metaposition", "location", "belief", BeliefParticlesEncoder(32)]


@pytest.mark.parametrize("encoder", ENCODERS, ids=["metaposition", "location", "belief", "belief-particles"])
def test_how_often_a_seat_is_looked_at_shows_nowhere(encoder: str | Encoder) -> None:
    """A saved state that is restored is observed once more; the games go on as they would have."""

    def run(*, restored: bool) -> list[bytes]:
        env = GameVecEnv(8, "capture", encoder=encoder, seed=2)
        env.reset()
        rng, seen = np.random.default_rng(0), []
        for _ in range(120):
            planes: Any = env.step(draw(env.action_masks(), rng))[0]
            if restored:
                env.set_state(env.get_state())
                planes = env.set_state(env.get_state())
            seen.append(planes.tobytes())
        return seen

    assert run(restored=True) == run(restored=False)
