"""The six rulesets as the tests understand them: one row of words a ruleset."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal


@dataclass(frozen=True, kw_only=True)
class Rules:
    """What the referee says, to whom, and what ends the game. The defaults are those of ICC."""

    name: str
    illegal_public: bool = False
    hopeless_word: Literal["illegal", "nonsense"] = "illegal"
    hopeless_public: bool = False
    unannounced_capture_hopeless: bool = False
    kind_said: bool = True
    en_passant_named: bool = False
    tries: Literal["unsaid", "number", "yes or no", "squares"] = "unsaid"
    any: Literal["never", "until one is legal", "one try"] = "never"
    promotion_said: bool = False
    stalemate_loses: bool = False
    fifty_moves: bool = True
    threefold: bool = True
    max_tries: int = 256
    max_plies: int = 1000


ICC: Final = Rules(name="icc", tries="number")
BERKELEY: Final = Rules(name="berkeley", illegal_public=True, hopeless_word="nonsense", kind_said=False)
BERKELEY_ANY: Final = Rules(
    name="berkeley-any",
    illegal_public=True,
    hopeless_word="nonsense",
    kind_said=False,
    any="until one is legal",
)
CINCINNATI: Final = Rules(
    name="cincinnati",
    illegal_public=True,
    hopeless_word="nonsense",
    hopeless_public=True,
    unannounced_capture_hopeless=True,
    tries="yes or no",
)
RAND: Final = Rules(
    name="rand",
    illegal_public=True,
    hopeless_word="nonsense",
    hopeless_public=True,
    tries="squares",
    promotion_said=True,
    stalemate_loses=True,
)
ENGLISH: Final = Rules(
    name="english",
    illegal_public=True,
    hopeless_public=True,
    kind_said=False,
    en_passant_named=True,
    any="one try",
)
RULES: Final = {rules.name: rules for rules in (ICC, BERKELEY, BERKELEY_ANY, CINCINNATI, RAND, ENGLISH)}
