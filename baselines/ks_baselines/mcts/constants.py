"""The numbers of the MCTS players of T10 §5, in one place, each with its source.

"T10" is Ciancarini and Favini, "Monte Carlo tree search in Kriegspiel" (2010), by section; "published" are
the figures of a later implementation where T10 gives none; "ours" is a choice of this project.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from ks_baselines.darkboard.evaluation import COMPONENTS
from ks_baselines.records import layout_of, record_of

Kinds = tuple[float, float, float, float, float, float, float]  # by kind of man; entry 0 unused
ALL_ALIKE: Kinds = (0, 1, 1, 1, 1, 1, 0)


@dataclass(frozen=True)
class Constants:
    """What the players go by. The defaults are T10's, as far as it tells."""

    exploration: float = 2.0  # c of UCT; published for C ("a lower value of c" than B's, T10 §6.1)
    scale: float = 4.0  # men by which values are divided before UCT compares them; ours
    own: Kinds = ALL_ALIKE  # T10 §5.2: "counting how many pieces the player has left"
    enemy_pawn: float = 1.0  # "minus the number of enemy pieces left"
    enemy_piece: float = 1.0
    trust: float = 1.0  # how many draws the weighted average counts for, beside those of the tree; ours
    retaliation: float = 0.9  # T10 §5.2: "a very high chance"; a figure of ours
    suffering: float = 0.1  # T10 §5.2: "a fixed chance to suffer a capture"; published
    checker_taken: float = 0.2  # T10 §5.2: constant chance that a checking man is captured; ours
    king_rate: float = 1.0  # T10 §5.2: all men move equally often
    pawn_rate: float = 1.0
    piece_rate: float = 2.0  # published: piece rates doubled

    # what the default player knows beyond T10, all of it ours; not used by `mcts-c:literal`
    beyond: float = 0.0  # 1: use it; what is added at the root is what networks are told of
    danger: tuple[float, ...] = (0.0,) * 21  # weights of `knowing.chance_taken`: STOOD, MOVED, TOOK
    advance: float = 0.05  # for each rank that a pawn has gone
    curiosity: float = 0.0  # for a refusal, which costs nothing and tells something
    fear: float = 1.0  # weight of expected losses
    hope: float = 1.0  # weight of the man that a move is expected to capture
    check: float = 0.0  # for a check
    pressure: float = 0.0  # for each square around the opponent's king that own men are expected to control
    nearness: float = 0.0  # for each step that a man comes nearer to that king
    calm: float = 0.0  # share of the fear that is lost as the fifty-move clock runs out
    bold: float = 0.0  # the same when far ahead
    lead: float = 0.5  # pawns ahead at which it is halfway between the two
    parts: tuple[float, ...] = (1.0,) * len(COMPONENTS)  # weights of Darkboard's components
    loops: float = 1.0  # weight of Darkboard's dislike of loops and of its pawns' hurry

    def record(self) -> np.ndarray[Any, Any]:
        """The constants for the kernels: CONSTANTS[1]."""
        return record_of(self, CONSTANTS)


CONSTANTS = layout_of(Constants, "f4")
LITERAL = Constants()

APPROACH_B = Constants(
    # T10 §6.1: "Approach C uses a lower value of c leaning towards exploitation more"; no figure is given.
    # The published ones (1 in B, 2 in C, on scales of their own) differ by a factor of 2. It is kept, in the
    # direction that T10 says.
    exploration=4.0,
)

# Fitted to 80 games of an earlier default player against the default Darkboard, as
# `research.danger` does it.
DANGER = (
    *(-3.794, 0.185, 0.601, 0.087, 0.367, 0.009, -0.365),  # STOOD
    *(0.165, 2.017, 0.575, 0.266, 1.214, 0.789, -0.782),  # MOVED
    *(0.024, 1.188, 0.409, 2.486, -0.477, 3.099, -0.081),  # TOOK
)
# Found by hand, after nine rounds of `research.tune_mcts` on an evaluation without `danger`.
# More nodes than there are tries bring nothing so far: the tree below knows less than what is added at
# the root. Hence the trust.
DEFAULT = Constants(
    exploration=0.1,
    trust=1000.0,
    own=(0, 2.454, 2.787, 3.602, 4.725, 8.521, 0),
    enemy_pawn=1.6436,
    enemy_piece=2.6272,
    beyond=1.0,
    danger=DANGER,
    advance=0.0193,
    curiosity=-0.0295,
    fear=1.0,
    hope=0.4,
    check=0.0477,
    pressure=0.0157,
    nearness=0.031,
    calm=0.4,
    bold=1.0256,
    lead=0.7183,
    parts=(
        1.138,
        1.417,
        1.151,
        1.267,
        0.965,
        0.817,
        1.198,
        0.927,
        0.926,
        0.8,
        1.427,
        0.4,
        0.915,
        0.958,
        1.054,
        0.738,
    ),
    loops=0.9177,
)
