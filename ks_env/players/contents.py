"""What a model's file would run, found without running it.

The files of Stable-Baselines3 are archives whose part `data` holds pickled objects, and a pickle may call
anything. Here the pickles are read with a stand-in for whatever they name: nothing is imported or called.
"""

import base64
import io
import json
import pickle
import re
import zipfile
import zlib
from pathlib import Path
from typing import Any, Self

MODEL = "model.zip"  # in the folder of a run
UNCLEAR = "objects that cannot be looked through"

# Modules all of whose classes are there to be a part of a model
HARMLESS = re.compile(
    r"(stable_baselines3\.(common\.(policies|torch_layers|buffers|distributions|type_aliases)|\w+\.policies)"
    r"|sb3_contrib\.(common\.\w+\.(policies|buffers|distributions)|\w+\.policies)"
    r"|gymnasium\.spaces(\.\w+)?|torch\.nn\.modules\.\w+|torch\.optim\.\w+"
    r"|ks_train\.policy\.(network|terms|legal))"
)
CLASS = re.compile(r"_?[A-Z]\w*")
NAMED = {
    "builtins": "bool bytearray bytes complex dict float frozenset int list object range set slice str tuple",
    "collections": "OrderedDict defaultdict deque",
    "_codecs": "encode",
    "numpy": "dtype ndarray",
    "numpy._core.multiarray": "_reconstruct scalar",
    "numpy.core.multiarray": "_reconstruct scalar",
    "numpy._core.numeric": "_frombuffer",
    "numpy.core.numeric": "_frombuffer",
    "numpy.random._pickle": "__bit_generator_ctor __generator_ctor __randomstate_ctor",
    "numpy.random._pcg64": "PCG64",
    "numpy.random._mt19937": "MT19937",
    "numpy.random.bit_generator": "SeedSequence __pyx_unpickle_SeedSequence",
    "stable_baselines3.common.utils": "ConstantSchedule FloatSchedule LinearSchedule",
    "torch": "device float32 float64 int64",
}


def foreign(path: Path | str) -> tuple[str, ...]:
    """What loading a model would import that models have no need of, such as `("os.system",)`.

    Args:
        path: the file, or the folder of a run. One that is missing, or is no archive of Stable-Baselines3,
            runs nothing, as it cannot be loaded.
    """
    file = Path(path)
    file = file / MODEL if file.is_dir() else file
    try:
        with zipfile.ZipFile(file) as archive:
            parts = json.loads(archive.read("data"))
    except (OSError, ValueError, KeyError, RuntimeError, zipfile.BadZipFile, zlib.error):
        return ()
    found = []
    for part in parts.values() if isinstance(parts, dict) else ():
        if isinstance(part, dict) and ":serialized:" in part:
            name = _foreign_in(part[":serialized:"])
            if name and name not in found:
                found.append(name)
    return tuple(found)


def _foreign_in(text: Any) -> str:
    """The first name in a pickle, in base64, that models have no need of; empty if they need all."""
    try:
        _Reader(io.BytesIO(base64.b64decode(str(text).encode()))).load()
    except _ForeignError as error:
        return error.name
    except Exception:  # whatever a stand-in cannot do, the real object might
        return UNCLEAR
    return ""


class _ForeignError(Exception):
    def __init__(self, name: str) -> None:
        self.name = name
        super().__init__(name)


class _Reader(pickle.Unpickler):
    """Reads a pickle with stand-ins for what it names."""

    def find_class(self, module: str, name: str) -> Any:
        known = name in NAMED.get(module, "").split()
        if not known and not (HARMLESS.fullmatch(module) and CLASS.fullmatch(name)):
            raise _ForeignError(f"{module}.{name}")
        return _Anything


class _Anything:
    """Takes whatever a pickle does with an object."""

    def __new__(cls, *_: Any, **__: Any) -> Self:
        return object.__new__(cls)

    def __init__(self, *_: Any, **__: Any) -> None:
        pass

    def __setstate__(self, _: Any) -> None:
        pass

    def __setitem__(self, *_: Any) -> None:
        pass

    def append(self, _: Any) -> None:
        pass

    add = append

    def extend(self, _: Any) -> None:
        pass
