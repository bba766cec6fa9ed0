"""Encoders: planes that follow the base planes, computed from what a seat knows.

An encoder is handed VIEW records, never the truth. Other packages add theirs through the entry-point
group `ks_env.encoders`: the entry's name is the encoder's, its object a factory without arguments.
"""

from importlib.metadata import entry_points
from typing import Any, Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from ks_env.spaces.planes import Plane

GROUP = "ks_env.encoders"


@runtime_checkable
class Encoder(Protocol):
    """Extra planes.

    Attributes:
        planes: their names, bounds and meaning.
    """

    planes: tuple[Plane, ...]

    def encode(self, views: np.ndarray[Any, Any], out: npt.NDArray[np.uint8]) -> None:
        """Write planes of `views: VIEW[M]` to `out: u1[M, K, 8, 8]`, every byte, in the seat's frame."""


def encoder_names() -> list[str]:
    """Names of all encoders that can be made, sorted."""
    return sorted(entry.name for entry in entry_points(group=GROUP))


def make_encoder(encoder: "str | Encoder | None") -> Encoder | None:
    """The encoder of that name, or the one given.

    Raises:
        ValueError: no such encoder, or the object is none.
    """
    if encoder is None:
        return None
    if isinstance(encoder, str):
        for entry in entry_points(group=GROUP):
            if entry.name == encoder:
                encoder = entry.load()()
                break
        else:
            names = ", ".join(encoder_names()) or "none installed"
            raise ValueError(f"unknown encoder {encoder!r}; expected an Encoder or one of: {names}")
    if not isinstance(encoder, Encoder):
        raise ValueError(f"{encoder!r} is no encoder; expected the attributes planes and encode")
    return encoder
