"""Search for better constants of Darkboard by playing, see `research.evolution`.

    python -m research.tune_darkboard --run runs/tune --rounds 20 --pairs 600

Every constant of `NAMES` is scaled by exp(x). `--show` prints the constants that a run has come to.
"""

from dataclasses import replace
from math import inf

from ks_baselines.darkboard.constants import DEFAULT, MoreConstants
from ks_baselines.darkboard.hard_rules import take_first
from ks_baselines.darkboard.player import DarkboardPlayer
from ks_baselines.darkboard.search import DEEPEST

from research.evolution import Space, X, main, scale, values_of

_NAMES = """
    material.1 material.2 material.3 material.4 material.5
    recapture.1 recapture.2 recapture.3 recapture.4 recapture.5 recapture.6
    further_queen enemy_pawn enemy_piece needed_pawn advancement open_file control gathering
    information pawn_entropy entropy age_scale mate stalemate feeding scarcity threat hope
    pawn_captures piece_captures piece_retakes piece_threat mate_share stalemate_risk
    piece_stuck shelter promotion repetition hurry
"""
NAMES = tuple(_NAMES.split())
CHANCES = ("recapture", "pawn_captures", "piece_captures", "piece_retakes", "piece_stuck")
METAPOSITIONS = 300


def scaled(constants: MoreConstants, x: X) -> MoreConstants:
    """The constants, each of `NAMES` times exp(x); chances stay at most 1."""
    values = values_of(constants)
    for name, power in zip(NAMES, x, strict=True):
        scale(values, name, power, 1.0 if name.partition(".")[0] in CHANCES else inf)
    return replace(constants, **values)


def tuned_player(constants: MoreConstants) -> DarkboardPlayer:
    """A player with these constants."""
    return DarkboardPlayer("tuned", constants, take_first, METAPOSITIONS, None, DEEPEST)


SPACE = Space(
    names=NAMES,
    default=DEFAULT,
    vary=scaled,
    make=tuned_player,
    opponents={"capture": 5, "random": 2, "darkboard:improved,metapositions=300": 4},
    draw=0.3,  # draws are what costs wins; still better than losses
)

if __name__ == "__main__":
    main(SPACE, __doc__)
