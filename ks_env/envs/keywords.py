"""The options of all games as keywords, so that editors complete them and type checkers refuse others."""

from ks_env.games.dark.options import DarkKeywords
from ks_env.games.invisible.options import InvisibleKeywords
from ks_env.games.kriegspiel.options import KriegspielKeywords


class Keywords(KriegspielKeywords, InvisibleKeywords, DarkKeywords, total=False):
    """Whatever the environment of some game can be asked for."""
