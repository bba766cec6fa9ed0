"""How the default `mcts-c` learns the advantages of tries: games, and fits."""
