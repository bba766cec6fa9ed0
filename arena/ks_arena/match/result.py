"""What is known of a game once it has been played, and what it was played with."""

import json
import platform
from dataclasses import dataclass
from functools import cache
from importlib.metadata import PackageNotFoundError, version

import numpy as np

from ks_env.core.answers import Reason
from ks_env.core.cache import digest, modules_in

FORFEIT = "forfeit"
OUTCOMES = {-1: 0, 0: 1, 1: -1}  # by the field `winner` of TRUTH


@dataclass(frozen=True, slots=True)
class SeatWork:
    """What one seat did in one game.

    Attributes:
        moves: tries that were accepted.
        tries: all tries, the accepted ones and questions among them.
        seconds: wall clock spent in the player's own code: begin, choose and hear.
        slowest: seconds of its longest turn.
        nodes: the player's own count of its work; None if it keeps none.
    """

    moves: int
    tries: int
    seconds: float
    slowest: float
    nodes: int | None


@dataclass(frozen=True, slots=True)
class GameResult:
    """One game of a study.

    Attributes:
        pairing: number of the pairing in the study.
        pair: number of the pair of games in the pairing. Both have one start, and each player has one seed.
        leg: 0 where the pairing's first player has White, 1 where the second has.
        white: label of the player with White.
        black: label of the other.
        white_seed: seed of White's player.
        black_seed: seed of Black's player.
        start_fen: position at the start.
        outcome: +1 if White won, -1 if Black won, 0 for a draw or a game cut short.
        reason: why the game ended, in words: that of the referee, or "forfeit".
        fault: what the player did who forfeited; None without a forfeit.
        plies: half-moves played.
        spoken: how many of them the referee answered by more than whose turn it is.
        work: White's and Black's.
        seconds: wall clock of the whole game, once both players have been made.
        actions: all answered tries, little-endian int16 each, in the mover's frame.
        versions: versions of what the game was played with, as JSON.
        notes: White's and Black's, of players that make any (`ks_env.players.protocol`); a study keeps none.
    """

    pairing: int
    pair: int
    leg: int
    white: str
    black: str
    white_seed: int
    black_seed: int
    start_fen: str
    outcome: int
    reason: str
    fault: str | None
    plies: int
    spoken: int
    work: tuple[SeatWork, SeatWork]
    seconds: float
    actions: bytes
    versions: str
    notes: tuple[bytes, bytes] = (b"", b"")

    @property
    def key(self) -> tuple[int, int, int]:
        """The place of the game in the study: pairing, pair, leg."""
        return self.pairing, self.pair, self.leg

    @property
    def numbers(self) -> list[int]:
        """All answered tries, each in its mover's frame."""
        numbers: list[int] = np.frombuffer(self.actions, "<i2").tolist()
        return numbers

    @property
    def first_points(self) -> float:
        """Points of the pairing's first player: 1, ½ or 0."""
        return (1 + (self.outcome if self.leg == 0 else -self.outcome)) / 2


PACKAGES = ("ks-env", "numpy", "numba", "chess", "torch", "stable-baselines3", "sb3-contrib")


@cache
def versions_text(apart: tuple[str | None, str | None] = (None, None)) -> str:
    """Versions of Python and of the packages, and the digest of our kernels, as one line of JSON.

    Args:
        apart: what is kept from White's and Black's process; None for players that have none of their own.
    """
    found = {"python": platform.python_version(), "machine": platform.machine()}
    for name in PACKAGES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    found |= {f"{seat} apart": words for seat, words in zip(("white", "black"), apart, strict=True) if words}
    return json.dumps(
        found | {"kernels": digest(modules_in("ks_env") + modules_in("ks_baselines"))}, sort_keys=True
    )


def reason_name(number: int) -> str:
    """The name of a `Reason` in words."""
    return Reason(number).name.lower().replace("_", " ")
