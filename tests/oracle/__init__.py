"""An independent Kriegspiel referee in plain Python on python-chess.

It shares no code with `ks_env`: its own numbering of the actions, its own table of rulesets, its own masks.
The tests put the same tries to it and to the compiled referee, and compare every answer.
"""

from tests.oracle.position import OracleStartError
from tests.oracle.referee import OracleGame
from tests.oracle.rules import RULES, Rules
from tests.oracle.seat import Heard, Seat

__all__ = ["RULES", "Heard", "OracleGame", "OracleStartError", "Rules", "Seat"]
