"""Kriegspiel: one sees only one's own men, and a referee answers tries.

layout         what a seat knows, and a game in a row
start          from a FEN to a row
tries          the tries that a seat may make: the two masks
judge          the referee
hearing        how what a seat knows changes by what it hears
announcement   what is heard, in words
planes         the table of observation planes; `observation` fills them
capturing      the player `capture`
game           one game, in chess moves and words
options        what an environment can be asked for
"""

import chess

from ks_env.core.planes import STATE_SHAPE, write_state
from ks_env.core.ruleset import ICC, RULESETS, Ruleset
from ks_env.games.definition import GameDefinition, GameKernels, Notation
from ks_env.games.kriegspiel.capturing import choose_capture
from ks_env.games.kriegspiel.file import GameFile, from_said, to_said
from ks_env.games.kriegspiel.game import Game
from ks_env.games.kriegspiel.judge import judge
from ks_env.games.kriegspiel.layout import GAME, VIEW
from ks_env.games.kriegspiel.observation import write_observation
from ks_env.games.kriegspiel.options import Options
from ks_env.games.kriegspiel.planes import TABLE
from ks_env.games.kriegspiel.record import GameRecord
from ks_env.games.kriegspiel.scene import scene_of
from ks_env.games.kriegspiel.tries import list_tries, mark_tries
from ks_env.games.kriegspiel.words import PHRASES
from ks_env.games.opening import Opening

__all__ = ["KRIEGSPIEL", "opening"]

KRIEGSPIEL = GameDefinition(
    id="Kriegspiel",
    name="Kriegspiel",
    about="You see your own men alone. A referee accepts or refuses what you try.",
    row=GAME,
    view=VIEW,
    kernels=GameKernels(judge, list_tries, mark_tries, write_observation, choose_capture),
    planes=TABLE,
    state_shape=STATE_SHAPE,
    write_state=lambda game, out: write_state(game["truth"], out),
    options=Options,
    play=Game,
    notation=Notation(GameRecord, GameFile, to_said, from_said, PHRASES, RULESETS),
    scene=scene_of,
    hidden_starts=True,
)


def opening(colour: bool, ruleset: Ruleset = ICC, fen: str = chess.STARTING_FEN, seed: int = 0) -> Opening:
    """What a seat is told of a game from a public start."""
    return Opening.of(Game(ruleset, fen), colour, seed)
