"""Invisible chess (Bud et al. 2001, §3): a chosen set of men is hidden; an impossible move loses the turn.

The files are named as those of `ks_env.games.kriegspiel`; `hidden` says which men are hidden.
"""

from ks_env.core.tries import mask_of_list
from ks_env.games.definition import GameDefinition, GameKernels, Notation, OwnMen
from ks_env.games.invisible.capturing import choose_capture
from ks_env.games.invisible.file import InvisibleFile, from_said, to_said
from ks_env.games.invisible.game import INVISIBLE, InvisibleGame
from ks_env.games.invisible.hidden import both_texts, check_men, on_squares
from ks_env.games.invisible.judge import judge
from ks_env.games.invisible.layout import GAME, VIEW
from ks_env.games.invisible.observation import (
    INVISIBLE_STATE_SHAPE,
    write_invisible_state,
    write_observation,
)
from ks_env.games.invisible.options import InvisibleOptions
from ks_env.games.invisible.planes import TABLE
from ks_env.games.invisible.record import InvisibleRecord
from ks_env.games.invisible.scene import scene_of
from ks_env.games.invisible.tries import list_tries
from ks_env.games.invisible.words import PHRASES

__all__ = ["INVISIBLE_CHESS"]

INVISIBLE_CHESS = GameDefinition(
    id="InvisibleChess",
    name="invisible chess",
    about="Some men of either side cannot be seen.",
    row=GAME,
    view=VIEW,
    kernels=GameKernels(judge, list_tries, mask_of_list(list_tries), write_observation, choose_capture),
    planes=TABLE,
    state_shape=INVISIBLE_STATE_SHAPE,
    write_state=write_invisible_state,
    options=InvisibleOptions,
    play=InvisibleGame,
    notation=Notation(
        InvisibleRecord, InvisibleFile, to_said, from_said, PHRASES, {INVISIBLE.name: INVISIBLE}
    ),
    scene=scene_of,
    own_men=OwnMen(both_texts, on_squares, check_men),
)
