"""The kernels of invisible chess that others are made with."""

from ks_env.core.tries import mask_of_list
from ks_env.games.definition import GameKernels
from ks_env.games.invisible.capturing import choose_capture
from ks_env.games.invisible.judge import judge
from ks_env.games.invisible.observation import write_observation
from ks_env.games.invisible.tries import list_tries

KERNELS = GameKernels(judge, list_tries, mask_of_list(list_tries), write_observation, choose_capture)
