"""From tries back to what a learner is given: games replayed side by side by the compiled referee.

    for batch in replay("runs/teacher/games.parquet", encoder="metaposition"):
        loss = cross_entropy(net(batch.inputs.observations, batch.inputs.masks), batch.labels)

Inputs are computed from the seat's view, just as the environments do it. Targets and the places of decisions
in the data set are beside them, and not to be learnt from: the number of a try in its game, say, counts
refusals that the seat has not heard.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, NamedTuple

import numpy as np
import numpy.typing as npt
from ks_arena.match.result import FORFEIT, OUTCOMES, reason_name

from ks_env.belief.encoders import Encoder
from ks_env.belief.terms import Terms, Tries, joined, taken
from ks_env.core.answers import UNDER_WAY
from ks_env.core.ruleset import Ruleset
from ks_env.envs.batch import DISABLED
from ks_env.envs.engine import Engine
from ks_env.games.options import GameOptions
from ks_train.data.schema import UNASKED, DataError, Games, Setting, read_games

Array = np.ndarray[Any, Any]
ROWS = 128  # games at once
MIRROR = np.arange(64) ^ 56
Decisions = Literal["labelled", "all"]


class Inputs(NamedTuple):
    """What a seat may decide by. N decisions, C planes.

    Attributes:
        observations: u1[N, C, 8, 8], base planes and the encoder's.
        masks: i1[N, 1859].
        terms: the tries and their terms, ragged; None where no terms were asked for.
    """

    observations: npt.NDArray[np.uint8]
    masks: npt.NDArray[np.int8]
    terms: Tries | None


@dataclass(frozen=True)
class Batch:
    """N decisions: what their seats knew, and beside it what there is to learn.

    Attributes:
        inputs: what the seats knew.
        labels: i2[N], what the teacher would have tried; -1 where it was not asked.
        made: i2[N], what was tried.
        noise: bool[N], whether that was drawn instead of chosen.
        results: f4[N], the game's result for the seat: 1, 0, -1.
        value_offsets: i8[N + 1], where the values of each decision begin.
        value_tries: i2[V], the tries that were weighed.
        values: f4[V], their values, in the unit of who weighed them.
        games: i8[N], numbers of the games in their data set.
        at: i4[N], numbers of the tries in their games.
        seats: u1[N], 0 White, 1 Black.
        men: u1[N, 64], kinds of the opponent's men where they truly stood, in the seat's frame, 0 elsewhere;
            None unless `privileged` was asked for.
    """

    inputs: Inputs
    labels: npt.NDArray[np.int16]
    made: npt.NDArray[np.int16]
    noise: npt.NDArray[np.bool_]
    results: npt.NDArray[np.float32]
    value_offsets: npt.NDArray[np.int64]
    value_tries: npt.NDArray[np.int16]
    values: npt.NDArray[np.float32]
    games: npt.NDArray[np.int64]
    at: npt.NDArray[np.int32]
    seats: npt.NDArray[np.uint8]
    men: npt.NDArray[np.uint8] | None = None

    def __len__(self) -> int:
        return len(self.labels)


def replay(
    source: Path | str,
    *,
    batch: int = 1024,
    decisions: Decisions = "labelled",
    encoder: str | Encoder | None = None,
    terms: str | Terms | None = None,
    mask: str = "informed",
    privileged: bool = False,
    rows: int = ROWS,
) -> Iterator[Batch]:
    """Replay a data set.

    Decisions come in the order in which the games are stepped side by side, the same every time; those of
    one game are in their order. Batches are cut where the game, its rules or the file's row group changes.

    Args:
        source: a file, or a folder of files.
        batch: decisions in a batch; the last ones may have fewer.
        decisions: those that the teacher was asked about, or all.
        encoder: name of an encoder, or an `Encoder`, whose planes follow the base planes.
        terms: name of terms of tries, or `Terms`, that describe what could have been tried.
        mask: "informed" or "own-board".
        privileged: give the opponent's true men as targets, which no seat knows.
        rows: games at once.

    Raises:
        DataError: a file is damaged, or a game does not end as its row says.
        ValueError: an argument is bad.
    """
    if decisions not in ("labelled", "all"):
        raise ValueError(f"decisions is {decisions!r}; expected 'labelled' or 'all'")
    if batch < 1 or rows < 1:
        raise ValueError(f"batch is {batch} and rows {rows}; expected at least 1 of each")
    for games in read_games(source):
        wanted = games.labels != UNASKED if decisions == "labelled" else np.ones(len(games.tries), np.bool_)
        for setting, members in _by_setting(games).items():
            replaying = _Replay(games, setting, members, wanted, encoder, terms, mask, privileged, rows)
            yield from replaying.run(batch)


def _by_setting(games: Games) -> dict[Setting, list[int]]:
    """The games that have any tries, by what they have in common, in their order."""
    found: dict[Setting, list[int]] = {}
    for g, setting in enumerate(games.settings):
        if games.first[g] < games.first[g + 1]:
            found.setdefault(setting, []).append(g)
    return found


@dataclass(frozen=True, kw_only=True)
class _GivenStarts(GameOptions):
    """Options of an environment that begins at rows which are there already."""

    setting: Setting
    rows: Array
    placed: tuple[str, ...]

    @property
    def starts_hidden(self) -> bool:
        return self.setting.hidden

    def rules(self) -> Ruleset:
        return self.setting.rules

    def starts(self) -> tuple[Array, list[str]]:
        return self.rows, list(self.placed)


def _starts_of(games: Games, setting: Setting, members: list[int]) -> tuple[Array, list[str], dict[int, int]]:
    """Rows GAME[K] of the games' starts, their FENs, and the number of each game's start.

    Of a hidden start all declared positions are there, since a seat has to reckon with them.
    """
    fens: list[str] = []
    rows: list[Any] = []
    known: dict[tuple[str, tuple[str, str]], int] = {}
    number: dict[int, int] = {}
    for g in members:
        key = games.fens[g], games.men[g]
        if key not in known:
            known[key] = len(rows)
            rows.append(games.begin(g).row().copy())
            fens.append(games.fens[g])
        number[g] = known[key]
    for fen in setting.declared:
        if fen not in fens:
            rows.append(setting.declared_row(fen))
            fens.append(fen)
    starts = np.zeros(len(rows), setting.definition.row)
    for i, row in enumerate(rows):
        starts[i] = row
    starts["truth"]["start"] = np.arange(len(rows))
    if not setting.hidden:
        starts["views"]["start"] = np.arange(len(rows))[:, None]
    return starts, fens, number


class _Replay:
    """Games of one setting, replayed side by side; a row whose game has ended takes the next one."""

    def __init__(
        self,
        games: Games,
        setting: Setting,
        members: list[int],
        wanted: npt.NDArray[np.bool_],
        encoder: str | Encoder | None,
        terms: str | Terms | None,
        mask: str,
        privileged: bool,
        rows: int,
    ) -> None:
        starts, fens, self.number = _starts_of(games, setting, members)
        options = _GivenStarts(
            mask=mask, encoder=encoder, terms=terms, setting=setting, rows=starts, placed=tuple(fens)
        )
        self.games, self.members, self.wanted, self.privileged = games, members, wanted, privileged
        self.engine = Engine(min(rows, len(members)), setting.definition, options, None, autoreset=DISABLED)

    def run(self, size: int) -> Iterator[Batch]:
        """The decisions in batches."""
        games, engine = self.games, self.engine
        playing = np.full(engine.num_envs, -1)
        at = np.zeros(engine.num_envs, np.int64)
        left = iter(self.members)
        gathered = _Gathered(size)
        while True:
            self._refill(playing, at, left)
            live = np.flatnonzero(playing >= 0)
            if not len(live):
                break
            tries = games.first[playing[live]] + at[live]
            chosen = self.wanted[tries]
            yield from self._gather(gathered, live[chosen], playing, tries[chosen], at)
            actions = np.zeros(engine.num_envs, np.int64)
            actions[live] = games.tries[tries]
            engine.step(actions)
            at[live] += 1
            self._check(live, playing, at)
        yield from gathered.rest(games)

    def _refill(self, playing: Array, at: Array, left: Iterator[int]) -> None:
        """Begin games in free rows, once enough are free to be worth the observation of all rows."""
        free = np.flatnonzero(playing < 0)
        if len(free) * 8 < len(playing) and len(free) < len(playing):
            return
        begun = [(row, g) for row, g in zip(free.tolist(), left, strict=False)]
        if begun:
            rows, members = (np.array(each) for each in zip(*begun, strict=True))
            starts = np.array([self.number[g] for _, g in begun])
            self.engine.begin_at(rows, starts)
            playing[rows], at[rows] = members, 0

    def _gather(
        self, gathered: "_Gathered", rows: Array, playing: Array, tries: Array, at: Array
    ) -> Iterator[Batch]:
        buffers, batch = self.engine.buffers, self.engine.batch
        done = 0
        while done < len(rows):
            part = slice(done, min(len(rows), done + gathered.room))
            here = rows[part]
            some = _Some(
                observations=buffers.observations[here],
                masks=buffers.masks[here],
                tries=tries[part],
                members=playing[here],
                at=at[here],
                seats=batch.seats[here],
                truths=batch.games["truth"]["men"][here] if self.privileged else None,
                described=None if self.engine.terms is None else taken(self.engine.tries, here),
            )
            done = part.stop
            yield from gathered.add(some, self.games)

    def _check(self, live: Array, playing: Array, at: Array) -> None:
        """See that games end with their last try, and as their rows say; free the rows of those that do."""
        games, truth = self.games, self.engine.batch.games["truth"]
        members = playing[live]
        last = at[live] == games.first[members + 1] - games.first[members]
        early = live[~last & (truth["reason"][live] != UNDER_WAY)]
        if len(early):
            raise DataError(f"{games.name(playing[early[0]])}: is damaged: there are tries after its end")
        for row in live[last].tolist():
            g = int(playing[row])
            if not _ended_so(games, g, truth[row]):
                found = reason_name(int(truth[row]["reason"])) if truth[row]["reason"] else "no end"
                raise DataError(
                    f"{games.name(g)}: its tries lead to {found} after {truth[row]['plies']} plies; "
                    f"expected {games.reasons[g]} after {games.plies[g]}: it is damaged, or was played under"
                    " other rules"
                )
            playing[row] = -1


def _ended_so(games: Games, g: int, truth: Any) -> bool:
    """Whether a game that has been replayed ended as its row says; one that was forfeited had not ended."""
    if truth["plies"] != games.plies[g]:
        return False
    if games.reasons[g] == FORFEIT:
        return not truth["reason"]
    ended = OUTCOMES[int(truth["winner"])], reason_name(int(truth["reason"]))
    return bool(truth["reason"]) and ended == (games.results[g], games.reasons[g])


class _Some(NamedTuple):
    """Decisions of one step, their places in the games' arrays beside what the engine shows of them."""

    observations: Array
    masks: Array
    tries: Array
    members: Array
    at: Array
    seats: Array
    truths: Array | None
    described: Tries | None


class _Gathered:
    """Decisions on their way into batches."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._some: list[_Some] = []
        self.room = size

    def add(self, some: _Some, games: Games) -> Iterator[Batch]:
        """Take in no more decisions than there is room for; the batch that they fill."""
        self._some.append(some)
        self.room -= len(some.tries)
        if self.room == 0:
            yield from self.rest(games)

    def rest(self, games: Games) -> Iterator[Batch]:
        """The batch of what there is, if there is anything."""
        if self._some:
            some, self._some, self.room = self._some, [], self._size
            yield _batch_of(some, games)


def _batch_of(parts: list[_Some], games: Games) -> Batch:
    def whole(name: str) -> Array:
        return np.concatenate([getattr(part, name) for part in parts])

    tries, members, seats = whole("tries"), whole("members"), whole("seats")
    observations = whole("observations")
    described = [part.described for part in parts if part.described is not None]
    terms = joined(described) if described else None
    counts = games.first_values[tries + 1] - games.first_values[tries]
    offsets = np.concatenate([[0], np.cumsum(counts)])
    weighed = np.repeat(games.first_values[tries] - offsets[:-1], counts) + np.arange(offsets[-1])
    return Batch(
        inputs=Inputs(observations.reshape(len(tries), -1, 8, 8), whole("masks"), terms),
        labels=games.labels[tries],
        made=games.tries[tries],
        noise=games.noise[tries],
        results=(games.results[members] * (1 - 2 * seats.astype(np.int8))).astype(np.float32),
        value_offsets=offsets,
        value_tries=games.value_tries[weighed],
        values=games.values[weighed].astype(np.float32),
        games=games.numbers[members],
        at=whole("at").astype(np.int32),
        seats=seats,
        men=None if parts[0].truths is None else _their_men(whole("truths"), seats),
    )


def _their_men(men: Array, seats: Array) -> npt.NDArray[np.uint8]:
    """Kinds of the opponents' men in the seats' frames, u1[N, 64], from `men` of TRUTH records."""
    theirs = np.where(men >> 3 != seats[:, None], men & 7, 0).astype(np.uint8)
    return np.where(seats[:, None] == 1, theirs[:, MIRROR], theirs)
