"""The strategic advisor: our own fixed-depth search that values all moves of a chess position.

See Bud et al. (2001, §4).
"""
