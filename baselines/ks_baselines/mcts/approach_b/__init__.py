"""Approach B of T10 §5.2: simulations of k own tries over messages, with quiescence, in the tree of C."""
