"""Approach C of T10 §5.3: each move of the tree judged at once by the mean over its messages."""
