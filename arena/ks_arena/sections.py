"""YAML files with checked sections: what configs of training, studies and published tables have in common."""

import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Annotated, Any, TypeVar, get_args

import yaml
from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ValidationError,
    ValidationInfo,
)

from ks_arena.shipped import config_names, find_shipped
from ks_env.core.hints import hint, nearest
from ks_env.core.ruleset import Ruleset
from ks_env.core.start import parse_fen
from ks_env.players.registry import make_player
from ks_env.players.trust import check_named_in_file

MOST_VALUES = 100_000  # in a YAML file
SEEDS = 2**32  # numpy's own generator takes no more


class ConfigError(ValueError):
    """A config that cannot be used; the message names the file, the key and what was expected."""


class Section(BaseModel):
    """A part of a config: unknown keys, NaN and infinity are refused, values cannot change."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)


AnySection = TypeVar("AnySection", bound=Section)


def _one_or_many(value: Any) -> Any:
    return [value] if isinstance(value, str) else value


def accepted_by(check: Callable[[str], object]) -> AfterValidator:
    """For text as it is, of which `check` raises no ValueError."""

    def checked(text: str) -> str:
        check(text)
        return text

    return AfterValidator(checked)


def one_of(what: str, names: Callable[[], Iterable[str]]) -> AfterValidator:
    """For a name among these; `what` is said of others."""

    def check(name: str) -> None:
        if name not in (known := list(names())):
            raise ValueError(f"unknown {what} {name!r}; expected one of {', '.join(known)}")

    return accepted_by(check)


def _known_player(name: str, info: ValidationInfo) -> str:
    if info.context is not None:  # it comes from a file
        check_named_in_file(name)
    make_player(name)
    return name


def _known_options(options: dict[str, Any], info: ValidationInfo) -> dict[str, Any]:
    if "ruleset" in info.data:  # otherwise that is the fault
        Ruleset.named(info.data["ruleset"], **options)
    return options


RulesetName = Annotated[str, accepted_by(Ruleset.named)]
RulesetOptions = Annotated[dict[str, Any], AfterValidator(_known_options)]  # of the field `ruleset` before it
PlayerName = Annotated[str, AfterValidator(_known_player)]
Starts = Annotated[
    tuple[Annotated[str, accepted_by(parse_fen)], ...], BeforeValidator(_one_or_many), Field(min_length=1)
]


def _size(value: Any, known: dict[int, int]) -> int:
    """How many values there are in one, those of aliases as often as they are named.

    A few lines of YAML can name each other so often that no memory holds what they stand for.
    """
    if not isinstance(value, (dict, list)):
        return 1
    if id(value) not in known:
        known[id(value)] = MOST_VALUES + 1  # if it is met within itself
        inner = value.values() if isinstance(value, dict) else value
        known[id(value)] = 1 + sum(_size(each, known) for each in inner)
    return known[id(value)]


def read_yaml(path: Path | str) -> dict[str, Any]:
    """The keys of a YAML file, which may be named as `ks_arena.shipped` says.

    Raises:
        ConfigError: no such file, or no YAML with keys.
    """
    path = find_shipped(path)
    try:
        data = yaml.safe_load(path.read_text(encoding="utf-8"))
    except OSError as error:
        near = nearest(path, config_names())
        named = f", or a name of `ks configs`{f' such as {near}' if near else ''}"
        raise ConfigError(f"{path}: cannot be read: {error.strerror}; expected a YAML file{named}") from error
    except RecursionError as error:
        raise ConfigError(f"{path}: is nested too deep; expected keys and values in a few levels") from error
    except (yaml.YAMLError, ValueError, OverflowError) as error:  # of text, dates and numbers
        raise ConfigError(f"{path}: is not YAML: {' '.join(str(error).split())}") from error
    if _size(data, {}) > MOST_VALUES:
        raise ConfigError(f"{path}: has more than {MOST_VALUES:,} values once its aliases are written out")
    if not isinstance(data, dict):
        raise ConfigError(f"{path}: expected keys such as name and seed, found {type(data).__name__}")
    return data


def load_section(kind: type[AnySection], path: Path | str) -> AnySection:
    """Read a file whose keys are those of `kind`.

    Raises:
        ConfigError: no such file, no YAML, an unknown key or a wrong value.
    """
    return check_section(kind, read_yaml(path), str(path), from_file=True)


def check_section(
    kind: type[AnySection], data: dict[str, Any], source: str, *, from_file: bool = False
) -> AnySection:
    """The section with these keys; `source` is named in the errors.

    Args:
        kind: the section.
        data: its keys.
        source: named in errors.
        from_file: others may have written it: its players may not run what the user has not allowed
            (`ks_env.players.trust`).

    Raises:
        ConfigError: an unknown key or a wrong value.
    """
    try:
        return kind.model_validate(data, context={"file": source} if from_file else None)
    except ValidationError as error:
        raise ConfigError("\n".join(_explain(kind, source, fault) for fault in _causes(error))) from error


def dump_section(section: Section) -> str:
    """The section as YAML that `load_section` reads back, defaults written out."""
    return yaml.safe_dump(json.loads(section.model_dump_json()), sort_keys=False, allow_unicode=True)


def _causes(error: ValidationError) -> list[Any]:
    """The faults, without those of a list that are due to the faults of its members."""
    faults = error.errors()
    within = {fault["loc"][:depth] for fault in faults for depth in range(len(fault["loc"]))}
    return [fault for fault in faults if fault["type"] != "too_short" or fault["loc"] not in within]


def _explain(kind: type[Section], path: str, fault: Any) -> str:
    where = ".".join(str(part) for part in fault["loc"])
    if fault["type"] == "extra_forbidden":
        known = _known_keys(kind, fault["loc"][:-1])
        names = ", ".join(known)
        near = hint(fault["loc"][-1], known)
        return f"{path}: {where}: unknown key{near}; expected {f'one of {names}' if names else 'none'}"
    if fault["type"] == "missing":
        return f"{path}: {where}: missing; expected a value"
    reason = fault["msg"].removeprefix("Value error, ")
    if not where:  # of several keys, which it names
        return f"{path}: {reason}"
    said = f"{path}: {where}: {reason[0].lower()}{reason[1:]}"
    checked = fault["type"] == "value_error"  # by a function of ours, which names what is wrong in a list
    if checked and (isinstance(fault["input"], list) or repr(fault["input"]) in reason):
        return said
    return f"{said}; found {fault['input']!r}"


def _known_keys(section: type[BaseModel], location: tuple[str | int, ...]) -> list[str]:
    """The keys of the section at a location.

    A location is made of keys, numbers of list members, and the tags of unions such as `kind: ladder`.
    """
    inner: list[type[BaseModel]] = [section]
    for part in location:
        if not isinstance(part, str):
            continue
        if not inner:  # within a value that has no keys of ours
            return []
        if part in inner[0].model_fields:
            inner = _sections_of(inner[0].model_fields[part].annotation)
        else:
            inner = [each for each in inner if _tag(each) == part]
    return list(inner[0].model_fields) if inner else []


def _sections_of(annotation: Any) -> list[type[BaseModel]]:
    """The sections within an annotation such as `tuple[Stage, ...]`."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return [annotation]
    return [section for inner in get_args(annotation) for section in _sections_of(inner)]


def _tag(section: type[BaseModel]) -> str | None:
    """What the key `kind` has to be for this section of a union."""
    field = section.model_fields.get("kind")
    return None if field is None else str(field.default)
