"""Engines as players; they are found through the entry-point group `ks_env.players`.

Docstrings cite three papers by section: M07 is Ciancarini and Favini (2007), T10 is Ciancarini and Favini
(2010), and I01 is Bud et al. (2001); `docs/references.md` has them in full.
"""
