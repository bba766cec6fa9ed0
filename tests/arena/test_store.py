"""A study's file."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ks_arena.match.result import GameResult, SeatWork
from ks_arena.sections import ConfigError
from ks_arena.statistics.sprt import SprtVerdict
from ks_arena.study.config import StudyConfig
from ks_arena.study.schedule import field_of
from ks_arena.study.store import Store
from ks_arena.study.study import Study

CONFIG = StudyConfig(
    name="test",
    tournament={"kind": "round-robin", "players": ["random", "capture", "model:file=x"]},
    games=10,
)
PAIRINGS = field_of(CONFIG).pairings

counts = st.integers(0, 10**6)
seconds = st.floats(0, 10**6)
works = st.builds(SeatWork, counts, counts, seconds, seconds, st.none() | st.integers(0, 2**62))
results = st.builds(
    GameResult,
    pairing=st.integers(0, 2),
    pair=st.integers(0, 4),
    leg=st.integers(0, 1),
    white=st.text(),
    black=st.text(),
    white_seed=st.integers(0, 2**32 - 1),
    black_seed=st.integers(0, 2**32 - 1),
    start_fen=st.text(),
    outcome=st.integers(-1, 1),
    reason=st.text(),
    fault=st.none() | st.text(),
    plies=counts,
    spoken=counts,
    work=st.tuples(works, works),
    seconds=seconds,
    actions=st.binary(max_size=100),
    versions=st.sampled_from(["{}", '{"a": 1}']),
)


def game(pairing: int = 0, pair: int = 0, leg: int = 0, outcome: int = 0) -> GameResult:
    work, players = SeatWork(1, 1, 0.1, 0.1, None), (PAIRINGS[pairing].first, PAIRINGS[pairing].second)
    return GameResult(
        *(pairing, pair, leg, *players, 1, 2, "fen", outcome, "plies", None, 2, 0),
        work=(work, work),
        seconds=0.3,
        actions=b"",
        versions="{}",
    )


@settings(deadline=None, max_examples=50)
@given(played=st.lists(results, unique_by=lambda result: result.key, max_size=8))
def test_every_game_comes_back_as_it_was(
    tmp_path_factory: pytest.TempPathFactory, played: list[GameResult]
) -> None:
    path = tmp_path_factory.mktemp("store") / "study.sqlite"
    with closing(Store.create(path, CONFIG, {"x": "1"})) as store:
        for result in played:
            store.add(result)
    with closing(Store(path)) as store:  # to read
        assert list(store.games()) == sorted(played, key=lambda result: result.key)
        assert store.keys() == {result.key for result in played}
        assert (store.config, store.fingerprints) == (CONFIG, {"x": "1"})
    assert [file.name for file in path.parent.iterdir()] == [path.name]  # one file, when it is closed


def test_a_game_cannot_be_kept_twice(tmp_path: Path) -> None:
    with closing(Store.create(tmp_path / "s", CONFIG, {})) as store:
        store.add(game())
        with pytest.raises(sqlite3.IntegrityError):
            store.add(game(outcome=1), SprtVerdict("H0", 1, 0.0))
        assert [each.outcome for each in store.games()] == [0]
        assert store.stops() == {}  # neither is what came with it


def test_games_beyond_a_stop_are_kept_but_do_not_count(tmp_path: Path) -> None:
    path = tmp_path / "s"
    with closing(Store.create(path, CONFIG, {})) as store:
        for pair in range(3):
            for leg in (0, 1):
                store.add(game(0, pair, leg), SprtVerdict("H1", 2, 3.0) if (pair, leg) == (1, 1) else None)
                store.add(game(1, pair, leg))
        assert len(list(store.games(surplus=True))) == 12
    study = Study.read(path)
    assert [each.pair for each in study.games(0)] == [0, 0, 1, 1]
    assert len(study.games(1)) == 6
    assert study.verdict(0) == SprtVerdict("H1", 2, 3.0)
    assert study.verdict(1) is None
    assert study.expected_games == 4 + 10 + 10
    assert not study.finished


def test_a_file_of_another_kind_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "s"
    with pytest.raises(ConfigError, match="no such study"):
        Store(path)
    path.write_text("what is this?" * 100)
    with pytest.raises(ConfigError, match="is not a study or is damaged"):
        Store(path)
    with pytest.raises(ConfigError, match="holds something else"):
        Store.create(path, CONFIG, {})
    other = tmp_path / "other"
    with closing(sqlite3.connect(other)) as base:
        base.execute("CREATE TABLE x (y)")
    with pytest.raises(ConfigError, match="is not a study of the arena"):
        Store(other)
    with pytest.raises(ConfigError, match="holds something else"):
        Store.create(other, CONFIG, {})


def test_a_closed_study_stands_alone_and_can_be_read_by_who_may_not_write(tmp_path: Path) -> None:
    path = tmp_path / "s"
    (tmp_path / ".s.new").write_text("left by a kill")
    with closing(Store.create(path, CONFIG, {})) as store:
        store.add(game())
    assert [file.name for file in tmp_path.iterdir()] == ["s"]
    assert path.read_bytes()[18:20] == b"\x01\x01"  # no write-ahead log, by SQLite's file format
    with closing(Store(path)) as store, pytest.raises(ConfigError, match=r"written: .*readonly"):
        store.add(game(pair=1))


def test_a_full_disk_is_said_and_costs_no_game_that_was_kept(tmp_path: Path) -> None:
    path, kept = tmp_path / "s", 0
    with closing(Store.create(path, CONFIG, {})) as store:
        store._base.execute("PRAGMA max_page_count = 12")  # SQLite says the same of a disk
        said = ""
        while not said:
            try:
                store.add(game(pair=kept))
                kept += 1
            except ConfigError as error:
                said = str(error)
        assert said == f"{path}: cannot be written: database or disk is full; what was kept before is there"
        assert len(store.keys()) == kept > 0
    assert len(Study.read(path).games()) == kept


def test_a_file_of_another_version_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "s"
    Store.create(path, CONFIG, {}).close()
    with closing(sqlite3.connect(path)) as base:
        base.execute("UPDATE study SET value = '99' WHERE key = 'schema'")
        base.commit()
    with pytest.raises(ConfigError, match="has the schema 99; this version reads 1"):
        Store(path)


def test_a_truncated_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "s"
    with closing(Store.create(path, CONFIG, {})) as store:
        for pair in range(5):
            store.add(game(pair=pair))
    path.write_bytes(path.read_bytes()[:6000])
    with pytest.raises(ConfigError, match="damaged"):
        Study.read(path)


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        ("UPDATE games SET actions = x'00'", "error: Error -5 while decompressing"),
        ("UPDATE games SET actions = 'text'", "columns of other types"),
        ("UPDATE games SET outcome = 'x'", "columns of other types"),
        ("UPDATE games SET outcome = 7", "an outcome, leg or number that there is not"),
        ("UPDATE games SET plies = -5", "an outcome, leg or number that there is not"),
        ("UPDATE games SET white = 'nobody'", "nobody v .* is of no pairing"),
        ("UPDATE games SET pairing = 7", "is of no pairing"),
        ("UPDATE versions SET text = '{'", "JSONDecodeError"),
        ("UPDATE versions SET text = '[]'", "versions are not named"),
        ("DELETE FROM versions", "KeyError"),
        ("DROP TABLE games", "cannot be read: OperationalError: no such table: games"),
        ("UPDATE study SET value = 'x' WHERE key = 'schema'", "is damaged: ValueError: invalid literal"),
        ("UPDATE study SET value = '[]' WHERE key = 'config'", "should be a valid dictionary"),
        (f"UPDATE study SET value = '{'[' * 100_000}' WHERE key = 'config'", "RecursionError"),
    ],
)
def test_what_is_damaged_is_said_with_the_files_name(tmp_path: Path, damage: str, message: str) -> None:
    path = tmp_path / "s"
    with closing(Store.create(path, CONFIG, {})) as store:
        store.add(game())
    with closing(sqlite3.connect(path)) as base:
        base.execute(damage)
        base.commit()
    with pytest.raises(ConfigError, match=message) as error:
        Study.read(path)
    assert str(path) in str(error.value)
    assert "\n" not in str(error.value)
