"""Monte Carlo tree search in Kriegspiel: the approaches of T10 §5, as players.

`mcts-c:literal` is approach C and nothing else; `mcts-c` knows more.
"""

from baselines.mcts.player import MctsPlayer, mcts_c_player

__all__ = ["MctsPlayer", "mcts_c_player"]
