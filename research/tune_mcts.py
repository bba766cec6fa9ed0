"""Search for better constants of `advantage-search` by playing, see `research.evolution`.

    python -m research.tune_mcts --run runs/tune --rounds 20 --pairs 600

A constant of `NAMES` is scaled by exp(x), one of `SHIFTS` has so much times x added. `--show` prints the
constants that a run has come to.
"""

from dataclasses import replace
from functools import partial
from operator import add

from ks_baselines.darkboard.evaluation import COMPONENTS
from ks_baselines.mcts.advantage_search.constants import DEFAULT, AdvantageConstants
from ks_baselines.mcts.advantage_search.player import AdvantageSearchPlayer
from ks_baselines.mcts.player import Settings

from research.evolution import Space, X, changed, main, scale, values_of

SHIFTS = {  # constants that may be negative, and what an x of 1 adds
    "check": 0.4,
    "curiosity": 0.3,
    "pressure": 0.1,
    "nearness": 0.1,
    "calm": 0.4,
    "bold": 0.4,
    "lead": 2.0,
}
_SCALED = "own.1 own.2 own.3 own.4 own.5 enemy_pawn enemy_piece fear hope loops advance"
PARTS = tuple(f"parts.{i}" for i in range(len(COMPONENTS)))
NAMES = (*_SCALED.split(), *SHIFTS, *PARTS)
NODES = 45  # about as many as there are tries: each is judged once


def varied(constants: AdvantageConstants, x: X) -> AdvantageConstants:
    """The constants, each of `NAMES` scaled or shifted."""
    values = values_of(constants)
    for name, by in zip(NAMES, x, strict=True):
        if name in SHIFTS:
            changed(values, name, partial(add, by * SHIFTS[name]))
        else:
            scale(values, name, by)
    return replace(constants, **values)


def tuned_player(constants: AdvantageConstants) -> AdvantageSearchPlayer:
    """A player with these constants that goes by its rules of thumb: learnt values would hide them."""
    return AdvantageSearchPlayer("tuned", constants, Settings(nodes=NODES), networks=())


SPACE = Space(
    names=NAMES,
    default=DEFAULT,
    vary=varied,
    make=tuned_player,
    opponents={"darkboard:metapositions=1": 6, "darkboard:improved,metapositions=300": 2},
    draw=0.45,
)

if __name__ == "__main__":
    main(SPACE, __doc__)
