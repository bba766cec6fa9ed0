"""Invisible chess (I01 §3): chess in which a chosen set of men, never the king, is hidden from the opponent.

The board and its rules are those of `ks_env.core.position`; this package adds who sees what, what happens to
a move that a hidden man makes impossible, and what is told of it. Hidden men have numbers, 1 to 15 for each
colour, since a player is told *which* of them moved. docs/invisible-chess.md has the rules in full, with the
reading chosen where the paper leaves something open.

I01: A. Bud, D. Albrecht, A. Nicholson, I. Zukerman, Information-theoretic advisors in invisible chess (2001).
"""
