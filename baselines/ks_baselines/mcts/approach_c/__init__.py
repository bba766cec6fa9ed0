"""Approach C of T10 §5.3 as a player, and what the default `mcts-c` knows beyond it.

==================  ==================================================================================
`player`            the player `mcts-c`; its search is `ks_baselines.mcts.search`, which B shares
`advice`            what is added to the tries at the root
`attack`            what a try does to the opponent's king
`advantage`         what was learnt of tries
`danger`, `tune`    commands that fit the constants
==================  ==================================================================================
"""
