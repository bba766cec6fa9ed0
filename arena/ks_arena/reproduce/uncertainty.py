"""How uncertain both players of a game of invisible chess were of hidden men.

See Bud et al. (2001, §6.1, Fig. 3).
"""

from functools import lru_cache

from ks_arena.match.referee import referee_of_result
from ks_arena.match.result import GameResult
from ks_arena.study.config import StudyConfig
from ks_env.belief.joint import Joint


@lru_cache(1)
def _joints() -> tuple[Joint, Joint]:
    return Joint(spread_captures=True), Joint(spread_captures=True)


def uncertainty(result: GameResult, config: StudyConfig, seat: int) -> tuple[float, float]:
    """Entropies in bits, summed over all turns of the game: the seat's, and its opponent's.

    The game is put before the referee once more; both distributions are kept as the paper's program seems to
    keep them, with `spread_captures`, whatever the players themselves knew. Each player's entropy is taken in
    its own turns, before its first try.
    """
    referee = referee_of_result(result, config)
    joints, totals = _joints(), [0.0, 0.0]
    for number, joint in enumerate(joints):
        joint.begin(referee.view(number))
    fresh = True
    for action in result.numbers:
        mover = referee.mover
        joints[mover].follow(referee.view(mover))
        if fresh:
            totals[mover] += joints[mover].entropy()
        fresh = referee.ask(action)
    return totals[seat], totals[1 - seat]
