"""What a player must not learn: pairs of games, different behind the scenes, with one history for a seat.

"One history" is judged by the oracle (`tests.oracle`): the messages that the seat has heard are equal, one by
one. Everything that `ks_env` shows the seat must then be equal to the last byte.
"""

from tests.leaks.probes import PROBES, LeakError, Probe
from tests.leaks.twins import Twins, pairs, twins

__all__ = ["PROBES", "LeakError", "Probe", "Twins", "pairs", "twins"]
