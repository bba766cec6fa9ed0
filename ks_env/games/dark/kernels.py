"""The kernels of dark chess that others are made with."""

import numpy as np

from ks_env.core.jit import kernel
from ks_env.core.layout import Rules
from ks_env.games.dark.capturing import choose_seen_capture
from ks_env.games.dark.judge import judge
from ks_env.games.dark.layout import View
from ks_env.games.dark.observation import write_observation
from ks_env.games.dark.tries import list_tries
from ks_env.games.definition import GameKernels


@kernel
def _list_tries(view: View, rules: Rules, level: int, out: np.ndarray) -> int:
    return list_tries(view, level, out)


@kernel
def _capture(view: View, rules: Rules, random: np.ndarray, stream: int, scratch: np.ndarray) -> int:
    return choose_seen_capture(view, random, stream, scratch)


KERNELS = GameKernels(judge, _list_tries, write_observation, _capture)
