"""Published tables: what was reported, the study that measures it here, and whether the two agree.

Papers are cited by authors and year; `docs/references.md` has them in full.
"""
