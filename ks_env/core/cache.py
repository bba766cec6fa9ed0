"""Where compiled kernels are kept, and what they are stamped with.

`<root>/<flags>/<module>-<digest>/<kernel>-<line>.<key>.nbc` holds one signature of one kernel. The digest is
that of the sources of the kernel's module and of all that this imports, directly or not, among the modules
that may hold kernels or tables (`imports`). Numba itself stamps a cached kernel with its own file only, so
an edit in a helper would otherwise go unnoticed.

A kernel made by a function closes over kernels and data. Numba's key of such a kernel has the pickled
kernels in it, which differ in every process. Here the key has names, code and values (`describe`), the
digest covers the modules of all kernels closed over, and the kernel's name in the machine code is its own,
as Numba's would be shared by two kernels that are made by one function and compiled by two processes.
"""

import atexit
import contextlib
import copy
import functools
import hashlib
import importlib.util
import os
import pickle
import re
import shutil
import sys
import tempfile
import types
import uuid
import zlib
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import platformdirs
from numba.core.caching import CompileResultCacheImpl, FunctionCache
from numba.core.dispatcher import Dispatcher
from numba.core.extending import _Intrinsic
from numba.core.serialize import dumps

from ks_env.core.called import rebuild

KEPT = 4  # folders of a module's kernels, and folders of flags
FLAGS_NAME = re.compile("[0-9a-f]{20}")
MODULE_NAME = re.compile(r"([\w.+]+)-[0-9a-f]{20}")
FALLBACK = "KS_ENV_CACHE_FALLBACK"  # tells processes started by this one of its temporary folder
SET_FOLDER = "set KS_ENV_CACHE_DIR to a folder that can be written"
WORD = re.compile("import")  # a plain string is found fastest
IMPORT = re.compile(
    r"[ \t]*(?:from[ \t]+([.\w]+)[ \t]+import\b[ \t]*(\((?:[^)#]|#.*)*\)|[^\n#;]*)|import[ \t]+([^\n#;]*))"
)
COMMENT_OR_BRACKET = re.compile(r"#.*|[()]")


def sha(text: str | bytes) -> str:
    """20 hexadecimal digits of a digest."""
    return hashlib.sha256(text.encode() if isinstance(text, str) else text).hexdigest()[:20]


# ------------------------------------------------------------ sources


@functools.cache
def _folders(package: str) -> tuple[str, ...]:
    """Where a package's modules lie; nothing is imported."""
    parent, _, last = package.rpartition(".")
    if parent:
        return tuple(path for folder in _folders(parent) if os.path.isdir(path := os.path.join(folder, last)))
    if package in sys.modules:
        return tuple(getattr(sys.modules[package], "__path__", ()))
    with contextlib.suppress(ImportError, ValueError):
        spec = importlib.util.find_spec(package)
        return tuple(spec.submodule_search_locations or ()) if spec else ()
    return ()


@functools.cache
def source_of(module: str) -> str | None:
    """A module's Python file, or None; nothing is imported."""
    parent, _, last = module.rpartition(".")
    if module.partition(".")[0] in sys.stdlib_module_names:
        return None
    file = getattr(sys.modules.get(module), "__file__", None)
    if file is None and not parent:
        with contextlib.suppress(ImportError, ValueError):
            spec = importlib.util.find_spec(module)
            file = spec.origin if spec else None
    elif file is None:
        tails = (os.path.join(last, "__init__.py"), f"{last}.py")
        paths = (os.path.join(folder, tail) for folder in _folders(parent) for tail in tails)
        file = next((path for path in paths if os.path.isfile(path)), None)
    return file if file and file.endswith(".py") and os.path.isfile(file) else None


@functools.cache
def _may_change(package: str) -> bool:
    """Whether a package is of this family, or the user's own: neither the standard library nor installed."""
    if package.startswith("ks_"):
        return True
    places = (source_of(package) or "", *_folders(package))
    return any(places) and not any(p in place for p in ("site-packages", "dist-packages") for place in places)


def _import_statements(source: str) -> Iterator[tuple[str, str, str]]:
    """Of each import statement, wherever it stands: what it imports from, what it does, or what plainly."""
    source = source.replace("\r\n", "\n").replace("\\\n", " ")
    for word in WORD.finditer(source):
        line = source.rfind("\n", 0, word.start()) + 1
        begin = max(line, *(source.rfind(end, line, word.start()) + 1 for end in ";:"))
        if match := IMPORT.match(source, begin):
            yield match.group(1) or "", match.group(2) or "", match.group(3) or ""


def _imported_names(source: str, module: str, package: str) -> set[str]:
    """What may be a module in a source's import statements, wherever they stand in it."""
    found = set()
    for base, names, plain in _import_statements(source):
        if base:
            dots = len(base) - len(base.lstrip("."))
            if dots:
                above = package.split(".")[: len(package.split(".")) - dots + 1]
                base = ".".join([*above, *filter(None, [base[dots:]])])
            words = [part.split() for part in COMMENT_OR_BRACKET.sub(" ", names).split(",")]
            found |= {base, *(f"{base}.{word[0]}" for word in words if word)}
            continue
        for part in COMMENT_OR_BRACKET.sub(" ", plain).split(","):
            word = part.split()
            for end in range(1, len(word) and word[0].count(".") + 2):  # `import a.b` gives the name a
                found.add(".".join(word[0].split(".")[:end]))
    return found - {"", module}


@functools.cache
def _read(module: str) -> tuple[str, tuple[str, ...]]:
    """Digest of a module's source, and the modules that it imports of those that may change."""
    path = source_of(module)
    assert path is not None
    content = Path(path).read_bytes()
    loaded = sys.modules.get(module)
    package = getattr(loaded, "__package__", None)
    if package is None:
        package = module if path.endswith("__init__.py") else module.rpartition(".")[0]
    top = (package or module).partition(".")[0]
    names = sorted(_imported_names(content.decode(errors="replace"), module, package))
    followed = (name for name in names if (t := name.partition(".")[0]) == top or _may_change(t))
    return sha(content), tuple(name for name in followed if source_of(name))


@functools.cache
def imports(module: str) -> frozenset[str]:
    """The module and all that it imports, directly or not, of those that may change.

    These are the module's own package, packages named `ks_...` and all that is not installed. Packages are
    followed where something is imported from them, not because a module lies in them.
    """
    found, todo = set(), [module] if source_of(module) else []
    while todo:
        name = todo.pop()
        if name not in found:
            found.add(name)
            todo += _read(name)[1]
    return frozenset(found)


@functools.cache
def _digest(modules: frozenset[str]) -> str | None:
    if not all(map(source_of, modules)):
        return None
    found = sorted(set().union(*map(imports, modules)))
    return sha("\0".join(f"{name} {_read(name)[0]}" for name in found))


def digest(modules: Iterable[str]) -> str | None:
    """Digest of the sources of modules and of all that they import; None if one has no source.

    Sources are read once in a process, when the first kernel that needs them is decorated.
    """
    return _digest(frozenset(modules))


def modules_in(package: str) -> list[str]:
    """All modules of a package, whether or not they are imported."""
    found = []
    for folder in map(Path, _folders(package)):
        for path in folder.rglob("*.py"):
            parts = path.relative_to(folder).with_suffix("").parts
            found.append(".".join([package, *(part for part in parts if part != "__init__")]))
    return sorted(found)


# ------------------------------------------------------------ what a kernel is


def _describe_function(function: Any, modules: set[str]) -> str:
    """A function by name, place, code and what it closes over; its modules are added to the set."""
    modules.add(function.__module__)
    code = function.__code__
    consts = [c for c in code.co_consts if isinstance(c, (int, float, complex, str, bytes))]
    content = sha(code.co_code + code.co_linetable + repr((code.co_names, consts)).encode())
    cells = []
    for name, cell in zip(code.co_freevars, function.__closure__ or (), strict=True):
        try:
            cells.append(f"{name}={describe(cell.cell_contents, modules)}")
        except ValueError as fault:
            raise TypeError(
                f"kernel {code.co_qualname} closes over {name!r}, which has no value yet"
            ) from fault
        except TypeError as fault:
            raise TypeError(f"kernel {code.co_qualname} closes over {name!r}: {fault}") from None
    return (
        f"{function.__module__}.{code.co_qualname}:{code.co_firstlineno} {content} ({', '.join(cells)}"
        f"; {_describe_defaults(function, modules)})"
    )


def _describe_defaults(function: Any, modules: set[str]) -> str:
    """Defaults of a function that was made by another; those of others are in the module's source."""
    if "<" not in function.__code__.co_qualname or not function.__defaults__:
        return ""
    return describe(function.__defaults__, modules)


def describe(value: object, modules: set[str]) -> str:
    """A text that differs for different values that kernels close over, and is the same in every process.

    Args:
        value: a kernel, an intrinsic, a number, string, bytes, None, a tuple or NamedTuple of these, a dtype,
            a type of numbers, a module, or a read-only array.
        modules: the names of the modules that hold the value's code are added to it.

    Raises:
        TypeError: it is something else.
    """
    kind = type(value)
    if value is None or kind in (bool, int, complex, str, bytes):
        return repr(value)
    if kind is float:
        return float.hex(value)  # type: ignore[arg-type]
    if isinstance(value, Dispatcher):
        return f"{_describe_function(value.py_func, modules)} {sorted(value.targetoptions.items())}"
    if isinstance(value, _Intrinsic):
        return f"intrinsic {_describe_function(value._defn, modules)}"
    if isinstance(value, tuple) and (kind is tuple or hasattr(kind, "_fields")):
        inside = ", ".join(describe(item, modules) for item in value)
        return f"{kind.__module__}.{kind.__qualname__}{getattr(kind, '_fields', '')}({inside})"
    if isinstance(value, np.dtype):
        return repr(value)
    if isinstance(value, np.generic) and not value.dtype.hasobject:
        return f"{value.dtype!r} {value.tobytes().hex()}"
    if isinstance(value, np.ndarray) and not value.flags.writeable and not value.dtype.hasobject:
        return f"{value.dtype!r} {value.shape} {value.strides} {sha(value.tobytes())}"
    if isinstance(value, type) and (issubclass(value, np.generic) or value in (bool, int, float)):
        return f"{value.__module__}.{value.__qualname__}"
    if isinstance(value, types.ModuleType):
        if source_of(value.__name__) and _may_change(value.__name__.partition(".")[0]):
            modules.add(value.__name__)
        return f"module {value.__name__}"
    raise TypeError(
        f"{kind.__name__} {value!r}; expected kernels, numbers, strings, bytes, None, tuples of these,"
        " dtypes, read-only arrays or modules"
    )


# ------------------------------------------------------------ folders


def _say(text: str) -> None:
    print(f"ks_env: {text}", file=sys.stderr, flush=True)


def cache_root() -> Path:
    """The folder that is meant to hold what is kept between processes, whether or not it can be written."""
    override = os.environ.get("KS_ENV_CACHE_DIR")
    return Path(override) if override else Path(platformdirs.user_cache_dir("ks_env"))


def _is_writable(folder: Path) -> bool:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder) as file:
            file.write(bytes(4096))
    except OSError:
        return False
    return True


def _remove_folder(folder: str, owner: int) -> None:
    if os.getpid() == owner:
        shutil.rmtree(folder, ignore_errors=True)


@functools.cache
def _usable(root: Path) -> Path | None:
    """The folder, if it can be written; else a temporary one; else None. What is not as asked for is said."""
    if _is_writable(root):
        return root
    inherited = os.environ.get(FALLBACK)
    if inherited and os.path.isdir(inherited) and _is_writable(Path(inherited)):
        return Path(inherited)
    refused = f"{root} cannot be written"
    try:
        folder = tempfile.mkdtemp(prefix="ks-env-kernels-")
    except OSError:
        _say(f"{refused}, nor a temporary folder: kernels are compiled anew in every process; {SET_FOLDER}")
        return None
    atexit.register(_remove_folder, folder, os.getpid())
    os.environ[FALLBACK] = folder
    _say(f"{refused}: compiled kernels are kept in {folder} until this process ends; {SET_FOLDER}")
    return Path(folder)


def folder_of(modules: Iterable[str], flags: str) -> Path | None:
    """Where that is kept which is compiled from these modules, the first of them its own; None if nowhere.

    Args:
        modules: names of modules; a kernel's own module, then those of kernels that it closes over.
        flags: digest of what else changes the code.
    """
    own, *others = modules
    stamp, root = digest([own, *others]), _usable(cache_root())
    if stamp is None or root is None:
        return None
    label = re.sub(r"[^\w.]", "_", own) + (f"+{sha(' '.join(sorted(others)))[:8]}" if others else "")
    return root / flags / f"{label}-{stamp}"


def make_folder(folder: Path) -> None:
    """Make a folder that `folder_of` names, and forget those that it replaces."""
    if folder.is_dir():
        return
    folder.mkdir(parents=True, exist_ok=True)
    with contextlib.suppress(OSError):
        forget_old(folder)


def forget_old(folder: Path) -> None:
    """Keep the newest few folders of the same modules, and the newest few of flags; touch nothing else."""
    flags = folder.parent

    def is_own(path: Path) -> bool:
        return FLAGS_NAME.fullmatch(path.name) is not None and any(
            inside.suffix == ".compiled" or MODULE_NAME.fullmatch(inside.name) for inside in path.iterdir()
        )

    label = folder.name.rpartition("-")[0]
    same = [p for p in flags.iterdir() if (m := MODULE_NAME.fullmatch(p.name)) and m.group(1) == label]
    _keep_newest(same, folder)
    _keep_newest([p for p in flags.parent.iterdir() if FLAGS_NAME.fullmatch(p.name) and is_own(p)], flags)


def _keep_newest(folders: list[Path], present: Path) -> None:
    others = sorted((p for p in folders if p != present), key=lambda p: p.stat().st_mtime, reverse=True)
    for path in others[KEPT - 1 :]:
        shutil.rmtree(path, ignore_errors=True)


# ------------------------------------------------------------ Numba's part


def _lies_in_its_module(function: Any) -> bool:
    """Whether a function was read from its module's file, rather than typed or made from a string."""
    source = source_of(function.__module__)
    file = function.__code__.co_filename
    if source is None or not os.path.isfile(file):
        return False
    return os.path.abspath(source) == os.path.abspath(file) or os.path.samefile(source, file)


class _Impl(CompileResultCacheImpl):  # type: ignore[misc]
    """Numba's way to save and load compiled code, without its way to find a folder for it."""

    def __init__(self, function: Any) -> None:
        self._locator = types.SimpleNamespace(_py_file=function.__code__.co_filename)
        self._lineno = function.__code__.co_firstlineno


class KernelCache(FunctionCache):  # type: ignore[misc]
    """The cache of one kernel: a file for each signature, and for each of its two kinds of callers.

    What cannot be read, or is damaged, is compiled anew and replaced. A kernel that was typed in a notebook
    or an interpreter, and so has no source file, is not kept.

    Args:
        function: the kernel's Python function; renamed if other kernels may have the same name.
        flags: digest of what else changes the code.

    Raises:
        TypeError: it closes over what has no description (`describe`).
    """

    def __init__(self, function: Any, flags: str) -> None:
        modules: set[str] = set()
        self._py_func = function
        self._name = repr(function)
        self._identity = _describe_function(function, modules)
        own = function.__module__
        self._modules = (own, *sorted(modules - {own}))
        self._flags = flags
        self._entry = "for Python"
        self._impl = _Impl(function)
        self._rebuild = self._impl.rebuild
        self._enabled = digest(self._modules) is not None and _lies_in_its_module(function)
        if "<" in function.__qualname__:
            function.__qualname__ += f"[{sha(self._identity)[:16]}]"
        stem = re.sub(r"[^\w.-]", "", function.__qualname__.replace("<locals>.", ""))[-80:]
        self._stem = f"{stem}-{function.__code__.co_firstlineno}"

    def without_entry(self) -> "KernelCache":
        """The cache of the same kernel as other kernels call it."""
        other = copy.copy(self)
        other._entry = "for kernels"
        other._rebuild = rebuild
        return other

    def _folder(self) -> Path | None:
        return folder_of(self._modules, self._flags) if self._enabled else None

    @property
    def cache_path(self) -> str | None:
        """The folder of the kernel's files, None if it is not kept."""
        folder = self._folder()
        return str(folder) if folder else None

    def flush(self) -> None:
        """Forget the kernel's compiled code."""
        folder = self._folder()
        for path in folder.glob(f"{self._stem}.*.nbc") if folder else ():
            with contextlib.suppress(OSError):
                path.unlink()

    def _index_key(self, sig: Any, codegen: Any) -> tuple[Any, ...]:
        if self._py_func.__closure__ and _describe_function(self._py_func, set()) != self._identity:
            raise TypeError(
                f"what kernel {self._py_func.__qualname__} closes over has changed since it was made"
            )
        return sig, codegen.magic_tuple(), self._identity, self._entry

    def _file(self, folder: Path, key: tuple[Any, ...]) -> Path:
        return folder / f"{self._stem}.{sha(repr(key))}.nbc"

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The compiled code for a signature, None if it is not there, or damaged."""
        target_context.refresh()
        key = self._index_key(sig, target_context.codegen())
        folder = self._folder()
        if folder is None:
            return None
        try:
            content = self._file(folder, key).read_bytes()
            if zlib.crc32(content[4:]) != int.from_bytes(content[:4]):
                return None
            found, payload = pickle.loads(content[4:])
            return self._rebuild(target_context, payload) if found == key else None
        except Exception:  # a file that another version wrote may raise anything
            return None

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep the compiled code for a signature; where that fails, say so and go on."""
        folder = self._folder()
        if folder is None or not self._impl.check_cachable(data):
            return
        key = self._index_key(sig, data.codegen)
        content = dumps((key, self._impl.reduce(data)))
        try:
            make_folder(folder)
            write_aside(self._file(folder, key), zlib.crc32(content).to_bytes(4) + content)
        except OSError as fault:
            _say_once(f"compiled kernels cannot be kept ({fault}); {SET_FOLDER}")


_say_once: Callable[[str], None] = functools.cache(_say)


def write_aside(path: Path, content: bytes) -> None:
    """Write a file under another name and rename it, so that it is there as a whole or not at all."""
    aside = path.with_name(f"{uuid.uuid4().hex[:16]}.tmp")
    try:
        aside.write_bytes(content)
        os.replace(aside, path)
    finally:
        aside.unlink(missing_ok=True)
