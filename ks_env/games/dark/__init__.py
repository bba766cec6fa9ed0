"""Dark chess, also called fog of war: one sees the squares that one's own men could move to, and no others.

The files are named as those of `ks_env.games.kriegspiel`; `sight` says what a seat sees, which is the
referee's, and `board` has the rules without the fog.
"""

from ks_env.core.planes import STATE_SHAPE, write_state
from ks_env.core.tries import mask_of_list
from ks_env.games.dark.board import DarkBoard
from ks_env.games.dark.capturing import choose_capture
from ks_env.games.dark.file import DarkFile, from_said, to_said
from ks_env.games.dark.game import DARK, DarkGame
from ks_env.games.dark.judge import judge
from ks_env.games.dark.layout import GAME, VIEW
from ks_env.games.dark.observation import write_observation
from ks_env.games.dark.options import DarkOptions
from ks_env.games.dark.planes import TABLE
from ks_env.games.dark.record import DarkRecord
from ks_env.games.dark.scene import scene_of
from ks_env.games.dark.tries import list_tries
from ks_env.games.dark.words import PHRASES
from ks_env.games.definition import GameDefinition, GameKernels, Notation

__all__ = ["DARK_CHESS"]

DARK_CHESS = GameDefinition(
    id="DarkChess",
    name="dark chess",
    about="You see the squares that your men could move to.",
    row=GAME,
    view=VIEW,
    kernels=GameKernels(judge, list_tries, mask_of_list(list_tries), write_observation, choose_capture),
    planes=TABLE,
    state_shape=STATE_SHAPE,
    write_state=lambda game, out: write_state(game["truth"], out),
    options=DarkOptions,
    play=DarkGame,
    notation=Notation(DarkRecord, DarkFile, to_said, from_said, PHRASES, {DARK.name: DARK}, DarkBoard),
    scene=scene_of,
)
