"""The numbers of approach A, in one place, each with its source; see `ks_baselines.mcts.constants`."""

from dataclasses import dataclass

from ks_baselines.compiled import Numbers


@dataclass(frozen=True)
class Constants(Numbers):
    """What the player goes by. Ciancarini and Favini (2010) give none of these as numbers."""

    exploration: float = 1.0  # c of UCT: "did not have any impact on performance" (§5.1); ours
    pool: float = 100.0  # boards a decision; published
    attempts: float = 20.0  # at each of them, until none of the last message speaks against it; ours
    floor: float = 0.001  # added to D(p, t), so that no square that is left open is impossible; ours
    recapture: float = 0.95  # §5.1: "almost always try to capture back"; a figure of ours
    pawn_try: float = 0.95  # "or exploit a pawn try when possible"; ours
    rejections: float = 6.0  # men drawn before all are looked at for one that can move; ours


DEFAULT = Constants()
