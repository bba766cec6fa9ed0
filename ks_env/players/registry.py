"""Players by name, with parameters in the name: `"mcts-c:nodes=5000,c=2"`, `"darkboard:improved"`.

Other packages add theirs through the entry-point group `ks_env.players`: the entry's name is the
player's, its object a factory that takes the parameters as keywords and gives a `Player`.

A factory that no package announces is named by where it is: `"my_package.module:factory"`, parameters after
one more colon, `"my_package.module:factory:nodes=5000"`.
"""

import ast
import importlib
import inspect
import re
import warnings
from collections.abc import Callable, Iterator
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from itertools import islice
from typing import Any, get_type_hints

from ks_env.core.hints import hint
from ks_env.games import serves
from ks_env.games.definition import GameDefinition
from ks_env.players.kernel_player import capture_player, random_player
from ks_env.players.protocol import BatchPlayer, Player

GROUP = "ks_env.players"
DISTRIBUTION = "ks-env"
OURS = ("ks_env", "ks_baselines", "ks_arena", "ks_train", "ks_play")  # its packages
Factory = Callable[..., Player]

BUILT_IN: dict[str, Factory] = {"random": random_player, "capture": capture_player}
NEEDED = ("name", "begin", "choose")  # attributes of a `Player`

DOTTED = r"[^\W\d]\w*(?:\.[^\W\d]\w*)*"  # identifiers joined by dots
PLACE = re.compile(f"(?P<module>{DOTTED}):(?P<attribute>{DOTTED})(?::(?P<rest>.*))?", re.S)
FORMS = "name:key=value,key=value or package.module:factory:key=value,key=value"
LONGEST = 10_000  # characters of a name with its parameters
OPENING = ("'", '"', "(", "[", "{")  # that a value may begin with in which commas are its own
TRIED_ENDS = 8  # of such a value


@cache
def announced() -> dict[str, EntryPoint]:
    """The entry points of installed packages by name, looked up once a process, which takes milliseconds."""
    return {entry.name: entry for entry in entry_points(group=GROUP)}


def is_ours(spec: str) -> bool:
    """Whether a player's code is a part of this package: announced by it, or at a place within it."""
    name, _ = parse_name(spec)
    if name in BUILT_IN:
        return True
    if name in announced():
        found = announced()[name].dist
        return found is not None and found.name == DISTRIBUTION
    return name.partition(":")[0].partition(".")[0] in OURS


def player_names() -> list[str]:
    """Names of all players that can be made, sorted, but those that are found by their place."""
    return sorted({*BUILT_IN, *announced()})


def parse_name(spec: str) -> tuple[str, dict[str, Any]]:
    """Split `"name:key=value,key=value"`, or `"package.module:factory:key=value"`, into name and parameters.

    The text names a place if its part before the first colon is not a name of the registry and that part and
    the one up to the next colon (or the end) are identifiers joined by dots; the name is then
    `"package.module:factory"`.

    Values are Python literals, or else text. A comma within quotes or brackets belongs to the value. A
    parameter of a registered name may be a bare word: `"name:key"` is `"name:key=True"`.

    Raises:
        ValueError: the text has neither form.
    """
    given: Any = spec
    if not isinstance(given, str):
        raise ValueError(f"player {spec!r}: expected a name, {FORMS}")
    spec = spec.strip()
    if len(spec) > LONGEST:
        raise ValueError(f"player {spec[:40]!r}...: {len(spec):,} characters; expected at most {LONGEST:,}")
    place = PLACE.fullmatch(spec)
    if place and place["module"] not in player_names():
        name, rest = f"{place['module']}:{place['attribute']}", place["rest"] or ""
    else:
        name, _, rest = spec.partition(":")
    parameters: dict[str, Any] = {}
    for part in _parts(rest):
        key, equals, value = part.partition("=")
        if not key.strip().isidentifier():
            raise ValueError(f"bad parameter {part!r} in player {spec!r}; expected {FORMS}")
        parameters[key.strip()] = _value(value.strip()) if equals else True
    return name, parameters


def _value(text: str) -> Any:
    try:
        with warnings.catch_warnings(action="ignore", category=SyntaxWarning):  # text that begins with digits
            return ast.literal_eval(text)
    except (ValueError, SyntaxError, RecursionError, MemoryError):  # the latter two of deep brackets
        return text


def _parts(rest: str) -> Iterator[str]:
    """The parameters of a name, cut at the commas that stand outside of quotes and brackets."""
    start = 0
    while start < len(rest):
        comma = rest.find(",", start)
        end = comma if comma >= 0 else len(rest)
        key, equals, value = rest[start:end].partition("=")
        if equals and value.strip()[:1] in OPENING:
            begin = start + len(key) + 1
            for longer in islice(_ends(rest, begin), TRIED_ENDS):
                text = rest[begin:longer].strip()
                if _value(text) != text:
                    end = longer
                    break
        if end > start:
            yield rest[start:end]
        start = end + 1


def _ends(text: str, start: int) -> Iterator[int]:
    """Where a value that begins there may end: at commas outside of quotes and brackets, and at the last."""
    quote, depth, at = "", 0, start
    while at < len(text):
        letter = text[at]
        if quote:
            at += letter == "\\"
            quote = "" if letter == quote else quote
        elif letter in "'\"":
            quote = letter
        elif letter == "," and depth <= 0:
            yield at
        else:
            depth += (letter in "([{") - (letter in ")]}")
        at += 1
    yield len(text)


def _factory(name: str) -> Factory:
    if name in BUILT_IN:
        return BUILT_IN[name]
    if name in announced():
        loaded: Factory = announced()[name].load()
        return loaded
    if ":" in name:
        return _imported(name)
    raise ValueError(
        f"unknown player {name!r}{hint(name, player_names())}; expected one of {', '.join(player_names())},"
        " or package.module:factory"
    )


def class_of(name: str) -> Any:
    """The class of the players that a name stands for, as its factory declares it; None where it does not.

    No player is made.
    """
    factory = _factory(name)
    return factory if inspect.isclass(factory) else get_type_hints(factory).get("return")


def _imported(name: str) -> Factory:
    """The object at a place `"package.module:factory"`.

    Raises:
        ValueError: it is not there, is not callable, or its module cannot be imported.
    """
    path, _, attribute = name.partition(":")
    try:
        found: Any = importlib.import_module(path)
    except ModuleNotFoundError as error:
        # The module's own import of another that is missing is another fault.
        if error.name is None or not f"{path}.".startswith(f"{error.name}."):
            raise ValueError(f"player {name!r}: importing {path} failed: {error}") from error
        raise ValueError(
            f"player {name!r}: there is no module {error.name!r}, and no player is called"
            f" {path!r}; expected one of {', '.join(player_names())}, or package.module:factory"
        ) from error
    except Exception as error:  # whatever another's module raises
        raise ValueError(
            f"player {name!r}: importing {path} failed: {type(error).__name__}: {error}"
        ) from error
    for part in attribute.split("."):
        if not hasattr(found, part):
            near = hint(part, dir(found))
            raise ValueError(f"player {name!r}: {path} has no attribute {attribute!r}{near}")
        found = getattr(found, part)
    if not callable(found):
        raise ValueError(f"player {name!r}: is {found!r}; expected a callable that gives a player")
    factory: Factory = found
    return factory


def find_factory(spec: str) -> tuple[Factory, dict[str, Any]]:
    """What makes a player, and the parameters that it takes; no player is made.

    Args:
        spec: a name of the registry or the place of a factory, with parameters; see `parse_name`.

    Raises:
        ValueError: there is no such player, or it does not take such parameters.
    """
    name, parameters = parse_name(spec)
    factory = _factory(name)
    try:
        signature = inspect.signature(factory)
        signature.bind(**parameters)
    except TypeError as error:
        taken = ", ".join(inspect.signature(factory).parameters) or "none"
        raise ValueError(f"player {spec!r}: {error}; it takes the parameters: {taken}") from error
    return factory, parameters


def make_player(spec: str) -> Player:
    """A new player.

    Args:
        spec: as for `find_factory`.

    Raises:
        ValueError: see `find_factory`; a parameter has a wrong value; or what the factory gives is not a
            player.
    """
    factory, parameters = find_factory(spec)
    return check_player(factory(**parameters), spec)


def check_player(player: Any, spec: str) -> Player:
    """The player, which has to have all that a `Player` has.

    Args:
        player: what was made.
        spec: the name of the player, or of the factory that made it.

    Raises:
        ValueError: it lacks some of that.
    """
    lacking = [attribute for attribute in NEEDED if not hasattr(player, attribute)]
    if lacking:
        kind = type(player)
        hint = "; give a BatchPlayer itself, not by name or class" if isinstance(player, BatchPlayer) else ""
        raise ValueError(
            f"player {spec!r}: what it gives, a {kind.__module__}.{kind.__qualname__}, is not a Player:"
            f" it lacks {', '.join(lacking)}{hint}"
        )
    made: Player = player
    return made


def players_of(game: GameDefinition) -> tuple[str, ...]:
    """Names of the players that play the game, where their factories declare what they give."""
    return tuple(name for name in player_names() if _declares(name, game))


def _declares(name: str, game: GameDefinition) -> bool:
    try:
        return serves(class_of(name), game)
    except Exception:  # its package, or one that it needs, cannot be imported
        return False


def check_plays(player: Any, game: GameDefinition) -> None:
    """Refuse a player that does not know the game.

    Raises:
        ValueError: it does not; the message names those that do.
    """
    if not serves(player, game):
        name = getattr(player, "name", repr(player))
        raise ValueError(
            f"the player {name!r} does not play {game.id}; expected one of {', '.join(players_of(game))}, "
            f"or another with {game.id!r} among its games"
        )
