"""How games end, in words."""

from ks_env.core.answers import Reason


def reason_name(number: int) -> str:
    """The name of a `Reason` in words."""
    return Reason(number).name.lower().replace("_", " ")
