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

from collections.abc import Sequence

import chess

from ks_env.core.planes import STATE_SHAPE, write_state
from ks_env.core.ruleset import ICC, RULESETS, Ruleset
from ks_env.games.definition import GameDefinition, Notation
from ks_env.games.kriegspiel.file import GameFile, from_said, to_said
from ks_env.games.kriegspiel.game import Game
from ks_env.games.kriegspiel.kernels import KERNELS
from ks_env.games.kriegspiel.layout import GAME, VIEW
from ks_env.games.kriegspiel.options import Options
from ks_env.games.kriegspiel.planes import TABLE
from ks_env.games.kriegspiel.record import GameRecord
from ks_env.games.kriegspiel.scene import scene_of
from ks_env.games.kriegspiel.start import start_row
from ks_env.games.kriegspiel.words import from_words, to_words
from ks_env.games.opening import Opening

__all__ = ["KRIEGSPIEL", "hidden_opening", "opening"]

KRIEGSPIEL = GameDefinition(
    id="Kriegspiel",
    name="Kriegspiel",
    row=GAME,
    view=VIEW,
    kernels=KERNELS,
    planes=TABLE,
    state_shape=STATE_SHAPE,
    write_state=lambda game, out: write_state(game["truth"], out),
    options=Options,
    play=Game,
    notation=Notation(GameRecord, GameFile, to_said, from_said, to_words, from_words, RULESETS),
    scene=scene_of,
    has_metapositions=True,
    hidden_starts=True,
)


def opening(colour: bool, ruleset: Ruleset = ICC, fen: str = chess.STARTING_FEN, seed: int = 0) -> Opening:
    """What a seat is told of a game from a public start."""
    view = start_row(fen, ruleset)["views"][0 if colour else 1].copy()
    return Opening(KRIEGSPIEL, colour, ruleset, (fen,), view, seed)


def hidden_opening(
    colour: bool, ruleset: Ruleset, fens: Sequence[str], seed: int = 0, true: int = 0
) -> Opening:
    """What a seat is told of a hidden start.

    Args:
        colour: of the seat.
        ruleset: the rules.
        fens: placements that it cannot tell apart, of which one is on the board.
        seed: fixes all that is random.
        true: which of them is on the board.
    """
    view = start_row(fens[true], ruleset, hidden=True)["views"][0 if colour else 1].copy()
    return Opening(KRIEGSPIEL, colour, ruleset, tuple(fens), view, seed, hidden=True)
