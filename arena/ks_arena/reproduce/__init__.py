"""Published tables: what was reported, the study that measures it here, and whether the two agree.

Docstrings cite I01, which is Bud et al. (2001); `docs/references.md` has it in full.
"""
