"""Every number that Darkboard plays by, in one place, each with its source.

Sources: "the paper" is Ciancarini and Favini, "Representing Kriegspiel States with Metapositions" (2007), by
section; "published" are the figures of a published implementation where the paper gives none; "ours" is a
choice of this project where both are silent.
"""

from dataclasses import dataclass
from typing import ClassVar

from ks_baselines.compiled import Numbers

Kinds = tuple[float, float, float, float, float, float, float]  # by kind of man; entry 0 unused
Ranks = tuple[float, float, float, float, float, float, float, float]  # by rank 1..8 of the seat


@dataclass(frozen=True)
class Constants(Numbers):
    """What the paper's program plays by, and what its improved version has beyond it."""

    precision: ClassVar[str] = "f8"

    # material safety (the paper, §4.1)
    material: Kinds = (0, 1.6, 2.8, 3.0, 4.0, 9.0, 4.0)  # published; the king's weight is ours
    further_queen: float = 10.0  # published: for each queen but the first (the paper, §4.2 "multiple queens")
    enemy_pawn: float = -2.0  # published: for each pawn that the opponent has left
    enemy_piece: float = -5.0  # published: for each piece that it has left, the king apart
    moved_danger: float = 1.5  # published: factor if the man has just moved
    bare_danger: float = 0.25  # published: least danger of a man that nothing protects
    protection: Kinds = (0, 0.4, 0.4, 0.3, 0.25, 0.15, 0.35)  # published: what a protector takes off
    pawn_try_danger: float = 0.5  # ours: least danger of a man on which the opponent gets a pawn try
    needed_pawn: float = 2.0  # ours: factor of a pawn's material when mating material lacks (the paper, §4.2)

    # position (the paper, §4.2)
    advancement: Ranks = (0, 0, 0.02, 0.06, 0.15, 0.35, 0.8, 0)  # ours: a pawn, by its rank
    open_file: float = 1.0  # published: own pawn on a file without a possible enemy pawn
    control: float = 0.025  # published: for each controlled square
    gathering: float = 0.05  # ours: own men drawn to the own king, for each step of distance
    gathering_men: float = 5.0  # ours: "when few are left" (published) means so many at most

    # information (the paper, §4.3)
    information: float = 1.0  # ours: weight of the entropy that two plies add
    age_scale: float = 30.0  # published
    pawn_entropy: Ranks = (0, 2.0, 1.0, 0.25, 0.1, 0.05, 0.02, 0)  # published: cost by rank
    entropy: Kinds = (0, 0, 0.01, 0.01, 0.02, 0.025, 0.005)  # published: cost of the other kinds

    # mate progress (the paper, §4.2)
    mating_men: float = 7.0  # published: the opponent has fewer men than this, and not more than we
    centrality: float = 0.05  # ours: weight of the centrality of the squares where its king may be
    one_line: float = 0.85  # published: factor if all those squares are on one line
    mate: float = 5000.0  # published: a possible mate
    mate_delay: float = 500.0  # published: less this for each move of depth
    stalemate: float = -2500.0  # published: risk of stalemate
    feeding: float = -2000.0  # published: a man left to the king

    # search (the paper, §3.2)
    alpha: float = 0.9  # published; the paper, §3.2: between 0 and 1
    alpha_balance: float = 0.0  # ours: what the balance of material takes off alpha at most (the paper, §3.2)
    alpha_rook: float = 0.02  # published: king and rook against king
    alpha_queen: float = 0.05  # published: king and queen against king
    alpha_bare: float = 1.0  # published: the own king is bare
    low: float = -150.0  # published: below, a node counts as −∞ and is not expanded
    high: float = 400.0  # published: above, as +∞
    best_moves: float = 5.0  # published: moves expanded at a node
    killers: float = 10.0  # published: killer moves expanded besides
    loop: float = 6.0  # published: own moves that the loop breaker looks back; 0 for no breaker
    jitter: float = 0.02  # ours: the seed adds up to so much to each try, lest all games be one

    retake: float = 6.0  # hard rules: the dearest kind that takes back before all else; published: any
    repetition: float = 1000.0  # ours: what the loop breaker takes off a move that goes in a loop


@dataclass(frozen=True)
class MoreConstants(Constants):
    """What the default player plays by; what it knows beyond the paper is all ours.

    Found by `research.tune_darkboard`: the mean of rounds 13 to 18 (docs/results/darkboard/tuning.json).
    """

    material: Kinds = (0, 2.52, 1.98, 3.75, 4.25, 7.2, 4)
    further_queen: float = 2.16
    enemy_pawn: float = -1.77
    enemy_piece: float = -2.93
    needed_pawn: float = 1.35
    advancement: Ranks = (0, 0, 0.0185, 0.0555, 0.139, 0.324, 0.74, 0)
    open_file: float = 0.923
    control: float = 0.0508
    gathering: float = 0.0489
    information: float = 1.5
    age_scale: float = 44.6
    pawn_entropy: Ranks = (0, 2.72, 1.36, 0.34, 0.136, 0.0679, 0.0272, 0)
    entropy: Kinds = (0, 0, 0.00714, 0.00714, 0.0143, 0.0179, 0.00357)
    centrality: float = 0.0
    mate: float = 6880.0
    stalemate: float = -2240.0
    feeding: float = -3120.0
    repetition: float = 0.72

    scarcity: float = 2.05  # a man is worth 1 + this / own men times its material
    threat: float = 4.78  # weight of the men that the opponent is expected to capture
    pawn_captures: float = 0.985  # chance that it makes a pawn capture that it has
    piece_captures: float = 0.587  # chance that a piece captures a man of which it knows nothing
    piece_retakes: float = 0.519  # chance that a piece captures a man that has just captured
    piece_threat: float = 1.2  # factor of the expected number of attacking pieces
    # chance that the least protector answers in kind
    recapture: Kinds = (0, 1, 0.762, 0.616, 0.392, 0.0983, 0.298)
    hope: float = 0.314  # weight of the man that a move is expected to capture
    mate_share: float = 50.2  # for the share of king squares that would be mate
    stalemate_risk: float = 268.0  # for the share of king squares that would be stalemate
    piece_stuck: float = 0.133  # chance that the king's other men cannot move, maybe a piece among them
    shelter: float = 1.09  # for each expected attacker of the own king
    promotion: Ranks = (0, 0.097, 0.291, 0.582, 1.16, 2.13, 3.88, 0)  # a pawn by rank, with its king alone
    # not tuned
    patience: float = 50.0  # half-moves without capture or pawn move before pawns are preferred
    hurry: float = 0.05  # for each half-move more
    chase_men: float = 2.0  # with so many other men its king is chased, if we have pieces enough
    chase_pawns: float = 4.0  # likewise where all of them are pawns
    bare_repetition: float = 3.0  # cost in moves of a placement that stood before, against a bare king


# The improved version of Ciancarini and Favini (2010, §6.1), `darkboard:improved`. Studies use it as an
# anchor: it does not change.
IMPROVED = Constants()
# The paper alone, `darkboard:literal`: no loop breaker, and alpha moves by the balance of material, by as
# much as keeps it below 1 for the side that is behind.
LITERAL = Constants(loop=0.0, alpha_balance=0.1)
DEFAULT = MoreConstants()
