"""Monte Carlo tree search in Kriegspiel, as players.

`mcts-a`, `mcts-b` and `mcts-c` are the approaches of Ciancarini and Favini (2010, §5) and nothing else.
`advantage-search` searches over messages as approach C does, and has learnt what tries are worth.
"""

from ks_baselines.mcts.advantage_search.player import AdvantageSearchPlayer, advantage_search_player
from ks_baselines.mcts.approach_a.player import MctsAPlayer, mcts_a_player
from ks_baselines.mcts.approach_b.player import MctsBPlayer, mcts_b_player
from ks_baselines.mcts.approach_c.player import MctsCPlayer, mcts_c_player

__all__ = [
    "AdvantageSearchPlayer",
    "MctsAPlayer",
    "MctsBPlayer",
    "MctsCPlayer",
    "advantage_search_player",
    "mcts_a_player",
    "mcts_b_player",
    "mcts_c_player",
]
