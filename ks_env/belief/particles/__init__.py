"""A particle filter over whole boards of Kriegspiel: samples that explain what a seat was told.

See Ciancarini and Favini (2010, §4.4).

`Particles` follows a seat's view. Its boards are weighted by a model of the opponent (`OpponentModel`), drawn
anew by systematic resampling when there are too many, and rejuvenated by moves that keep what was heard last
(`rejuvenation`). It says how many boards of equal weight it is worth, and when it ran dry. `turns` has the
functions of one board: the opponent's legal tries on it, and whether it fits what was heard.
"""

from ks_env.belief.particles.follow import Care
from ks_env.belief.particles.models import (
    OpponentModel,
    SquareModel,
    make_model,
    profile_model,
    shipped_model,
    uniform_model,
)
from ks_env.belief.particles.particles import Particles

__all__ = [
    "Care",
    "OpponentModel",
    "Particles",
    "SquareModel",
    "make_model",
    "profile_model",
    "shipped_model",
    "uniform_model",
]
