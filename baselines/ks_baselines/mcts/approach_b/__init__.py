"""Approach B: simulations of k own tries over messages, with quiescence, in the tree of C.

See Ciancarini and Favini (2010, §5.2).
"""
