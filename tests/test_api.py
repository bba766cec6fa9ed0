"""The public API: adding, removing or changing a name is a decision, recorded in `PUBLIC`."""

import inspect
import subprocess
import sys
from types import ModuleType

import pytest

import ks_env

PUBLIC = {
    "Encoder": "protocol",
    "Game": "class",
    "GameEnv": "class",
    "GameVectorEnv": "class",
    "Opening": "class",
    "Player": "protocol",
    "RULESETS": "dict",
    "Ruleset": "class",
    "SelfPlayVectorEnv": "class",
    "TRY_FROM": "ndarray",
    "TRY_TO": "ndarray",
    "dark_chess_v0": "module",
    "game_ids": "function",
    "game_named": "function",
    "invisible_chess_v0": "module",
    "kriegspiel_v0": "module",
    "make_encoder": "function",
    "make_player": "function",
}


def kind_of(value: object) -> str:
    if isinstance(value, ModuleType):
        return "module"
    if inspect.isclass(value):
        return "protocol" if getattr(value, "_is_protocol", False) else "class"
    return "function" if inspect.isfunction(value) else type(value).__name__


def test_the_names_and_their_kinds() -> None:
    assert {name: kind_of(getattr(ks_env, name)) for name in sorted(ks_env.__all__)} == PUBLIC


@pytest.mark.parametrize("name", PUBLIC)
def test_a_name_is_importable_and_shown(name: str) -> None:
    space: dict[str, object] = {}
    exec(f"from ks_env import {name}", space)
    assert space[name] is getattr(ks_env, name)
    assert name in dir(ks_env)


def test_an_unknown_name() -> None:
    with pytest.raises(AttributeError, match="module 'ks_env' has no attribute 'KriegspielEnv'"):
        _ = ks_env.KriegspielEnv  # type: ignore[attr-defined]


def test_importing_the_package_imports_no_environment() -> None:
    code = "import sys, ks_env; print(*sorted(m for m in sys.modules if m.startswith('ks_env.')))"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert not [name for name in loaded.split() if name.split(".")[1] not in ("core", "games")], loaded
