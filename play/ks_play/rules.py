"""The options of a game's rules, as the game itself has them, for the page on which a game is chosen."""

import inspect
import re
from dataclasses import fields
from typing import Any

from ks_env.core.ruleset import ENUMS, LIMITS, Ruleset
from ks_env.games import GameDefinition

ATTRIBUTE = re.compile(r"^    (\w+): (.*(?:\n {8,}.*)*)", re.M)


def offered(definition: GameDefinition) -> list[dict[str, Any]]:
    """Every field of the rules that the game lets one replace.

    Returns:
        For each its name, what it means, its kind ("yes", "number" or "choice") with bounds or choices, and
        its value in every ruleset of the game.
    """
    rulesets = definition.notation.rulesets
    meanings = {
        name: " ".join(text.split()) for name, text in ATTRIBUTE.findall(inspect.getdoc(Ruleset) or "")
    }
    found = []
    for field in fields(Ruleset)[1:]:
        values = {name: getattr(rules, field.name) for name, rules in rulesets.items()}
        name, rules = next(iter(rulesets.items()))
        try:
            definition.options.under(name, {field.name: getattr(rules, field.name)}).rules()
        except ValueError:
            continue
        found.append(
            {"name": field.name, "about": meanings[field.name], **_kind(field.name), "values": values}
        )
    for option in found:
        if option["kind"] == "choice":
            option["values"] = {name: member.name.lower() for name, member in option["values"].items()}
    return found


def _kind(name: str) -> dict[str, Any]:
    if name in ENUMS:
        return {"kind": "choice", "choices": [member.name.lower() for member in ENUMS[name]]}
    if name in LIMITS:
        return {"kind": "number", "least": 1, "most": LIMITS[name]}
    return {"kind": "yes"}
