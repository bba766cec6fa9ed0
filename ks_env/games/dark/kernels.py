"""The kernels of dark chess that others are made with."""

from ks_env.core.tries import mask_of_list
from ks_env.games.dark.capturing import choose_capture
from ks_env.games.dark.judge import judge
from ks_env.games.dark.observation import write_observation
from ks_env.games.dark.tries import list_tries
from ks_env.games.definition import GameKernels

KERNELS = GameKernels(judge, list_tries, mask_of_list(list_tries), write_observation, choose_capture)
