"""A seat whose tries are noted: what an expert would have tried, the values, and which tries were noise."""

import operator
from dataclasses import replace
from io import BytesIO
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ks_env.core.tables import TRIES
from ks_env.games import game_ids, game_named, serves
from ks_env.games.opening import Opening
from ks_env.games.under_way import AnyAnnouncement
from ks_env.players.protocol import Player, View, WeighsTries, listener
from ks_env.players.registry import make_player
from ks_train.data.config import ITSELF, DataPlayer

UNASKED = -1
PLACE = f"{__name__}:NotingPlayer"


class Notes(NamedTuple):
    """What is noted of one seat of one game.

    Attributes:
        labels: i8[T], for each try of the seat what the teacher would have tried; UNASKED where nobody was.
        noise: bool[T], whether the try was drawn.
        counts: i8[T], how many tries were weighed.
        tries: i2[sum of counts], those.
        values: f4[sum of counts], their values.
    """

    labels: npt.NDArray[np.int64]
    noise: npt.NDArray[np.bool_]
    counts: npt.NDArray[np.int64]
    tries: npt.NDArray[np.int16]
    values: npt.NDArray[np.float32]

    def pack(self) -> bytes:
        """As bytes that `unpack` reads."""
        out = BytesIO()
        np.savez(out, **self._asdict())
        return out.getvalue()

    @classmethod
    def unpack(cls, data: bytes) -> "Notes":
        """The notes of a game; no bytes are those of a seat that noted nothing."""
        if not data:
            none = np.zeros(0, np.int64)
            return cls(none, np.zeros(0, np.bool_), none, np.zeros(0, np.int16), np.zeros(0, np.float32))
        with np.load(BytesIO(data), allow_pickle=False) as parts:
            return cls(**{name: parts[name] for name in cls._fields})


class NotingPlayer:
    """A player with a teacher beside it, both asked in each of its turns, and with noise in its tries.

    What is weighed is noted of the teacher where there is one, else of the player.

    Args:
        player: a name for `make_player`.
        teacher: another, "itself", or empty for none.
        noise: share of tries that are drawn evenly from the informed mask instead.

    Attributes:
        games: ids of the games that both play.
    """

    def __init__(self, player: str, teacher: str = "", noise: float = 0.0) -> None:
        self._player = make_player(player)
        self._teacher = make_player(teacher) if teacher and teacher != ITSELF else None
        self._itself = teacher == ITSELF
        self._noise = noise
        self.name = self._player.name
        asked = [self._player] if self._teacher is None else [self._player, self._teacher]
        self.games = tuple(
            game for game in game_ids() if all(serves(each, game_named(game)) for each in asked)
        )
        self._listeners = [hear for each in asked if (hear := listener(each)) is not None]
        if self._listeners:  # announcements are made for those that listen
            self.hear = self._pass_on
        self._opening: Opening | None = None

    def begin(self, opening: Opening) -> None:
        """A new game; player, teacher and noise each draw from their own random stream."""
        seeds = np.random.SeedSequence(opening.seed).generate_state(2)
        self._player.begin(opening)
        if self._teacher is not None:
            self._teacher.begin(replace(opening, seed=int(seeds[0])))
        self._random = np.random.default_rng(seeds[1])
        self._opening = opening
        self._noted: list[tuple[int, bool]] = []
        self._weighed: list[tuple[npt.NDArray[np.int16], npt.NDArray[np.float32]]] = []

    def choose(self, view: View) -> int:
        """The next try.

        Raises:
            ValueError: the teacher's answer is no try.
        """
        assert self._opening is not None
        action = self._ask(self._player, view)
        label = (
            action if self._itself else UNASKED if self._teacher is None else self._ask(self._teacher, view)
        )
        noisy = bool(self._random.random() < self._noise)
        self._noted.append((label, noisy))
        self._weighed.append(_weighed(self._teacher or self._player))
        return int(self._random.choice(self._opening.tries(view))) if noisy else action

    def _ask(self, player: Player, view: View) -> int:
        label = operator.index(player.choose(view))
        if not 0 <= label < TRIES:
            raise ValueError(f"{player.name!r} chose {label}; expected a try from 0 to {TRIES - 1}")
        return label

    def _pass_on(self, announcement: AnyAnnouncement) -> None:
        for hear in self._listeners:
            hear(announcement)

    @property
    def notes(self) -> bytes:
        """See `Notes`."""
        if self._opening is None:
            return b""
        tries, values = zip(*self._weighed, strict=True) if self._weighed else ((), ())
        return Notes(
            np.array([label for label, _ in self._noted], np.int64),
            np.array([noisy for _, noisy in self._noted], np.bool_),
            np.array([len(each) for each in tries], np.int64),
            np.concatenate([np.zeros(0, np.int16), *tries]),
            np.concatenate([np.zeros(0, np.float32), *values]),
        ).pack()


MOST_WEIGHED = 255  # tries; their number is kept in a byte


def _weighed(player: Any) -> tuple[npt.NDArray[np.int16], npt.NDArray[np.float32]]:
    if not isinstance(player, WeighsTries):
        return np.zeros(0, np.int16), np.zeros(0, np.float32)
    weighed = player.weighed()
    tries, values = np.asarray(weighed[0], np.int64), np.asarray(weighed[1], np.float32)
    fits = tries.ndim == 1 and tries.shape == values.shape and len(tries) <= MOST_WEIGHED
    if not fits or not ((tries >= 0) & (tries < TRIES)).all():
        raise ValueError(
            f"{player!r} weighed {tries.shape} tries by {values.shape} values; expected as many of each,"
            f" at most {MOST_WEIGHED}, of tries from 0 to {TRIES - 1}"
        )
    return tries.astype(np.int16), values


def noting_name(player: str, teacher: str, entry: DataPlayer) -> str:
    """The name by which `make_player` makes a `NotingPlayer`.

    Args:
        player: the player's name for the registry.
        teacher: the teacher's, ITSELF or empty.
        entry: of the config.
    """
    return f"{PLACE}:player={player!r},teacher={teacher!r},noise={entry.noise!r}"
