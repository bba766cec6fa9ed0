"""The numbers of `advantage-search`, in one place: its own, and those shared with `mcts-b` and `mcts-c`."""

from dataclasses import dataclass

from ks_baselines.darkboard.evaluation import COMPONENTS
from ks_baselines.mcts.constants import Constants, Kinds

LOSSES = COMPONENTS.index("expected losses")
LEAD_SCALE = 1.5  # pawns


# Fitted to 80 games of an earlier default player against the default Darkboard, as
# `research.danger` does it.
DANGER = (
    *(-3.794, 0.185, 0.601, 0.087, 0.367, 0.009, -0.365),  # STOOD
    *(0.165, 2.017, 0.575, 0.266, 1.214, 0.789, -0.782),  # MOVED
    *(0.024, 1.188, 0.409, 2.486, -0.477, 3.099, -0.081),  # TOOK
)
# By component: see `COMPONENTS`.
PARTS = (
    *(1.138, 1.417, 1.151, 1.267, 0.965, 0.817, 1.198, 0.927),
    *(0.926, 0.8, 1.427, 0.4, 0.915, 0.958, 1.054, 0.738),
)


@dataclass(frozen=True)
class AdvantageConstants(Constants):
    """What the player goes by; what is added at the root is what the networks are told of.

    Found by hand, after nine rounds of `research.tune_mcts` on an evaluation without `danger`.
    """

    exploration: float = 0.1
    # More nodes than there are tries bring nothing so far: the tree below knows less than what is added at
    # the root. Hence the trust.
    trust: float = 1000.0
    own: Kinds = (0, 2.454, 2.787, 3.602, 4.725, 8.521, 0)
    enemy_pawn: float = 1.6436
    enemy_piece: float = 2.6272
    pawn_try: float = 0.0  # `losses.chance_taken` has the opponent's pawns
    piece_rate: float = 2.0  # as in a later implementation
    danger: tuple[float, ...] = DANGER  # weights of `losses.chance_taken`: STOOD, MOVED, TOOK
    advance: float = 0.0193  # for each rank that a pawn has gone
    curiosity: float = -0.0295  # for a refusal, which costs nothing and tells something
    fear: float = 1.0  # weight of expected losses
    hope: float = 0.4  # weight of the man that a move is expected to capture
    check: float = 0.0477  # for a check
    pressure: float = 0.0157  # for each square around their king that own men are expected to control
    nearness: float = 0.031  # for each step that a man comes nearer to that king
    calm: float = 0.4  # share of the fear that is lost as the fifty-move clock runs out
    bold: float = 1.0256  # the same when far ahead
    lead: float = 0.7183  # pawns ahead at which it is halfway between the two
    parts: tuple[float, ...] = PARTS  # weights of Darkboard's components
    loops: float = 0.9177  # weight of Darkboard's dislike of loops and of its pawns' hurry


DEFAULT = AdvantageConstants()
