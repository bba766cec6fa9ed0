"""A ruleset as a name and the options that differ from the ruleset of that name."""

from collections.abc import Mapping
from dataclasses import asdict, fields
from typing import Any

from ks_env.core.ruleset import ENUMS, Ruleset
from ks_env.games.definition import GameDefinition
from ks_env.games.words import RecordError


def ruleset_to_options(rules: Ruleset, game: GameDefinition) -> tuple[str, dict[str, Any]]:
    """The name, and the fields that differ from the named ruleset (all of them, if the name is not ours)."""
    base = game.notation.rulesets.get(rules.name)
    values = {name: value for name, value in asdict(rules).items() if name != "name"}
    changed = {k: v for k, v in values.items() if base is None or v != getattr(base, k)}
    return rules.name, {k: v.name.lower() if k in ENUMS else v for k, v in changed.items()}


def ruleset_from_options(name: str, options: Mapping[str, Any], game: GameDefinition) -> Ruleset:
    """The ruleset again.

    Raises:
        RecordError: an unknown option, a value of the wrong type, or a foreign name without all fields.
    """
    known = [f.name for f in fields(Ruleset) if f.name != "name"]
    rulesets = game.notation.rulesets
    base = rulesets.get(name)
    missing = [] if base is not None else [option for option in known if option not in options]
    if missing:
        raise RecordError(
            f"ruleset {name!r} is not one of {', '.join(rulesets)}, and option {missing[0]!r} is missing; "
            "expected a known ruleset or all options"
        )
    template = base or Ruleset(name)
    unknown = [option for option in options if option not in known]
    if unknown:
        raise RecordError(f"ruleset option {unknown[0]!r} is unknown; expected one of {', '.join(known)}")
    values = {k: _value(k, v, type(getattr(template, k))) for k, v in options.items()}
    try:
        return Ruleset(**{**{k: getattr(template, k) for k in known}, **values, "name": name})
    except ValueError as error:
        raise RecordError(str(error)) from error


def _value(option: str, value: Any, kind: type) -> Any:
    if option in ENUMS:
        names = [member.name.lower() for member in ENUMS[option]]
        if value not in names:
            raise RecordError(f"ruleset option {option} is {value!r}; expected one of {', '.join(names)}")
        return ENUMS[option][value.upper()]
    if type(value) is not kind:
        raise RecordError(f"ruleset option {option} is {value!r}; expected {kind.__name__}")
    return value
