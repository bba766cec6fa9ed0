"""A standing ranking: players come and go, and games are played where they tell most.

A ladder is a folder with `ladder.yaml`. Each meeting of two players is a small study of its own under
`meetings/`, named by both players, by what their files hold and by its number: a player that changes is a new
one, one that comes back finds its games again, and a kill costs at most the games in play.

The next meeting is that of the two players whose games are expected to narrow down the ratings most: with a
normal prior on ratings and a logistic model of points, a game of i and j adds p (1 − p) of information in the
direction of their difference, so that the determinant of the covariance shrinks by 1 + p (1 − p) Var(i − j)
(D-optimal design; D. V. Lindley: On a measure of the information provided by an experiment, 1956).
"""

import hashlib
import json
import math
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import numpy.typing as npt
from pydantic import AfterValidator, Field
from rich.console import Console

from ks_arena.match.result import GameResult
from ks_arena.names import fingerprint
from ks_arena.sections import SEEDS, ConfigError, check_section, dump_section, load_section
from ks_arena.study.config import GamesConfig, PlayerEntry, StudyConfig, UnmeasuredPlayers, different_labels
from ks_arena.study.run import run_study, tried_out
from ks_arena.study.schedule import Pairing
from ks_arena.study.study import Study

CONFIG = "ladder.yaml"
SPREAD = math.log(10)  # of the prior on ratings: 400 Elo
STEPS = 50

Table = npt.NDArray[np.float64]


class LadderConfig(GamesConfig):
    """What a ladder's file holds; see also `GamesConfig`.

    Attributes:
        players: who is in it now; at least two.
        meeting: games of a meeting, in pairs with colours swapped.
    """

    players: Annotated[UnmeasuredPlayers, AfterValidator(different_labels), Field(min_length=2)]
    meeting: int = Field(default=10, ge=2, multiple_of=2)

    @property
    def entries(self) -> tuple[PlayerEntry, ...]:
        """All players."""
        return self.players


class Meeting:
    """Games of two players, of which any number can be played.

    Attributes:
        first: label of one player.
        second: label of the other.
        done: the studies that have been begun, in order.
    """

    def __init__(self, ladder: "Ladder", first: PlayerEntry, second: PlayerEntry) -> None:
        self.first, self.second = first.label, second.label
        self._ladder, self._players = ladder, (first, second)
        key = json.dumps([ladder.identity(first), ladder.identity(second), ladder.terms])
        self._name = hashlib.sha256(key.encode()).hexdigest()[:16]
        self.done: list[Study] = []
        while self._file(len(self.done)).exists():
            self.done.append(Study.read(self._file(len(self.done))))

    def _file(self, number: int) -> Path:
        return self._ladder.folder / "meetings" / f"{self._name}-{number:05d}.sqlite"

    def next(self) -> tuple[StudyConfig, Path]:
        """What is to be played next, which may have been begun, and its file."""
        number = len(self.done)
        if self.done and not self.done[-1].finished:
            return self.done[-1].config, self.done[-1].path
        config = self._ladder.config
        turned = number * config.meeting // 2 % len(config.starts)  # other starts than in the last meeting
        seed = int(hashlib.sha256(f"{config.seed} {self._name} {number}".encode()).hexdigest(), 16) % SEEDS
        keys = config.model_dump(exclude={"players", "meeting"}) | {
            "seed": seed,
            "start": config.start and (*config.start[turned:], *config.start[:turned]),
            "games": config.meeting,
            "tournament": {"kind": "round-robin", "players": [e.model_dump() for e in self._players]},
        }
        return check_section(StudyConfig, keys, CONFIG), self._file(number)

    def keep(self, study: Study) -> None:
        """Take in a study that has been played or resumed."""
        self.done = [each for each in self.done if each.path != study.path] + [study]

    def games(self, pairing: int) -> list[GameResult]:
        """All games, numbered as those of one pairing."""
        found: list[GameResult] = []
        for study in self.done:
            pairs = 1 + max((game.pair for game in found), default=-1)
            found += [replace(game, pairing=pairing, pair=pairs + game.pair) for game in study.games()]
        return found


class Standing(Study):
    """The games of all who are in a ladder now, as one study for the report."""

    ends = False

    def __init__(self, ladder: "Ladder") -> None:
        self.path = ladder.folder / CONFIG
        self.labels = tuple(entry.label for entry in ladder.config.players)
        self.pairings = tuple(
            Pairing(index, each.first, each.second) for index, each in enumerate(ladder.meetings)
        )
        self.stops = {}
        self._games = {index: each.games(index) for index, each in enumerate(ladder.meetings)}
        most = max(2, *(len(games) + len(games) % 2 for games in self._games.values()))
        keys = ladder.config.model_dump(exclude={"players", "meeting"}) | {
            "games": most,
            "tournament": {"kind": "round-robin", "players": [e.model_dump() for e in ladder.config.players]},
        }
        self.config = check_section(StudyConfig, keys, CONFIG)
        self._recipe = CONFIG, dump_section(ladder.config), f"ks ladder {ladder.folder}"

    def expected(self, pairing: int) -> int:
        """As many games as there are: a ladder never ends."""
        return len(self._games[pairing])

    @property
    def recipe(self) -> tuple[str, str, str]:
        """See `Study`."""
        return self._recipe


class Ladder:
    """A ladder in its folder.

    Args:
        folder: with `ladder.yaml` in it.

    Attributes:
        folder: as given.
        config: what the file holds.
        terms: what else all games depend on.
        meetings: one of every two players.

    Raises:
        ConfigError: the file is missing or wrong, a player cannot be made, or a store is damaged.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        if not (folder / CONFIG).exists():
            raise ConfigError(f"{folder}: has no {CONFIG}; expected one with name and players, or --begin")
        self.config: LadderConfig = load_section(LadderConfig, folder / CONFIG)
        self.terms = self.config.model_dump(mode="json", exclude={"players", "name", "seed"})
        self._names = {entry.label: tried_out(entry, self.config) for entry in self.config.players}
        players = sorted(self.config.players, key=lambda entry: entry.label)
        self.meetings = [Meeting(self, *pair) for pair in combinations(players, 2)]

    def identity(self, entry: PlayerEntry) -> dict[str, Any]:
        """All by which a player is this one and no other."""
        return entry.model_dump(mode="json") | {"print": fingerprint(self._names[entry.label])}

    def next_meeting(self) -> Meeting:
        """The one that has been begun, or else the one that tells most."""
        for meeting in self.meetings:
            if meeting.done and not meeting.done[-1].finished:
                return meeting
        labels = sorted(self._names)
        points, games = np.zeros((2, len(labels), len(labels)))
        for meeting in self.meetings:
            i, j = labels.index(meeting.first), labels.index(meeting.second)
            for study in meeting.done:
                for game in study.games():
                    games[i, j] += 1
                    points[i, j] += game.first_points
            games[j, i], points[j, i] = games[i, j], games[i, j] - points[i, j]
        i, j = most_telling(points, games)
        return next(each for each in self.meetings if {each.first, each.second} == {labels[i], labels[j]})

    def play(self, games: int, *, workers: int, engine: str, console: Console) -> int:
        """Play meetings until so many games more have been played, resuming one that was begun first.

        Returns:
            Games played.
        """
        played = 0
        while played < games:
            meeting = self.next_meeting()
            config, path = meeting.next()
            begun = meeting.done[-1].games() if meeting.done and meeting.done[-1].path == path else []
            console.print(f"{meeting.first} v {meeting.second}", markup=False)
            study = run_study(config, path, workers=workers, engine=engine, console=console)
            meeting.keep(study)
            played += len(study.games()) - len(begun)
            if not study.finished:  # it was interrupted
                break
        return played


def ratings_of(points: Table, games: Table) -> tuple[Table, Table]:
    """Means and covariance of ratings in natural units, under the prior: f8[P] and f8[P, P].

    Args:
        points: f8[P, P], of the row's player against the column's.
        games: f8[P, P], symmetric.
    """
    ratings: Table = np.zeros(len(games))
    prior = np.eye(len(games)) / SPREAD**2
    for _ in range(STEPS):
        likely = 1 / (1 + np.exp(ratings[None] - ratings[:, None]))
        weights = games * likely * (1 - likely)
        precision = np.diag(weights.sum(1)) - weights + prior
        step = np.linalg.solve(precision, (points - games * likely).sum(1) - prior @ ratings)
        ratings += np.clip(step, -1, 1)
    return ratings, np.asarray(np.linalg.inv(precision), np.float64)


def most_telling(points: Table, games: Table) -> tuple[int, int]:
    """The two players whose next game narrows down the ratings most; arguments as for `ratings_of`."""
    ratings, covariance = ratings_of(points, games)
    likely = 1 / (1 + np.exp(ratings[None] - ratings[:, None]))
    own = np.diag(covariance)
    gain = likely * (1 - likely) * (own[:, None] + own[None] - 2 * covariance)
    i, j = np.unravel_index(np.argmax(np.triu(gain, 1)), gain.shape)
    return int(i), int(j)
