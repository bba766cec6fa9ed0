"""Small untrained models on disk, as runs leave them."""

from pathlib import Path
from typing import Any

from ks_arena.sections import dump_section
from ks_train.learn.config import Experiment
from ks_train.learn.ppo import make_env, make_model


def save_run(
    folder: Path, env: dict[str, Any] | None = None, seed: int = 1, temperature: float = 0.5
) -> Path:
    """A run's folder with a model of random weights and the run's config."""
    config = Experiment.model_validate(
        {
            "name": "tiny",
            "seed": seed,
            "env": {"num_envs": 2} | (env or {}),
            "opponents": [{"opponent": "random"}],
            "learner": {"steps": 2, "batch_size": 2},
            "network": {"channels": 8, "layers": 1, "embedding": 4, "value_hidden": 8},
            "budget": {"timesteps": 4},
            "evaluation": {"temperature": temperature},
        }
    )
    folder.mkdir(parents=True, exist_ok=True)
    make_model(config, make_env(config, 0), folder).save(folder / "model.zip")
    (folder / "config.yaml").write_text(dump_section(config))
    return folder
