"""The one place where Numba is configured.

Every kernel of the project is decorated with `kernel`. Compiled code is cached on disk in a folder whose
name is a digest of *all* kernel sources and of every flag that changes the code Numba makes. Numba itself
stamps a cached kernel with its own file only, so an edit in a helper would otherwise go unnoticed
(numba issue 8396).

The cache lives under `KS_ENV_CACHE_DIR` if that is set, else under the user's cache folder.
"""

import contextlib
import hashlib
import os
import re
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
import numba.extending
import platformdirs
from numba.core import config

F = TypeVar("F", bound=Callable[..., Any])

# Every setting here goes into the digest.
FLAGS: dict[str, Any] = {"nogil": True, "error_model": "numpy"}
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
KERNEL_FOLDERS = (
    "ks_env/core",
    "ks_env/games",
    "ks_env/belief",
    "ks_env/players",
    "ks_env/envs",
    "baselines",
)
KEPT_CACHES = 4
DIGEST_NAME = re.compile("[0-9a-f]{20}")

ROOT = Path(__file__).resolve().parents[2]  # the folder that holds the packages


def kernel_sources() -> list[Path]:
    """All files that may hold kernels, in a fixed order."""
    return sorted(path for folder in KERNEL_FOLDERS for path in (ROOT / folder).rglob("*.py"))


def digest() -> str:
    """Name of the cache folder: sources, flags, versions and the interpreter."""
    state = hashlib.sha256()
    for path in kernel_sources():
        state.update(str(path.relative_to(ROOT)).encode() + b"\0" + path.read_bytes() + b"\0")
    flags = [repr(sorted(FLAGS.items())), numba.__version__, sys.version]
    flags += [f"{name}={os.environ.get(name, '')}" for name in ENVIRONMENT]
    state.update("\0".join(flags).encode())
    return state.hexdigest()[:20]


def cache_root() -> Path:
    """The folder that holds one folder of compiled kernels for each digest."""
    override = os.environ.get("KS_ENV_CACHE_DIR")
    return Path(override) if override else Path(platformdirs.user_cache_dir("ks_env"))


CACHE = cache_root() / digest()


def _marker(what: str) -> Path:
    return CACHE / f"{what.replace(' ', '-')}.compiled"


def is_cold(what: str) -> bool:
    """Whether these kernels have not been compiled yet for the present sources and flags."""
    return not _marker(what).exists()


@contextlib.contextmanager
def _cache_folder() -> Iterator[None]:
    """Numba reads its cache folder when a function is decorated; other packages keep theirs."""
    before = config.CACHE_DIR
    config.CACHE_DIR = str(CACHE)
    try:
        yield
    finally:
        config.CACHE_DIR = before


def kernel(function: F) -> F:
    """Compile lazily, without the GIL, cached on disk under the project's own digest."""
    with _cache_folder():
        return cast(F, numba.njit(cache=True, **FLAGS)(function))


def serves(stub: Callable[..., Any]) -> Callable[[F], F]:
    """Let the decorated function choose, by Numba types, what kernels run in the place of a stub.

    What it returns is inlined into the kernel that calls the stub, so that the choice costs nothing there.

    Args:
        stub: a function of the same arguments, which kernels call and Python never.
    """

    def register(choose: F) -> F:
        choose.__annotations__ = {}  # Numba would compare them with those of what is returned
        numba.extending.overload(stub, inline="always")(choose)
        return choose

    return register


def compile_once(what: str, run: Callable[[], object]) -> None:
    """Run what needs these kernels if they are cold, and say on stderr that it takes a while.

    Args:
        what: the kernels, in words, such as "self-play".
        run: calls every kernel, once.
    """
    if not is_cold(what):
        return
    print(f"ks_env: compiling kernels for {what}, once for this version ...", file=sys.stderr, flush=True)
    begin = time.perf_counter()
    run()
    print(f"ks_env: compiled in {time.perf_counter() - begin:.0f} s", file=sys.stderr, flush=True)
    CACHE.mkdir(parents=True, exist_ok=True)
    _marker(what).touch()
    forget_old_caches()


def forget_old_caches() -> None:
    """Keep the newest few digests; the rest belongs to sources that are gone. Nothing else is touched."""
    import shutil

    own = [p for p in cache_root().iterdir() if DIGEST_NAME.fullmatch(p.name) and any(p.glob("*.compiled"))]
    own.sort(key=lambda p: p.stat().st_mtime, reverse=True)
    for folder in own[KEPT_CACHES:]:
        shutil.rmtree(folder, ignore_errors=True)
