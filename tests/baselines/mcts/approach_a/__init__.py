"""The players of Monte Carlo tree search."""
