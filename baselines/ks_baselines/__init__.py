"""Engines as players; they are found through the entry-point group `ks_env.players`."""
