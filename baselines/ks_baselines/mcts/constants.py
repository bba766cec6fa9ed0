"""The numbers of the MCTS players, in one place, each with its source.

"The paper" is Ciancarini and Favini, "Monte Carlo tree search in Kriegspiel" (2010), by section; "counted" is
what it names without a figure, as often as it came about in the games that the package's profile is made of
(`research.turn_chances`, docs/results/mcts/turn-chances.json); "ours" is a choice of this project.
"""

from dataclasses import dataclass

from ks_baselines.compiled import Numbers

Kinds = tuple[float, float, float, float, float, float, float]  # by kind of man; entry 0 unused
ALL_ALIKE: Kinds = (0, 1, 1, 1, 1, 1, 0)


@dataclass(frozen=True)
class Constants(Numbers):
    """What the players go by. The defaults are the paper's, as far as it tells."""

    exploration: float = 0.3  # c of UCT, "a lower value" than B's (§6.1): ours, by docs/results/mcts-c
    scale: float = 4.0  # men by which values are divided before UCT compares them; ours
    own: Kinds = ALL_ALIKE  # the paper, §5.2: "counting how many pieces the player has left"
    enemy_pawn: float = 1.0  # "minus the number of enemy pieces left"
    enemy_piece: float = 1.0
    trust: float = 1.0  # how many draws the weighted average counts for, beside those of the tree; ours
    retaliation: float = 0.47  # the paper, §5.2: "a very high chance", against people; counted
    pawn_try: float = 0.9  # the paper, §5.1: "almost always [...] exploit a pawn try"; a figure of ours
    suffering: float = 0.015  # the paper, §5.2: "a fixed chance to suffer a capture"; counted
    checker_taken: float = 0.1  # the paper, §5.2: constant chance that a checking man is captured; counted
    king_rate: float = 1.0  # the paper, §5.2: all men move equally often
    pawn_rate: float = 1.0
    piece_rate: float = 1.0


APPROACH_C = Constants()

APPROACH_B = Constants(
    # The paper, §6.1: "Approach C uses a lower value of c leaning towards exploitation more"; no figure is
    # given. Published ones differ by a factor of 2. It is kept, in the direction that the paper says.
    exploration=0.6,
)
