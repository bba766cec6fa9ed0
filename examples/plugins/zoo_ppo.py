"""rl-zoo3: MaskablePPO by the hyperparameters of `zoo_ppo.yml`, on terms of tries.

python examples/plugins/zoo_ppo.py --seconds 60
"""

import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from judging import report
from rl_zoo3 import ALGOS
from rl_zoo3.train import train
from sb3_contrib import MaskablePPO

ALGOS["ppo_mask"] = MaskablePPO
with tempfile.TemporaryDirectory() as folder:
    sys.argv[1:] = ["--algo", "ppo_mask", "--env", "ks_env/Kriegspiel-v0", "--gym-packages", "ks_env"]
    sys.argv += ["--conf-file", str(Path(__file__).with_suffix(".yml")), "--log-folder", folder]
    sys.argv += ["--eval-freq", "-1"]  # its evaluation knows no masks; this file's does
    sys.argv += ["--num-threads", "1", "--seed", "1"]
    begun = time.process_time()
    train()
    spent = time.process_time() - begun
    model = MaskablePPO.load(next(Path(folder).rglob("*Kriegspiel-v0.zip")))


def choose(seen: dict[str, Any], masks: Any) -> Any:
    return model.predict(seen, action_masks=masks)[0]


report(model.num_timesteps, spent, choose, terms="raw")
