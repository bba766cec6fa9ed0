"""How far a published table has been reproduced: what is missing, what has been played, in which files."""

import re
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from ks_arena.names import resolve
from ks_arena.reproduce.published import PublishedTable, Row, find_pairing
from ks_arena.sections import ConfigError, check_section
from ks_arena.study.config import StudyConfig, check_player
from ks_arena.study.schedule import field_of
from ks_arena.study.store import Store
from ks_env.players.registry import find_factory, parse_name

ROOT = Path("runs") / "reproduce"
SUFFIX = ".sqlite"


@dataclass(frozen=True)
class StudyState:
    """One study of a table.

    Attributes:
        obstacle: why it cannot be played here; empty if it can.
        path: its file with the most games; None if there is no file.
        config: as it was played, perhaps with fewer games; the table's, if it was not.
        counts: games played, by pairing.
        planned: games of a pairing by the table.
    """

    obstacle: str
    path: Path | None
    config: StudyConfig
    counts: Counter[int]
    planned: int


def study_file(folder: Path, key: str, games: int | None) -> Path:
    """Where a study's games are kept; a study cut to fewer games has a file of its own."""
    return folder / (f"{key}{SUFFIX}" if games is None else f"{key}@{games}-games{SUFFIX}")


def cut(config: StudyConfig, games: int | None) -> StudyConfig:
    """The study with at most so many games a pairing: the first ones of the whole study.

    Raises:
        ConfigError: not an even number of at least 2.
    """
    if games is None or games == config.games:
        return config
    fewer = {"games": min(games, config.games)}
    return check_section(StudyConfig, config.model_dump() | fewer, "--games")


def missing_players(config: StudyConfig) -> list[str]:
    """Names of the study's players that the registry does not know, each once."""
    names = [entry.player for entry in field_of(config).players.values() if not _is_known(entry.player)]
    return list(dict.fromkeys(parse_name(name)[0] for name in names))


def _is_known(player: str) -> bool:
    try:
        resolve(player)
    except ConfigError:
        return False
    return True


def obstacle(config: StudyConfig, check: Callable[[str], object] = find_factory) -> str:
    """Why a study cannot be played here: players that are missing or cannot be made; empty if it can.

    Args:
        config: the study.
        check: see `check_player`; without `make_player`, no player is made.
    """
    missing = missing_players(config)
    if missing:
        return f"players missing: {', '.join(missing)}"
    try:
        for entry in field_of(config).players.values():
            check_player(entry, check)
    except ConfigError as error:
        return str(error)
    return ""


def study_state(folder: Path, key: str, config: StudyConfig) -> StudyState:
    """Look for a study's games in the table's folder.

    Raises:
        ConfigError: a file there is no study, or holds another one.
    """
    found = [_look(path, config) for path in _files(folder, key)]
    if not found:
        return StudyState(obstacle(config), None, config, Counter(), config.games)
    path, played, counts = max(found, key=lambda each: each[2].total())
    return StudyState(obstacle(config), path, played, counts, config.games)


def _files(folder: Path, key: str) -> Iterator[Path]:
    name = re.compile(rf"{re.escape(key)}(@\d+-games)?{re.escape(SUFFIX)}")
    return (path for path in sorted(folder.glob(f"*{SUFFIX}")) if name.fullmatch(path.name))


def _look(path: Path, config: StudyConfig) -> tuple[Path, StudyConfig, Counter[int]]:
    with closing(Store(path)) as store:
        kept = store.config
        if cut(config, kept.games) != kept:
            raise ConfigError(f"{path}: holds a study with other settings than the table; move or remove it")
        return path, kept, Counter(key[0] for key in store.keys())  # noqa: SIM118


def table_states(folder: Path, table: PublishedTable) -> dict[str, StudyState]:
    """The states of all studies of a table, by key.

    Raises:
        ConfigError: a file in the folder is not a study, or holds another one.
    """
    return {key: study_state(folder, key, config) for key, config in table.studies.items()}


def row_state(row: Row, studies: dict[str, StudyState]) -> str:
    """How far a figure has been reproduced, in words."""
    if row.unmeasured:
        return f"not measured: {row.unmeasured}"
    assert row.measure is not None
    against = row.measure.against
    played = [_games(studies[study], player, against, budget) for study, player, budget in row.sides]
    if all(played):
        planned = studies[row.sides[0][0]].planned
        return f"{played[0]:,} games played" + ("" if played[0] == planned else f" of {planned:,}")
    reasons = dict.fromkeys(studies[study].obstacle for study, _, _ in row.sides)
    return "; ".join(filter(None, reasons)) or "not run"


def _games(state: StudyState, player: str, against: str, budget: float | None) -> int:
    pairing, _ = find_pairing(state.config, player, against, budget)
    return state.counts[pairing.index]
