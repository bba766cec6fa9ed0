"""Making a data set: play what is missing of its games, keep each as it ends, write the file at the end.

A game depends on the config and its number alone: neither the number of workers nor a stop in between
changes the file. Games are played by the arena, in its worker processes or on Ray, and what it does with
players that fail holds here: they forfeit.
"""

import json
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
from ks_arena.apart.player import isolated_name
from ks_arena.match.referee import game_of_job
from ks_arena.match.result import GameResult, versions_text
from ks_arena.names import fingerprint
from ks_arena.sections import SEEDS, ConfigError
from ks_arena.study.config import PlayerEntry, is_isolated
from ks_arena.study.run import tried_out
from ks_arena.study.schedule import GameJob, alike_starts
from ks_arena.work.database import alone, discard
from ks_arena.work.engine import Engine, make_engine
from ks_arena.work.interrupts import held_interrupts
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from ks_train.data.config import ITSELF, DataConfig, DataPlayer
from ks_train.data.journal import Journal
from ks_train.data.schema import MOST_VALUE, UNASKED, in_groups, rules_text, write_games
from ks_train.data.seat import Notes, noting_name
from ks_train.data.starts import quiet_start


class Made(NamedTuple):
    """A data set that has been made.

    Attributes:
        path: the file.
        games, tries, labels: how many are in it.
    """

    path: Path
    games: int
    tries: int
    labels: int


def default_path(config: DataConfig) -> Path:
    """Where a data set lives unless told otherwise."""
    return Path("runs") / config.name / "games.parquet"


def generate(
    config: DataConfig,
    path: Path | None = None,
    *,
    workers: int = 2,
    engine: str = "processes",
    console: Console | None = None,
    restart: bool = False,
) -> Made:
    """Play what is missing of a data set and write it; an interrupt ends it early, and the same call goes on.

    Args:
        config: the data set.
        path: its file, `runs/<name>/games.parquet` by default. Games that have been played are kept beside
            it, under the same name with the ending `.sqlite`.
        workers: how many games are played at once.
        engine: "processes" or "ray".
        console: where the progress is shown.
        restart: throw away what was played.

    Raises:
        ConfigError: a player cannot be made, other games are there, or another process is making it.
        OSError: a file cannot be written.
    """
    path = path or default_path(config)
    if path.suffix != ".parquet":
        raise ConfigError(f"{path}: expected a file name that ends in .parquet")
    field = _Field(config)
    plays = make_engine(engine, workers)
    kept = path.with_suffix(".sqlite")
    kept.parent.mkdir(parents=True, exist_ok=True)
    fault = f"{path}: another process is making this data set"
    with alone(kept.with_name(f".{kept.name}.lock"), fault), closing(_open(field, path, restart)) as journal:
        _play_missing(field, journal, plays, console or Console())
        return _write(path, journal, config)


class _Field:
    """The players of a data set, made sure of, and its games by number."""

    def __init__(self, config: DataConfig) -> None:
        self.config = config
        self.names, self.prints = {}, {}
        for entry in config.players:
            player, teacher = tried_out(entry, config), entry.teacher
            if teacher not in ("", ITSELF):
                teacher = tried_out(PlayerEntry(player=teacher, isolated=entry.isolated), config)
            apart = [self._apart(entry, name) for name in (player, teacher)]
            self.names[entry.label] = noting_name(apart[0], apart[1], entry)
            for name in (player, teacher):
                if name not in ("", ITSELF) and (found := fingerprint(name)) is not None:
                    self.prints[name] = found
        shares = np.array([meeting.share for meeting in config.all_meetings])
        self._shares = shares / shares.sum()

    def _apart(self, entry: DataPlayer, name: str) -> str:
        """The same player, in a process of its own where the config wants it there."""
        if name in ("", ITSELF) or not is_isolated(entry, name, self.config.isolated):
            return name
        return isolated_name(name, self.config.limits.cage)

    @property
    def about(self) -> dict[str, Any]:
        """What is said of the data set in its file."""
        return {
            "config": self.config.model_dump(mode="json"),
            "fingerprints": self.prints,
            "versions": json.loads(versions_text()),
        }

    def job(self, number: int) -> GameJob:
        """A game of the data set, to be played."""
        config = self.config
        rng = np.random.default_rng([config.seed, number])
        meeting = config.all_meetings[rng.choice(len(self._shares), p=self._shares)]
        labels = meeting.players[:: 1 if rng.random() < 0.5 else -1]
        start = number % len(config.starts)
        fen = config.starts[start]
        white, black = (config.player(label) for label in labels)
        seeds = rng.integers(SEEDS, size=2).tolist()
        return GameJob(
            pairing=0,
            pair=number,
            leg=0,
            labels=(white.label, black.label),
            players=(self.names[white.label], self.names[black.label]),
            prints=(None, None),
            seeds=(seeds[0], seeds[1]),
            fen=quiet_start(rng, fen, config.quiet_plies) if config.quiet_plies else fen,
            hidden=config.hidden_start,
            rules=config.rules,
            seconds_a_move=config.limits.seconds_a_move,
            deaths=config.limits.deaths,
            alike=alike_starts(config, start),
            men=(white.hidden, black.hidden),
            game=config.game,
        )


def _open(field: _Field, path: Path, restart: bool) -> Journal:
    """The journal, made if it is not there, and seen to be of this very data set."""
    kept = path.with_suffix(".sqlite")
    if restart:
        if kept.exists():
            Journal(kept).close()  # nothing else than a journal is thrown away
        discard(kept)
    if not kept.exists():
        if path.exists() and not restart:
            raise ConfigError(f"{path}: exists; use --restart to make it again, or name another file")
        return Journal.create(kept, field.about)
    journal = Journal(kept)
    try:
        _check_same(journal, field)
    except BaseException:
        journal.close()
        raise
    return journal


def _check_same(journal: Journal, field: _Field) -> None:
    before, now = journal.about, json.loads(json.dumps(field.about))
    keys = [
        key for key in now["config"] if key != "games" and before["config"].get(key) != now["config"][key]
    ]
    if keys:
        wrong = f"holds games with another {' and '.join(keys)}"
    elif before["versions"] != now["versions"]:
        wrong = "holds games of another version of ks_env"
    elif before["fingerprints"] != now["fingerprints"]:
        wrong = "a player's file has changed since these games were begun"
    else:
        return
    raise ConfigError(
        f"{journal.path}: {wrong}; use --restart to throw them away and start over, or give this data set"
        " another name"
    )


def _play_missing(field: _Field, journal: Journal, engine: Engine, console: Console) -> None:
    games = field.config.games
    played = journal.numbers(below=games)
    jobs: dict[int, GameJob] = {}

    def missing() -> Iterator[GameJob]:
        for number in range(games):
            if number not in played:
                jobs[number] = field.job(number)
                yield jobs[number]

    if len(played) == games:
        return
    with held_interrupts() as check, _bar(console) as bar, closing(engine.run(missing())) as results:
        task = bar.add_task(field.config.name, total=games, completed=len(played), told="")
        tries = labels = faults = 0
        for result in results:
            if result is not None:
                row = row_of(jobs.pop(result.pair), result)
                journal.add(row)
                tries += len(row["tries"])
                labels += 0 if row["labels"] is None else int((row["labels"] != UNASKED).sum())
                faults += result.fault is not None
                told = f", {tries:,} tries, {labels:,} labels now"
                bar.update(task, advance=1, told=told + (f", [red]{faults} forfeits[/]" if faults else ""))
            check()


def _bar(console: Console) -> Progress:
    return Progress(
        TextColumn("[bold]{task.description}"),
        BarColumn(bar_width=24),
        MofNCompleteColumn(),
        TextColumn("games{task.fields[told]}"),
        TimeRemainingColumn(),
        console=console,
    )


def row_of(job: GameJob, result: GameResult) -> dict[str, Any]:
    """The row of a game that has been played: see `ks_train.data.schema.COLUMNS`."""
    game, tries = game_of_job(job), np.frombuffer(result.actions, "<i2")
    truth, movers = game.row()["truth"], np.zeros(len(tries), np.int64)
    for i, action in enumerate(tries.tolist()):
        movers[i] = truth["side"]
        game.judge(action)
    white_men, black_men = game.men
    return {
        "number": job.pair,
        "game": job.game,
        "ruleset": job.rules.name,
        "rules": rules_text(job.rules),
        "fen": job.fen,
        "hidden_start": job.hidden,
        "declared": sorted({*job.alike[0], *job.alike[1]}),
        "white_men": white_men,
        "black_men": black_men,
        "white": result.white,
        "black": result.black,
        "white_seed": result.white_seed,
        "black_seed": result.black_seed,
        "result": result.outcome,
        "reason": result.reason,
        "fault": result.fault,
        "plies": result.plies,
        "tries": tries,
        **_noted(movers, tuple(Notes.unpack(notes) for notes in result.notes)),
    }


def _noted(movers: np.ndarray[Any, Any], notes: tuple[Notes, ...]) -> dict[str, Any]:
    """The columns that the seats' notes make, each in the order of the game's tries; None without any.

    A seat may have noted a try that it forfeited by, and has noted none where its process was killed.
    """
    labels = np.full(len(movers), UNASKED, np.int16)
    noise = np.zeros(len(movers), np.bool_)
    weighed: list[slice] = [slice(0, 0)] * len(movers)
    for seat, each in enumerate(notes):
        at = np.flatnonzero(movers == seat)[: len(each.labels)]
        labels[at] = each.labels[: len(at)]
        noise[at] = each.noise[: len(at)]
        first = np.concatenate([[0], np.cumsum(each.counts)]).tolist()
        for i, begin, end in zip(at.tolist(), first, first[1:], strict=False):
            weighed[i] = slice(begin, end)
    counts = np.array([part.stop - part.start for part in weighed], np.uint8)
    parts = [(notes[seat], part) for seat, part in zip(movers.tolist(), weighed, strict=True)]
    values = np.concatenate([np.zeros(0, np.float32), *(each.values[part] for each, part in parts)])
    weighed_tries = np.concatenate([np.zeros(0, np.int16), *(each.tries[part] for each, part in parts)])
    return {
        "labels": labels if (labels != UNASKED).any() else None,
        "noise": noise if noise.any() else None,
        "value_counts": counts if counts.any() else None,
        "value_tries": weighed_tries if counts.any() else None,
        "values": np.clip(values, -MOST_VALUE, MOST_VALUE).astype(np.float16) if counts.any() else None,
    }


def _write(path: Path, journal: Journal, config: DataConfig) -> Made:
    tries = labels = 0

    def tables() -> Iterator[pa.Table]:
        nonlocal tries, labels
        for batches in in_groups(journal.games(below=config.games)):
            table = pa.Table.from_batches(batches)
            tries += sum(table["tries"].combine_chunks().value_lengths().to_pylist())
            flat = table["labels"].combine_chunks().flatten().to_numpy()
            labels += int((flat != UNASKED).sum())
            yield table

    about = {key: value for key, value in journal.about.items() if key != "schema"}
    about["config"] = config.model_dump(mode="json")
    return Made(path, write_games(path, tables(), about), tries, labels)
