"""Whole games as text, one file a ruleset and start; `python -m tests.golden.regenerate` writes them anew."""
