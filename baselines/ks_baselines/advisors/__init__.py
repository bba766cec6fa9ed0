"""Advisors of invisible chess (I01): experts that value every try, and the Maximiser that weighs them."""

from ks_baselines.advisors.player import AdvisorsPlayer, advisors_player

__all__ = ["AdvisorsPlayer", "advisors_player"]
