"""The one place where Numba is configured.

Every kernel of the project is decorated with `kernel`. Compiled code is cached on disk, stamped with a digest
of the modules that the kernel's module imports and of every flag that changes the code Numba makes
(`ks_env.core.cache`).

The cache lives under `KS_ENV_CACHE_DIR` if that is set, else under the user's cache folder.

A function may make kernels that close over other kernels, to specialise them:

    def make_step(judge):
        @kernel
        def step(game, action):
            return judge(game, action)

        return step

They are cached like others, if what they close over are kernels, intrinsics, numbers, strings, bytes, None,
tuples of these, dtypes, read-only arrays or modules, that have their values before the kernel is decorated
and keep them; anything else is a TypeError. What a kernel finds as a global must follow from the sources:
the arguments of a command or the entry points of packages are not in its digest, so hand what depends on
these to a function that makes the kernel.
"""

import contextlib
import functools
import gc
import os
import re
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, TypeVar, cast

import llvmlite.binding as binding
import numba
from numba.core import config, types

from ks_env.core import cache
from ks_env.core.cache import cache_root as cache_root
from ks_env.core.called import CompilerOfCalled, CompilerOfOutermost

F = TypeVar("F", bound=Callable[..., Any])

# Every setting here goes into the digest. No kernel is handed to C code: the entry for that, a sixth of the
# time to compile, is left out.
FLAGS: dict[str, Any] = {"nogil": True, "error_model": "numpy", "no_cfunc_wrapper": True}
ENVIRONMENT = (
    "NUMBA_BOUNDSCHECK",
    "NUMBA_CPU_FEATURES",
    "NUMBA_CPU_NAME",
    "NUMBA_DEBUGINFO",
    "NUMBA_DISABLE_JIT",
    "NUMBA_ENABLE_AVX",
    "NUMBA_LOOP_VECTORIZE",
    "NUMBA_OPT",
    "NUMBA_SLP_VECTORIZE",
)
LONGEST_WAIT = 900.0  # seconds for another process that compiles the same kernels
SAID_AFTER = 1.0  # seconds of waiting, after which it is said what for


def flags_digest() -> str:
    """Digest of what changes compiled code beside its sources: flags, versions, interpreter, processor.

    A cache may be shared by machines, and code for one processor is of no use to another.
    """
    processor = [binding.get_host_cpu_name(), binding.get_host_cpu_features().flatten()]
    flags = [repr(sorted(FLAGS.items())), numba.__version__, sys.version, *processor]
    return cache.sha("\0".join(flags + [f"{name}={os.environ.get(name, '')}" for name in ENVIRONMENT]))


FLAGS_DIGEST = flags_digest()  # Numba, too, reads its variables when it is imported


def kernel(function: F) -> F:
    """Compile lazily, without the GIL, cached on disk under a digest of what it is compiled from.

    Raises:
        TypeError: it closes over what has no name or value that is the same in the next process.
    """
    kept = None if config.DISABLE_JIT else cache.KernelCache(function, FLAGS_DIGEST)
    compiled = numba.njit(**FLAGS, pipeline_class=CompilerOfOutermost)(function)
    if kept is not None:
        compiled.get_call_template = functools.partial(_call_by_type, compiled)
        compiled.get_overload = functools.partial(_overload, compiled)
        compiled._cache = kept
    return cast(F, compiled)


def as_called(compiled: Any) -> Any:
    """What other kernels call: the same kernel without its entry for Python and without machine code.

    The entry, which takes arguments apart, is up to a quarter of the time to compile, the machine code an
    eighth, and most kernels are called by kernels alone. One that is called by both is compiled for each.
    """
    found = vars(compiled).get("_as_called")
    if found is None:
        found = numba.njit(**FLAGS, no_cpython_wrapper=True, pipeline_class=CompilerOfCalled)(
            compiled.py_func
        )
        found._cache = compiled._cache.without_entry()
        found._compiling_counter = compiled._compiling_counter  # shows Numba a kernel that calls itself
        compiled._as_called = found
    return found


def _call_by_type(compiled: Any, args: Iterable[Any], kws: dict[str, Any]) -> Any:
    """Compile what a kernel calls for its arguments' types, not anew for each number written in a call."""
    types_of_kws = {name: _type_of(arg) for name, arg in kws.items()}
    return as_called(compiled).get_call_template([_type_of(arg) for arg in args], types_of_kws)


def _overload(compiled: Any, sig: Any) -> Any:
    return as_called(compiled).get_overload(sig)


def _type_of(arg: Any) -> Any:
    return arg.literal_type if isinstance(arg, (types.IntegerLiteral, types.BooleanLiteral)) else arg


_compiled_here: set[str] = set()


def _marker(what: str, modules: tuple[str, ...]) -> Path | None:
    folder = cache.folder_of(modules, FLAGS_DIGEST)
    return folder and folder / (re.sub(r"[^\w.]+", "-", what) + ".compiled")


def is_cold(what: str, *modules: str) -> bool:
    """Whether these kernels have not been compiled yet for the present sources and flags.

    Args:
        what: as it was given to `compile_once`.
        modules: names of the modules that the kernels come from.
    """
    marker = _marker(what, modules)
    return what not in _compiled_here if marker is None else not marker.exists()


def compile_once(what: str, run: Callable[[], object], *modules: str) -> None:
    """Run what needs these kernels if they are cold, and say on stderr that it takes a while.

    Of processes that begin at once, one compiles and the others wait for it.

    Args:
        what: the kernels, in words, such as "self-play".
        run: calls every kernel, once.
        modules: names of the modules that the kernels come from, with all that these import; by default that
            of `run`.
    """
    modules = modules or (run.__module__,)
    if not is_cold(what, *modules):
        return
    marker = _marker(what, modules)
    with _one_process_at_a_time(what, marker):
        if marker is not None and marker.exists():
            return
        print(f"ks_env: compiling kernels for {what}, once for this version ...", file=sys.stderr, flush=True)
        begin = time.perf_counter()
        with _no_collection():
            run()
        print(f"ks_env: compiled in {time.perf_counter() - begin:.0f} s", file=sys.stderr, flush=True)
        if marker is None:
            _compiled_here.add(what)
            return
        with contextlib.suppress(OSError):
            cache.make_folder(marker.parent)
            marker.touch()


@contextlib.contextmanager
def _no_collection() -> Iterator[None]:
    """Do not look for cycles of objects for a while: the compiler makes many, and waits each time."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


@contextlib.contextmanager
def _one_process_at_a_time(what: str, marker: Path | None) -> Iterator[None]:
    """Wait until no other process is at this; go on where files cannot be locked, or after a long time."""
    with contextlib.ExitStack() as stack:
        if marker is not None:
            with contextlib.suppress(OSError):
                cache.make_folder(marker.parent)
                handle = os.open(marker.with_suffix(".lock"), os.O_RDWR | os.O_CREAT, 0o644)
                stack.callback(os.close, handle)
                _wait_for(handle, what)
                stack.callback(_unlock, handle)
        yield


def _wait_for(handle: int, what: str) -> None:
    begin, said = time.monotonic(), False
    while not _lock(handle) and (waited := time.monotonic() - begin) < LONGEST_WAIT:
        if waited > SAID_AFTER and not said:
            text = f"ks_env: waiting for another process that compiles kernels for {what} ..."
            print(text, file=sys.stderr, flush=True)
            said = True
        time.sleep(0.1)


if sys.platform == "win32":
    import msvcrt

    def _lock(handle: int) -> bool:
        try:
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        except PermissionError:
            return False
        return True

    def _unlock(handle: int) -> None:
        """Closing the file is enough."""
else:
    import fcntl

    def _lock(handle: int) -> bool:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    def _unlock(handle: int) -> None:
        """For a process that was forked meanwhile, and has the file open too."""
        fcntl.flock(handle, fcntl.LOCK_UN)
