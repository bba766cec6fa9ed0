"""What all encoders have in common that remember a game of Kriegspiel."""

from typing import Any

import numpy as np
import pytest

from ks_env.belief.encoders import Encoder, make_encoder
from ks_env.belief.network.sampled import BeliefParticlesEncoder
from ks_env.envs.vector import GameVectorEnv, SelfPlayVectorEnv
from tests.envs.play import same


@pytest.fixture(
    scope="module", params=["metaposition", "location", "belief", "particles", "belief-particles"]
)
def encoder(request: pytest.FixtureRequest) -> Encoder:
    few = request.param == "belief-particles"  # as many boards as usual would take minutes
    made = BeliefParticlesEncoder(32) if few else make_encoder(request.param)
    assert isinstance(made, Encoder)
    assert made.memory.itemsize > 0
    return made


@pytest.mark.parametrize("self_play", [False, True])
def test_one_row_many_and_threads_are_alike(encoder: Encoder, self_play: bool) -> None:
    """Six games at once, in three threads, and each of them alone: the same bytes."""

    def make(rows: int, **options: Any) -> Any:
        options |= {"encoder": encoder, "autoreset_mode": "SameStep", "ruleset_options": {"max_plies": 40}}
        return (SelfPlayVectorEnv if self_play else GameVectorEnv)(rows, **options)

    def run(env: Any, seed: int) -> list[Any]:
        seen = [env.reset(seed=seed)]
        for _ in range(90):
            seen.append(env.step(np.array([np.flatnonzero(m)[-1] for m in seen[-1][-1]["action_mask"]])))
        return seen

    many, threads = run(make(6), 3), run(make(6, threads=3), 3)
    assert same(many, threads)
    for row in (0, 5):
        alone = run(make(1), 3 + row)
        for (first, *_), (second, *_) in zip(many, alone, strict=True):
            assert (first["observation"][row] == second["observation"][0]).all()
        finals = [
            [step[-1]["final_obs"] for step in seen[1:] if "final_obs" in step[-1]] for seen in (many, alone)
        ]
        assert same(
            [final[row] for final in finals[0] if final[row] is not None],
            [final[0] for final in finals[1]],
        )
