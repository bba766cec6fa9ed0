"""What games were played with: versions that a result may hang on."""

import json
import platform
from functools import cache
from importlib.metadata import PackageNotFoundError, version

from ks_env.core.cache import digest, modules_in

PACKAGES = ("ks-env", "numpy", "numba", "chess", "torch", "stable-baselines3", "sb3-contrib")


@cache
def versions_text() -> str:
    """Versions of Python and of the packages, and the digest of our sources, as one line of JSON."""
    found = {"python": platform.python_version(), "machine": platform.machine()}
    for name in PACKAGES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    kernels = digest(modules_in("ks_env") + modules_in("ks_baselines"))
    return json.dumps(found | {"kernels": kernels}, sort_keys=True)
