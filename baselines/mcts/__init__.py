"""Monte Carlo tree search in Kriegspiel: the approaches of T10 §5, as players.

`mcts-a` is approach A. `mcts-c:literal` is approach C and nothing else; `mcts-c` knows more.
"""

from baselines.mcts.approach_a.player import MctsAPlayer, mcts_a_player
from baselines.mcts.player import MctsPlayer, mcts_c_player

__all__ = ["MctsAPlayer", "MctsPlayer", "mcts_a_player", "mcts_c_player"]
