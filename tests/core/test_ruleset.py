"""Rulesets are the rows of the table, and nothing else."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest

from ks_env.core.layout import RULES
from ks_env.core.ruleset import ICC, RULESETS, AskAny, PawnTries, Ruleset

# The table of the rules, column by column
TABLE: dict[str, dict[str, Any]] = {
    "icc": {"kind_said": True, "pawn_tries": PawnTries.COUNT},
    "berkeley": {"refusal_heard": True, "says_nonsense": True},
    "berkeley-any": {"refusal_heard": True, "says_nonsense": True, "ask_any": AskAny.UNTIL_LEGAL},
    "cincinnati": {
        "refusal_heard": True,
        "says_nonsense": True,
        "nonsense_heard": True,
        "unannounced_capture_is_nonsense": True,
        "kind_said": True,
        "pawn_tries": PawnTries.YES_NO,
    },
    "rand": {
        "refusal_heard": True,
        "says_nonsense": True,
        "nonsense_heard": True,
        "kind_said": True,
        "pawn_tries": PawnTries.SQUARES,
        "promotion_said": True,
        "stalemate_loses": True,
    },
    "english": {
        "refusal_heard": True,
        "nonsense_heard": True,
        "en_passant_named": True,
        "ask_any": AskAny.ONE_TRY,
    },
}
OFF: dict[str, Any] = {
    "refusal_heard": False,
    "says_nonsense": False,
    "nonsense_heard": False,
    "unannounced_capture_is_nonsense": False,
    "kind_said": False,
    "en_passant_named": False,
    "pawn_tries": PawnTries.NONE,
    "ask_any": AskAny.NONE,
    "promotion_said": False,
    "stalemate_loses": False,
}
COMMON = {"fifty_moves": True, "threefold": True, "max_tries": 256, "max_plies": 1000}


def test_all_rulesets_are_in_the_table() -> None:
    assert list(RULESETS) == list(TABLE)


@pytest.mark.parametrize("name", TABLE)
def test_fields_are_those_of_the_table(name: str) -> None:
    expected = {"name": name, **OFF, **TABLE[name], **COMMON}
    assert dataclasses.asdict(RULESETS[name]) == expected


@pytest.mark.parametrize("name", TABLE)
def test_the_record_holds_every_field(name: str) -> None:
    record = RULESETS[name].record()
    assert record.shape == (1,)
    assert {field: int(record[field][0]) for field in RULES.names or ()} == {
        field: int(getattr(RULESETS[name], field)) for field in RULES.names or ()
    }
    fields = {field.name for field in dataclasses.fields(Ruleset)}
    assert fields - set(RULES.names or ()) == {"name"}


def test_named() -> None:
    assert Ruleset.named("rand") is not None
    assert Ruleset.named("rand") == RULESETS["rand"]
    assert Ruleset.named(ICC, max_tries=3) == dataclasses.replace(ICC, max_tries=3)
    assert Ruleset.named("english", fifty_moves=False).fifty_moves is False


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("ic", r"unknown ruleset 'ic' \(did you mean 'icc'\?\); expected one of icc, berkeley"),
        ("BERKELEY!", "unknown ruleset 'BERKELEY!'; expected one of"),
        (7, "unknown ruleset 7"),
    ],
)
def test_unknown_names(name: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Ruleset.named(name)


def test_unknown_option() -> None:
    with pytest.raises(ValueError, match="unknown ruleset option 'max_trys'; expected one of refusal_heard,"):
        Ruleset.named("icc", max_trys=4)


@pytest.mark.parametrize("field", ["max_tries", "max_plies"])
@pytest.mark.parametrize("value", [0, -1, 2.0, "9", None, 1_000_000])
def test_limits_that_make_no_game(field: str, value: Any) -> None:
    with pytest.raises(ValueError, match=rf"Ruleset\.{field} is .*expected an integer from 1 to"):
        Ruleset("own", **{field: value})


def test_a_ruleset_is_a_value() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        ICC.max_plies = 3  # type: ignore[misc]
    assert hash(ICC) == hash(dataclasses.replace(ICC))
