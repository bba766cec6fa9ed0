"""Advisors of invisible chess: experts that value every try, and the Maximiser that weighs them.

See Bud et al. (2001).
"""

from ks_baselines.advisors.player import AdvisorsPlayer, advisors_player

__all__ = ["AdvisorsPlayer", "advisors_player"]
