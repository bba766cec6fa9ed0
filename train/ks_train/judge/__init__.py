"""Judging: series of games, the report of a run, learning curves."""
