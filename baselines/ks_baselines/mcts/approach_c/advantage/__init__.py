"""What the default `mcts-c` has learnt from games: by how much each try is better than its state.

The advantage A(s, a) = Q(s, a) - V(s), in tenths of a game's score, is what small networks make of terms of
the state and of the try, all from what the seat knows. `ks advantage` plays the games
and fits them.
"""
