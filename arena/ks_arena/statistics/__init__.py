"""What the results of games say about the players: intervals, Elo, joint ratings, a sequential test."""
