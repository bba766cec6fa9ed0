"""Monte Carlo samplers: boards that fit what was heard, judged by full-information chess.

The players LOS, AOSP and HS of Parker, Nau and Subrahmanian as Ciancarini and Favini (2010, §4.2) sum them
up.

evolve    a pool of boards from one own turn to the next
refusals  what the opponent's refused tries say of a board
draw      boards that fit the last observation only
pool      the boards of a player
values    boards judged by our own search or a UCI engine, and the mean
player    the players
terms     what the judged boards say of each try, for a network
"""

from ks_baselines.samplers.player import (
    SamplerPlayer,
    sampler_aosp_player,
    sampler_hs_player,
    sampler_los_player,
)

__all__ = ["SamplerPlayer", "sampler_aosp_player", "sampler_hs_player", "sampler_los_player"]
