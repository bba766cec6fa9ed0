"""How `advantage-search` learns the advantages of tries: games, and fits."""
