"""A search over messages, as approach C makes it, with learnt advantages of tries at the root.

Approach C is that of Ciancarini and Favini (2010).

===========  ===========================================================================
`constants`  its numbers
`losses`     the chance that a man is captured, and the value of a move in the tree
`search`     the tree
`terms`      what the networks are told of a state and its tries
`network`    networks of advantages
`advice`     what is added to the tries at the root: rules of thumb, or what was learnt
`player`     the player `advantage-search`
===========  ===========================================================================
"""
