"""The kernels of Kriegspiel that others are made with."""

from ks_env.games.definition import GameKernels
from ks_env.games.kriegspiel.capturing import choose_capture
from ks_env.games.kriegspiel.judge import judge
from ks_env.games.kriegspiel.observation import write_observation
from ks_env.games.kriegspiel.tries import list_tries, mark_tries

KERNELS = GameKernels(judge, list_tries, mark_tries, write_observation, choose_capture)
