"""Approach A of T10 §5.1: Monte Carlo tree search over whole boards, played to the end of the game.

========================  ==========================================================================
`weights`                 the chance of each man on each square: profile × age
`pool`                    memory for a turn's boards
`draws`                   random numbers, squares and men
`place`, `evidence`       the opponent's men put on the board; those that the last message asks for
`contradict`              what the referee's last message has against a board
`sampler`                 `generateRandomBoard`
`endings`                 when a game is over, or decided
`playout`                 pseudo-random moves, to the end
`tree`, `keys`, `search`  the tree of messages, and UCT in it
`player`, `explain`       the player `mcts-a`, and why it tries what it tries
========================  ==========================================================================
"""
