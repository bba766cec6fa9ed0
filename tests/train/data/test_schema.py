"""Files of games: what is written is read, what is damaged is named, and others' readers read it."""

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from ks_train.data.journal import Journal
from ks_train.data.schema import (
    COLUMNS,
    FILLED,
    KEY,
    UNASKED,
    DataError,
    metadata_of,
    read_about,
    read_games,
    rules_of,
    rules_text,
    table_of,
    write_games,
)
from pyarrow import dataset, parquet

from ks_env.core.ruleset import ICC, RULESETS, Ruleset
from ks_env.core.tables import TRIES

tries = st.integers(0, TRIES - 1)


@st.composite
def rows(draw: st.DrawFn, number: int) -> dict[str, Any]:
    made = draw(st.lists(tries, max_size=12))
    n = len(made)
    labels = draw(st.none() | st.lists(tries | st.just(UNASKED), min_size=n, max_size=n))
    noise = draw(st.none() | st.lists(st.booleans(), min_size=n, max_size=n))
    counts = draw(st.none() | st.lists(st.integers(0, 3), min_size=n, max_size=n))
    weighed = 0 if counts is None else sum(counts)
    values = st.lists(st.floats(-100, 100, width=16), min_size=weighed, max_size=weighed)
    some = st.lists(tries, min_size=weighed, max_size=weighed)
    return {
        "number": number,
        "game": draw(st.sampled_from(["Kriegspiel", "DarkChess"])),
        "ruleset": "icc",
        "rules": rules_text(draw(st.sampled_from(list(RULESETS.values())))),
        "fen": draw(st.text(max_size=5)),
        "hidden_start": draw(st.booleans()),
        "declared": draw(st.lists(st.text(max_size=3), max_size=2)),
        "white_men": "",
        "black_men": draw(st.text(max_size=3)),
        "white": draw(st.text(max_size=3)),
        "black": "b",
        "white_seed": draw(st.integers(0, 2**32 - 1)),
        "black_seed": 0,
        "result": draw(st.sampled_from([-1, 0, 1])),
        "reason": draw(st.text(max_size=3)),
        "fault": draw(st.none() | st.text(max_size=3)),
        "plies": draw(st.integers(0, 50_000)),
        "tries": np.array(made, np.int16),
        "labels": labels,
        "noise": noise,
        "value_counts": counts,
        "value_tries": None if counts is None else draw(some),
        "values": None if counts is None else np.array(draw(values), np.float16),
    }


@st.composite
def tables(draw: st.DrawFn) -> list[dict[str, Any]]:
    return [draw(rows(number)) for number in range(draw(st.integers(0, 5)))]


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(given_rows=tables())
def test_what_is_written_is_read(tmp_path: Path, given_rows: list[dict[str, Any]]) -> None:
    path, kept = tmp_path / "games.parquet", tmp_path / "games.sqlite"
    kept.unlink(missing_ok=True)
    journal = Journal.create(kept, {"config": {}})
    for row in reversed(given_rows):
        journal.add(row)
    batches = list(journal.games(below=len(given_rows)))
    journal.close()
    assert write_games(path, [pa.Table.from_batches([each]) for each in batches], {"config": 1}) == len(
        batches
    )
    assert read_about(path) == {"schema": 1, "config": 1}
    g = 0
    for games in read_games(path):
        for i in range(len(games)):
            check(games, i, given_rows[g])
            g += 1
    assert g == len(given_rows)


def check(games: Any, i: int, row: dict[str, Any]) -> None:
    part = slice(games.first[i], games.first[i + 1])
    n = len(row["tries"])
    assert games.numbers[i] == row["number"]
    assert games.tries[part].tolist() == row["tries"].tolist()
    assert games.labels[part].tolist() == ([UNASKED] * n if row["labels"] is None else row["labels"])
    assert games.noise[part].tolist() == ([False] * n if row["noise"] is None else row["noise"])
    weighed = slice(games.first_values[part.start], games.first_values[part.stop])
    counts = np.diff(games.first_values)[part].tolist()
    assert counts == ([0] * n if row["value_counts"] is None else row["value_counts"])
    assert games.value_tries[weighed].tolist() == (row["value_tries"] or [])
    assert games.values[weighed].tolist() == ([] if row["values"] is None else row["values"].tolist())
    assert games.settings[i].rules == rules_of(row["rules"])
    assert games.settings[i].declared == tuple(row["declared"])
    assert (games.fens[i], games.men[i]) == (row["fen"], (row["white_men"], row["black_men"]))
    assert (games.results[i], games.reasons[i], games.faults[i]) == (
        row["result"],
        row["reason"],
        row["fault"],
    )


@pytest.mark.parametrize("rules", [*RULESETS.values(), Ruleset.named(ICC, max_plies=7, threefold=False)])
def test_a_ruleset_goes_through_json(rules: Ruleset) -> None:
    assert rules_of(rules_text(rules)) == rules


def test_pyarrow_reads_a_folder_of_files(files: dict[str, Path]) -> None:
    folder = files["Kriegspiel"].parent
    found = dataset.dataset(folder, format="parquet", exclude_invalid_files=True).to_table()
    assert len(found) == 6 * len(files)
    assert found.schema.equals(COLUMNS)
    assert sum(len(games) for games in read_games(folder)) == len(found)


def test_hugging_face_reads_a_file(files: dict[str, Path], tmp_path: Path) -> None:
    datasets = pytest.importorskip("datasets")
    found = datasets.load_dataset(
        "parquet", data_files=str(files["Kriegspiel"]), cache_dir=str(tmp_path), split="train"
    )
    assert found.column_names == COLUMNS.names
    games = next(read_games(files["Kriegspiel"]))
    assert found[0]["tries"] == games.tries_of(0).tolist()
    assert found[0]["white"] == games.players[0][0]


# -- damage --------------------------------------------------------------------------------------------------


def test_a_file_that_is_not_a_data_set(tmp_path: Path) -> None:
    path = tmp_path / "games.parquet"
    with pytest.raises(DataError, match="no such file"):
        list(read_games(path))
    path.write_text("tries")
    with pytest.raises(DataError, match="is not a Parquet file, or is damaged"):
        list(read_games(path))
    with pytest.raises(DataError, match=r"holds no \.parquet file"):
        list(read_games(_empty(tmp_path)))


def _empty(folder: Path) -> Path:
    (folder / "empty").mkdir()
    return folder / "empty"


def test_a_file_that_was_cut_short(files: dict[str, Path], tmp_path: Path) -> None:
    data = files["Kriegspiel"].read_bytes()
    for length in (0, 3, len(data) // 2, len(data) - 1):
        path = tmp_path / f"{length}.parquet"
        path.write_bytes(data[:length])
        with pytest.raises(DataError, match="damaged"):
            list(read_games(path))


def test_bytes_that_were_changed(files: dict[str, Path], tmp_path: Path) -> None:
    data = bytearray(files["Kriegspiel"].read_bytes())
    file = parquet.ParquetFile(files["Kriegspiel"])
    column = file.metadata.row_group(0).column(COLUMNS.names.index("tries"))
    at = column.data_page_offset
    data[at : at + column.total_compressed_size - 8] = b"\xff" * (column.total_compressed_size - 8)
    path = tmp_path / "games.parquet"
    path.write_bytes(data)
    with pytest.raises(DataError, match=str(path)):
        list(read_games(path))


def test_files_of_other_schemas(files: dict[str, Path], tmp_path: Path) -> None:
    path, table = tmp_path / "games.parquet", parquet.read_table(files["Kriegspiel"])
    parquet.write_table(table.replace_schema_metadata(None), path)
    with pytest.raises(DataError, match="is not a data set of games"):
        list(read_games(path))
    newer = {KEY: metadata_of({})[KEY].replace(b'"schema": 1', b'"schema": 2')}
    parquet.write_table(table.replace_schema_metadata(newer), path)
    with pytest.raises(DataError, match="has the schema 2; this version reads 1"):
        list(read_games(path))
    parquet.write_table(table.drop_columns(["plies"]), path)
    with pytest.raises(DataError, match=r"'plies' is missing; expected int32"):
        list(read_games(path))


LEAST: dict[str, Any] = {  # a game of one try, in the columns that are read
    "number": 0,
    "game": "Kriegspiel",
    "rules": rules_text(ICC),
    "fen": "",
    "hidden_start": False,
    "declared": [],
    "white_men": "",
    "black_men": "",
    "white": "a",
    "black": "b",
    "result": 0,
    "reason": "",
    "plies": 0,
    "tries": [1],
}


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"tries": [1859]}, "tries has 1859 to 1859; expected 0 to 1858"),
        ({"labels": [-2]}, "labels has -2"),
        ({"labels": [1, 2]}, "game 0: has 2 labels; expected one for each of its 1 tries"),
        (
            {"value_counts": [2], "value_tries": [1], "values": [0.5]},
            "game 0: has 1 values of 1 tries; expected 2",
        ),
    ],
)
def test_numbers_that_cannot_be(tmp_path: Path, changes: dict[str, Any], words: str) -> None:
    path = tmp_path / "games.parquet"
    if "values" in changes:
        changes = changes | {"values": np.array(changes["values"], np.float16)}
    write_games(path, [table_of([LEAST | changes])], {})
    with pytest.raises(DataError, match=words):
        list(read_games(path))


@pytest.mark.parametrize("name", FILLED)
def test_a_value_that_is_missing(tmp_path: Path, name: str) -> None:
    path = tmp_path / "games.parquet"
    write_games(path, [table_of([LEAST | {"number": 7}, LEAST | {"number": 8} | {name: None}])], {})
    number = None if name == "number" else 8
    with pytest.raises(DataError, match=rf"games.parquet: game {number}: {name} is null; expected a value"):
        list(read_games(path))
