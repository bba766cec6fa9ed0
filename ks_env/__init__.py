"""Kriegspiel for reinforcement learning: chess in which you see only your own men.

Importing the package registers `ks_env/Kriegspiel-v0` and the ids of the other games, see `ks_env.games`,
with Gymnasium (`make` and `make_vec`), and with PettingZoo where it has a registry. It pulls in no torch.

The names in `__all__` are the public API. They are imported when they are first used, so that importing the
package stays light.

Papers are cited by authors and year; `docs/references.md` has them in full.
"""

import importlib
from typing import TYPE_CHECKING, Any

import gymnasium
import pettingzoo

from ks_env.games import game_ids, game_named

if TYPE_CHECKING:
    from ks_env import dark_chess_v0, invisible_chess_v0, kriegspiel_v0
    from ks_env.belief.encoders import Encoder, make_encoder
    from ks_env.core.ruleset import RULESETS, Ruleset
    from ks_env.core.tables import TRY_FROM, TRY_TO
    from ks_env.envs.solo import GameEnv
    from ks_env.envs.vector import GameVectorEnv, SelfPlayVectorEnv
    from ks_env.games.kriegspiel.game import Game
    from ks_env.games.opening import Opening
    from ks_env.players.protocol import Player
    from ks_env.players.registry import make_player

__version__ = "0.1.0"

__all__ = [
    "RULESETS",
    "TRY_FROM",
    "TRY_TO",
    "Encoder",
    "Game",
    "GameEnv",
    "GameVectorEnv",
    "Opening",
    "Player",
    "Ruleset",
    "SelfPlayVectorEnv",
    "dark_chess_v0",
    "game_ids",
    "game_named",
    "invisible_chess_v0",
    "kriegspiel_v0",
    "make_encoder",
    "make_player",
]

_HOMES = {  # where the names are that are imported when they are first used
    "RULESETS": "ks_env.core.ruleset",
    "TRY_FROM": "ks_env.core.tables",
    "TRY_TO": "ks_env.core.tables",
    "Encoder": "ks_env.belief.encoders",
    "Game": "ks_env.games.kriegspiel.game",
    "GameEnv": "ks_env.envs.solo",
    "GameVectorEnv": "ks_env.envs.vector",
    "Opening": "ks_env.games.opening",
    "Player": "ks_env.players.protocol",
    "Ruleset": "ks_env.core.ruleset",
    "SelfPlayVectorEnv": "ks_env.envs.vector",
    "make_encoder": "ks_env.belief.encoders",
    "make_player": "ks_env.players.registry",
}


if not TYPE_CHECKING:  # a checker would take any name for one that is there

    def __getattr__(name: str) -> Any:
        """Import a public name from its module (PEP 562)."""
        if name in _HOMES:
            value = getattr(importlib.import_module(_HOMES[name]), name)
        elif name in __all__:  # a module of this package
            value = importlib.import_module(f"{__name__}.{name}")
        else:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        globals()[name] = value
        return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


def register_envs() -> None:
    """Register the environments of all games with Gymnasium and PettingZoo."""
    registry = getattr(pettingzoo, "aec_registry", None)  # since PettingZoo 1.27
    for game in game_ids():
        name = f"ks_env/{game}-v0"
        if name not in gymnasium.registry:
            # no max_episode_steps: it would count tries; the ruleset limits plies
            gymnasium.register(
                name,
                entry_point="ks_env.envs.solo:GameEnv",
                vector_entry_point="ks_env.envs.vector:GameVectorEnv",
                kwargs={"game": game},
            )
        if registry is not None and name not in registry:
            pettingzoo.register("aec", name, entry_point="ks_env.envs.aec:env", kwargs={"game": game})


register_envs()
