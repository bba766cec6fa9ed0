"""Policies: the network, model files, and the player `model`."""
