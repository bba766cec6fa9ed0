"""Fuzzers of every parser and every public call: an answer or a documented error, nothing else.

A subject is a file with `FUZZERS`. `python -m tests.fuzzers` runs them, see `__main__`.
"""
