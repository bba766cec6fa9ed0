"""What a user may call a player by: its registry name, a factory's place, or a trained model's file.

    random    mcts-c:nodes=5000             a name of the registry
    my_package.players:Careful:depth=3      package.module:factory
    runs/quickstart    best.zip:temperature=0.5    a run's folder or a model's file

All three become names that `ks_env.players.make_player` makes a player by, in this process or another. A
trained model lies at `<run>/model.zip` or `<run>/checkpoints/000000262144/model.zip`, its config at
`<run>/config.yaml`; nothing here reads it, so that a file can be looked up and fingerprinted without torch.
"""

import hashlib
import re
from pathlib import Path
from typing import NamedTuple

from ks_arena.sections import ConfigError
from ks_env.core.hints import hint
from ks_env.players.contents import MODEL
from ks_env.players.registry import parse_name, player_names

FORMS = (
    "a player's name ({names}), package.module:factory, or a run's folder or model file, each with"
    " :key=value,key=value after it where it takes parameters"
)
ENDING = ".zip"
PARAMETER = re.compile(r"\s*[^\W\d]\w*\s*=")


class _Model(NamedTuple):
    path: str
    parameters: str  # "temperature=0.5", or empty


def resolve(text: str) -> str:
    """The name for `make_player` of what a user wrote.

    A name of the registry comes first; a folder that is called like a player can be written `./random`.

    Args:
        text: a name of the registry or `package.module:factory`, which stay as they are, or the path of a
            run's folder or of a model's file, which becomes `model:file=...`.

    Raises:
        ConfigError: it is not one of the three, or a folder without a model.
    """
    text = text.strip()
    if text.partition(":")[0] in player_names():
        return text
    model = _existing_model(text)
    if model is not None:
        model_file(model.path)
        return _model_name(model)
    if not _looks_like_a_path(text) and ":" in _name(text):
        return text
    raise ConfigError(_unknown(text))


def names_a_model(text: str) -> bool:
    """Whether the text is the path of a run's folder or of a model's file that is there."""
    return text.partition(":")[0] not in player_names() and _existing_model(text.strip()) is not None


def absolute(name: str) -> str:
    """The same player for a process that works in another folder; `name` as `resolve` gives it."""
    model = _named_model(name)
    if model is None:
        return name
    return _model_name(_Model(str(Path(model.path).absolute()), model.parameters))


def _model_name(model: _Model) -> str:
    return "model:" + ",".join(filter(None, [f"file={_quoted(model.path)}", model.parameters]))


def split_names(text: str) -> list[str]:
    """Players separated by commas, such as `"random,mcts-c:nodes=5000,c=2,capture"`.

    What looks like `key=value` is a further parameter of the player before it.
    """
    names: list[str] = []
    for part in text.split(","):
        if names and PARAMETER.match(part):
            names[-1] += f",{part}"
        else:
            names.append(part)
    return [name.strip() for name in names]


def label_of(text: str) -> str:
    """A short label for tables: players that differ in their parameters alone have different labels.

    Args:
        text: as `resolve` takes it or as it gives it; what it names need not exist.
    """
    text = text.strip()
    model = _existing_model(text) or _named_model(text)
    if model is None and _looks_like_a_path(text):
        path, _, parameters = text.partition(":")
        model = _Model(path, parameters)
    if model is not None:
        return ":".join(filter(None, [_short(Path(model.path)), model.parameters]))
    try:
        name = _name(text)
    except ValueError:
        return text
    return name.rpartition(":")[2] + text[len(name) :]


def fingerprint(text: str) -> str | None:
    """The SHA-256 of what a model plays by, in hexadecimal; None for players of other kinds.

    That is the model's file, and the config of its run where there is one: mask, encoder and temperature.

    Args:
        text: as `resolve` takes it or as it gives it.

    Raises:
        ConfigError: there is no such player or file.
    """
    name = resolve(text)
    if name.startswith("isolated:"):
        name = resolve(str(parse_name(name)[1].get("player")))
    model = _named_model(name)
    if model is None:
        return None
    file = model_file(model.path)
    config = config_file(file)
    digest = hashlib.sha256(file.read_bytes())
    if config is not None:
        digest.update(hashlib.sha256(config.read_bytes()).digest())
    return digest.hexdigest()


def _name(text: str) -> str:
    """The name without its parameters; it has a colon in it where it is a factory's place."""
    try:
        return parse_name(text)[0]
    except ValueError as error:
        raise ConfigError(str(error)) from error


def _existing_model(text: str) -> _Model | None:
    """The folder or model file that the text begins with, and the parameters after it."""
    ends = [len(text), *(i for i in reversed(range(len(text))) if text[i] == ":")]
    for end in ends:
        path, parameters = text[:end], text[end + 1 :]
        if path and (not parameters or "=" in parameters) and _is_there(Path(path)):
            return _Model(path, parameters)
    return None


def _is_there(path: Path) -> bool:
    try:
        return path.is_dir() or _is_model(path)
    except OSError:  # no name that a file can have
        return False


def _is_model(path: Path) -> bool:
    return path.suffix == ENDING and path.is_file()


def _named_model(text: str) -> _Model | None:
    """The file and the other parameters of `"model:file=..."`."""
    if text.partition(":")[0] != "model":
        return None
    try:
        _, parameters = parse_name(text)
    except ValueError:
        return None
    if "file" not in parameters:
        return None
    path = str(parameters.pop("file"))
    return _Model(path, ",".join(f"{key}={value}" for key, value in parameters.items()))


def _quoted(path: str) -> str:
    """The path as a parameter's value, in quotes where it would be read as something else without them."""
    plain = f"model:file={path}"
    try:
        same = parse_name(plain) == ("model", {"file": path})
    except ValueError:
        same = False
    return path if same else repr(path)


def _looks_like_a_path(text: str) -> bool:
    head = text.partition(":")[0]
    return "/" in head or "\\" in head or head.endswith(ENDING)


def _short(path: Path) -> str:
    """A run's name, a checkpoint's with its run's, a file's own."""
    path = path.parent if path.name == MODEL else path
    path = path if path.name not in ("", "..") else path.resolve()
    if path.parent.name == CHECKPOINTS:
        return f"{path.parent.parent.resolve().name}/{path.name}"
    return path.name.removesuffix(ENDING)


def _unknown(text: str) -> str:
    head = text.partition(":")[0]
    if _looks_like_a_path(text):
        wrong = f"{text!r} is not a player: there is no folder or {ENDING} file of this name"
    else:
        wrong = f"{text!r} is not a player{hint(head, player_names())}"
    return f"{wrong}; expected {FORMS.format(names=', '.join(player_names()))}"


CONFIG = "config.yaml"
CHECKPOINTS = "checkpoints"


def model_file(path: Path | str) -> Path:
    """The model's file, given by itself or by its folder.

    Raises:
        ConfigError: there is no model there.
    """
    path = Path(path)
    file = path / MODEL if path.is_dir() else path
    if file.is_file():
        return file
    checkpoints = sorted(path.glob(f"{CHECKPOINTS}/*/{MODEL}"))
    hint = f"; the latest checkpoint of the run is {checkpoints[-1].parent}" if checkpoints else ""
    raise ConfigError(f"{file}: no such model; expected a run's folder or a {MODEL}{hint}")


def config_file(file: Path) -> Path | None:
    """The config of the run that a model's file belongs to: beside it, or above the run's checkpoints.

    None for a model that no run made.
    """
    file = file.absolute()
    places = [file.parent]
    if file.parent.parent.name == CHECKPOINTS:
        places.append(file.parents[2])
    return next((place / CONFIG for place in places if (place / CONFIG).is_file()), None)
