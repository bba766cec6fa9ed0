"""Approach C: each move of the tree judged at once by the mean over its messages.

See Ciancarini and Favini (2010, §5.3).
"""
