"""The joint distribution of the opponent's hidden men in invisible chess (Bud et al. 2001, §3.1, §4, §6.1).

A player hears which hidden man moved, and not where: the distribution is spread over its moves, and cut down
by everything the referee says. It is exact as long as its boards fit into the room that it was given, and
says so (`Joint.exact`); beyond, boards are drawn from it by systematic resampling.
"""

from ks_env.belief.joint.joint import Joint

__all__ = ["Joint"]
