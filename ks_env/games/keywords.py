"""The options of all games as keywords, so that editors complete them and type checkers refuse others."""

from ks_env.games.invisible.options import InvisibleKeywords
from ks_env.games.kriegspiel.options import KriegspielKeywords


class Keywords(KriegspielKeywords, InvisibleKeywords, total=False):
    """Of the environments of any game; a game refuses those of others when they are made."""
