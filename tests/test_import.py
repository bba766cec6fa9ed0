"""Importing the package: what it pulls in, and what it registers."""

from __future__ import annotations

import subprocess
import sys

import gymnasium
import pettingzoo
import pytest

import ks_env

HEAVY = ("torch", "stable_baselines3", "sb3_contrib", "pygame", "matplotlib", "tensorboard", "PIL", "pandas")


def run(code: str) -> str:
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@pytest.mark.parametrize(
    "code",
    [
        "import ks_env",
        "import ks_env.envs.solo, ks_env.envs.vector, ks_env.kriegspiel_v0, ks_env.players, ks_env.record",
    ],
)
def test_nothing_heavy_is_imported(code: str) -> None:
    assert run(f"import sys; {code}; print([name for name in {HEAVY} if name in sys.modules])") == "[]"


def test_the_heavy_names_are_those_of_modules() -> None:
    found = run(f"import sys, ks_env.envs.sb3; print([n for n in {HEAVY} if n in sys.modules])")
    assert {"torch", "stable_baselines3"} <= set(eval(found))


def test_registered_with_gymnasium_and_pettingzoo() -> None:
    spec = gymnasium.registry["ks_env/Kriegspiel-v0"]
    assert spec.max_episode_steps is None
    assert spec.vector_entry_point == "ks_env.envs.vector:GameVectorEnv"
    assert "ks_env/Kriegspiel-v0" in pettingzoo.aec_registry
    ks_env.register_envs()  # a second time changes nothing
    assert gymnasium.registry["ks_env/Kriegspiel-v0"] is spec


def test_gymnasium_imports_the_package_by_name() -> None:
    code = "import gymnasium; print(type(gymnasium.make('ks_env:ks_env/Kriegspiel-v0').unwrapped).__name__)"
    assert run(code) == "GameEnv"


def test_a_pettingzoo_without_registry() -> None:
    code = """
import pettingzoo
for name in ("aec_registry", "register", "make"):
    pettingzoo.__dict__.pop(name, None)
import gymnasium, ks_env
from ks_env import kriegspiel_v0
assert not hasattr(pettingzoo, "aec_registry")
assert "ks_env/Kriegspiel-v0" in gymnasium.registry
print(kriegspiel_v0.raw_env.__name__)
"""
    assert run(code) == "raw_env"
