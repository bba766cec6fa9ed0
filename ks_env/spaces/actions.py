"""The action space: `Discrete(1859)`, the referee's numbering of tries from the mover's side.

The numbering is committed as a table in `actions.csv` beside this file.
"""

from ks_env.core.notation import check_try as check_action
from ks_env.core.notation import move_to_try as move_to_action
from ks_env.core.notation import text_to_try as text_to_action
from ks_env.core.notation import try_to_move as action_to_move
from ks_env.core.notation import try_to_text as action_to_text
from ks_env.core.tables import ANY
from ks_env.core.tables import TRIES as ACTIONS

__all__ = [
    "ACTIONS",
    "ANY",
    "action_to_move",
    "action_to_text",
    "check_action",
    "move_to_action",
    "text_to_action",
]
