"""Approach A: Monte Carlo tree search over whole boards, played to the end of the game.

See Ciancarini and Favini (2010, §5.1).

===========  =======================================================================
`constants`  its numbers
`pool`       memory for a turn's boards, and the chance of each man on each square
`place`      the opponent's men put on a board
`sampler`    `generateRandomBoard`: a pool of boards that fit the last message
`playout`    pseudo-random moves, to the end
`search`     the tree of messages, and UCT in it
`player`     the player `mcts-a`, and why it tries what it tries
===========  =======================================================================
"""
