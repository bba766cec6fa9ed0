"""Engines as players; they are found through the entry-point group `ks_env.players`.

Papers are cited by authors and year; `docs/references.md` has them in full.
"""
