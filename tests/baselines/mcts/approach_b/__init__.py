"""Approach B: its simulations and its player."""
