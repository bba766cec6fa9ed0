"""Rulesets: what the referee says, to whom, and how games end. A ruleset is a value, not a branch."""

from dataclasses import dataclass, fields
from enum import IntEnum
from typing import Any

import numpy as np

from ks_env.core.hints import hint
from ks_env.core.layout import RULES


class PawnTries(IntEnum):
    """What is said of the pawn captures of the side now to move."""

    NONE = 0
    COUNT = 1
    YES_NO = 2
    SQUARES = 3


class AskAny(IntEnum):
    """What a player owes who asked "any?" and heard yes."""

    NONE = 0  # there is no such question
    UNTIL_LEGAL = 1  # pawn captures until one is accepted
    ONE_TRY = 2  # one pawn capture; if it is refused he is free again


# The same for kernels.
COUNT, YES_NO, SQUARES = int(PawnTries.COUNT), int(PawnTries.YES_NO), int(PawnTries.SQUARES)
NO_QUESTION, ONE_TRY = int(AskAny.NONE), int(AskAny.ONE_TRY)


ENUMS: dict[str, type[IntEnum]] = {"pawn_tries": PawnTries, "ask_any": AskAny}
LIMITS = {"max_tries": 65_535, "max_plies": 50_000}  # the counters of a game hold no more


def _member(field: str, value: Any) -> IntEnum:
    """A member of the field's enum, from itself or from its name."""
    kind = ENUMS[field]
    names = {member.name.lower(): member for member in kind}
    if isinstance(value, kind):
        return value
    if isinstance(value, str) and value.lower() in names:
        return names[value.lower()]
    raise ValueError(f"Ruleset.{field} is {value!r}; expected one of {', '.join(names)}")


@dataclass(frozen=True)
class Ruleset:
    """One set of rules.

    Attributes:
        name: how it is called in configs and records.
        refusal_heard: the opponent hears that a try was refused.
        says_nonsense: a try that is hopeless on one's own board, or repeated this turn, gets a word of
            its own; otherwise it is called illegal like any other.
        nonsense_heard: the opponent hears that answer.
        unannounced_capture_is_nonsense: a pawn capture when none was announced is nonsense too.
        kind_said: a capture says pawn or piece.
        en_passant_named: an en passant capture is named and its landing square given, not the pawn's.
        pawn_tries: what is said of the pawn captures of the side to move.
        ask_any: whether and how "any?" may be asked, once a turn. Question and answer are heard by both.
        promotion_said: a promotion is announced, not what or where.
        stalemate_loses: the stalemated side loses instead of drawing.
        fifty_moves: 100 half-moves without capture or pawn move are a draw.
        threefold: the third occurrence of a position is a draw.
        max_tries: the answer with this number in one turn, if it does not end the turn, loses the game;
            at most 65,535.
        max_plies: the game is truncated after so many half-moves; at most 50,000.
    """

    name: str
    refusal_heard: bool = False
    says_nonsense: bool = False
    nonsense_heard: bool = False
    unannounced_capture_is_nonsense: bool = False
    kind_said: bool = True
    en_passant_named: bool = False
    pawn_tries: PawnTries = PawnTries.NONE
    ask_any: AskAny = AskAny.NONE
    promotion_said: bool = False
    stalemate_loses: bool = False
    fifty_moves: bool = True
    threefold: bool = True
    max_tries: int = 256
    max_plies: int = 1000

    def __post_init__(self) -> None:
        """Refuse values of the wrong kind, and limits that make no game; take enums by name, too."""
        for field in fields(self):
            value = getattr(self, field.name)
            if field.name in ENUMS:
                object.__setattr__(self, field.name, _member(field.name, value))
            elif field.name in LIMITS:
                most = LIMITS[field.name]
                if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= most:
                    raise ValueError(
                        f"Ruleset.{field.name} is {value!r}; expected an integer from 1 to {most}"
                    )
            elif field.name != "name" and not isinstance(value, bool):
                raise ValueError(f"Ruleset.{field.name} is {value!r}; expected True or False")

    @classmethod
    def named(cls, name: "str | Ruleset", **options: Any) -> "Ruleset":
        """The ruleset of that name, with fields replaced by `options`.

        Raises:
            ValueError: no such ruleset, or no such option.
        """
        known = [f.name for f in fields(cls)]
        for option in options:
            if option not in known:
                raise ValueError(f"unknown ruleset option {option!r}; expected one of {', '.join(known[1:])}")
        if isinstance(name, cls):
            base = name
        elif isinstance(name, str) and name in RULESETS:
            base = RULESETS[name]
        else:
            near = hint(name, RULESETS)
            raise ValueError(f"unknown ruleset {name!r}{near}; expected one of {', '.join(RULESETS)}")
        return cls(**{**{f: getattr(base, f) for f in known}, **options})

    @property
    def history(self) -> int:
        """How many positions repetition has to remember at most."""
        if not self.threefold:
            return 1
        return (min(100, self.max_plies) if self.fifty_moves else self.max_plies) + 2

    def record(self) -> np.ndarray[Any, Any]:
        """The ruleset in numbers: RULES[1]."""
        out = np.zeros(1, RULES)
        for field in RULES.names or ():
            out[field] = int(getattr(self, field))
        return out


def check_ruleset(rules: Any) -> None:
    """Refuse what is no ruleset.

    Raises:
        ValueError: it is something else, such as a ruleset's name.
    """
    if not isinstance(rules, Ruleset):
        raise ValueError(f"ruleset is {rules!r}; expected a Ruleset, such as ks_env.RULESETS['icc']")


ICC = Ruleset("icc", pawn_tries=PawnTries.COUNT)
BERKELEY = Ruleset("berkeley", refusal_heard=True, says_nonsense=True, kind_said=False)
BERKELEY_ANY = Ruleset(
    "berkeley-any", refusal_heard=True, says_nonsense=True, kind_said=False, ask_any=AskAny.UNTIL_LEGAL
)
CINCINNATI = Ruleset(
    "cincinnati",
    refusal_heard=True,
    says_nonsense=True,
    nonsense_heard=True,
    unannounced_capture_is_nonsense=True,
    pawn_tries=PawnTries.YES_NO,
)
RAND = Ruleset(
    "rand",
    refusal_heard=True,
    says_nonsense=True,
    nonsense_heard=True,
    pawn_tries=PawnTries.SQUARES,
    promotion_said=True,
    stalemate_loses=True,
)
ENGLISH = Ruleset(
    "english",
    refusal_heard=True,
    nonsense_heard=True,
    kind_said=False,
    en_passant_named=True,
    ask_any=AskAny.ONE_TRY,
)

RULESETS: dict[str, Ruleset] = {
    rules.name: rules for rules in (ICC, BERKELEY, BERKELEY_ANY, CINCINNATI, RAND, ENGLISH)
}
