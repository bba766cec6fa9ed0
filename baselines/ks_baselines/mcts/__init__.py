"""Monte Carlo tree search in Kriegspiel: the approaches of T10 §5, as players.

`mcts-a` is approach A, `mcts-b` approach B; `mcts-c:literal` is approach C and nothing else, `mcts-c` knows
more.
"""

from ks_baselines.mcts.approach_a.player import MctsAPlayer, mcts_a_player
from ks_baselines.mcts.approach_b.player import SimulatingPlayer, mcts_b_player
from ks_baselines.mcts.approach_c.player import MctsPlayer, mcts_c_player

__all__ = [
    "MctsAPlayer",
    "MctsPlayer",
    "SimulatingPlayer",
    "mcts_a_player",
    "mcts_b_player",
    "mcts_c_player",
]
