"""Games of a study as tables and as PGN."""

import csv
import io
from contextlib import closing
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import chess
import chess.pgn
import numpy as np
import pytest
from ks_arena.match.play import play_game
from ks_arena.match.result import GameResult
from ks_arena.sections import ConfigError
from ks_arena.study import export
from ks_arena.study.config import StudyConfig
from ks_arena.study.export import COLUMNS, _plain, export_csv, export_study
from ks_arena.study.records import one_line, record_of, tries_of
from ks_arena.study.schedule import field_of, jobs_of_pair
from ks_arena.study.store import Store
from ks_arena.study.study import Study
from pyarrow import parquet
from rich.console import Console

from ks_env.record import RecordError, from_pgn, replay, to_pgn
from tests.arena.made_up import game as game_made_up
from tests.arena.test_play import HERE

PROMOTING = "8/4P1k1/8/8/8/8/6p1/1K6 w - - 0 1"


def study_of(path: Path, *players: str, games: int = 4, **keys: Any) -> Study:
    """A study whose games are played here."""
    entries = [{"player": name, "label": f"{'ABCDE'[i]} {name}"} for i, name in enumerate(players)]
    config = StudyConfig(
        **{
            "name": "test",
            "games": games,
            "isolated": False,
            "tournament": {"kind": "round-robin", "players": entries},
        }
        | keys
    )
    field = field_of(config)
    names = {label: entry.player for label, entry in field.players.items()}
    with closing(Store.create(path, config, {})) as store:
        for pairing in field.pairings:
            for pair in range(games // 2):
                for job in jobs_of_pair(config, names, pairing, pair):
                    store.add(play_game(job))
        return Study(store)


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Study:
    """Games of all kinds: cut short, forfeited, from a position of its own, under rules with questions."""
    return study_of(
        tmp_path_factory.mktemp("study") / "s",
        "random",
        "capture",
        f"{HERE}:Raises",
        f"{HERE}:Counting",
        ruleset="berkeley-any",
        ruleset_options={"max_plies": 80},
        start=[chess.STARTING_FEN, PROMOTING],
    )


def read_csv(path: Path) -> list[dict[str, str]]:
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def test_a_table_has_every_game_in_order(study: Study, tmp_path: Path) -> None:
    export_study(study, tmp_path / "games.csv")
    rows = read_csv(tmp_path / "games.csv")
    games = study.games()
    assert list(rows[0]) == list(COLUMNS)
    assert [tuple(int(row[key]) for key in ("pairing", "pair", "leg")) for row in rows] == [
        game.key for game in games
    ]
    plain = {f.name for f in fields(GameResult)} & set(COLUMNS) - {"actions"}
    for row, game in zip(rows, games, strict=True):
        for name in plain:
            value = getattr(game, name)
            assert row[name] == ("" if value is None else str(value))
        assert float(row["first_points"]) == game.first_points
        assert row["white_nodes"] == ("" if game.work[0].nodes is None else str(game.work[0].nodes))
        assert int(row["black_tries"]) == game.work[1].tries
    assert {row["reason"] for row in rows} >= {"forfeit", "plies"}


def test_accepted_tries_of_a_table_are_legal_chess(study: Study, tmp_path: Path) -> None:
    export_csv(study, tmp_path / "games.csv")
    for row in read_csv(tmp_path / "games.csv"):
        board = chess.Board(row["start_fen"])
        texts = row["actions"].split()
        assert len(texts) == len(row["accepted"]) == int(row["white_tries"]) + int(row["black_tries"])
        for text, accepted in zip(texts, row["accepted"], strict=True):
            move = None if text == "any?" else chess.Move.from_uci(text)
            assert bool(move and board.is_legal(move)) == (accepted == "1") or accepted == "0"
            if accepted == "1":
                assert move is not None
                board.push(move)
        assert board.ply() - chess.Board(row["start_fen"]).ply() == int(row["plies"])


def test_parquet_says_the_same_as_csv(study: Study, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(export, "BATCH", 5)  # several, the last not full
    export_study(study, tmp_path / "games.CSV")
    export_study(study, tmp_path / "games.parquet")
    table = parquet.read_table(tmp_path / "games.parquet")
    assert {field.name: str(field.type).replace("double", "float64") for field in table.schema} == COLUMNS
    assert StudyConfig.model_validate_json(table.schema.metadata[b"study"]) == study.config
    shown = [
        {key: "" if value is None else str(value) for key, value in row.items()} for row in table.to_pylist()
    ]
    assert shown == read_csv(tmp_path / "games.CSV")


def test_pgn_reads_back_as_the_same_records(study: Study, tmp_path: Path) -> None:
    export_study(study, tmp_path / "games.pgn", Console(file=io.StringIO()))
    with (tmp_path / "games.pgn").open(encoding="utf-8") as file:
        games = list(iter(lambda: chess.pgn.read_game(file), None))
    assert len(games) == len(study.games())
    for game, result in zip(games, study.games(), strict=True):
        assert not game.errors
        assert game.end().ply() - game.ply() == result.plies
        score = {1: "1-0", 0: "1/2-1/2", -1: "0-1"}[result.outcome]
        assert game.headers["Result"] == ("*" if result.reason == "plies" else score)
        assert (" forfeits: " in game.headers["Termination"]) == (result.reason == "forfeit")
        record = record_of(result, study.config)
        assert from_pgn(to_pgn(record)) == record
        assert replay(record).plies == result.plies


def test_a_record_holds_every_try_and_where_it_is_from(study: Study) -> None:
    for result in study.games():
        record = record_of(result, study.config)
        assert [entry.action for entry in record.tries] == np.frombuffer(result.actions, "<i2").tolist()
        assert [entry.accepted for entry in record.tries] == tries_of(result, study.config).accepted
        assert record.metadata["pair"] == result.pair
        assert (record.ended is None) == (result.fault is None)
        assert record.ended is None or record.ended.endswith(f" forfeits: {one_line(str(result.fault))}")
        assert record.seeds == {"white": result.white_seed, "black": result.black_seed}


def test_a_player_may_forfeit_after_the_end(study: Study) -> None:
    mated = next(game for game in study.games() if game.reason == "plies")
    forfeited = replace(mated, reason="forfeit", fault="did not listen", outcome=-1)
    text = to_pgn(record_of(forfeited, study.config))
    assert '[Result "0-1"]' in text
    assert text.endswith(" 0-1\n")


def test_promotions_are_written_as_uci_has_them(tmp_path: Path) -> None:
    games = study_of(tmp_path / "s", "capture", "capture", start=[PROMOTING], games=20).games()
    config = Study.read(tmp_path / "s").config
    texts = [text for game in games for text in tries_of(game, config).texts]
    assert "e7e8q" in texts
    assert not {"e7e8", "g2g1"} & set(texts)


def test_damaged_games_are_told_by_name(study: Study, tmp_path: Path) -> None:
    game = study.games()[0]
    for damaged in (
        replace(game, plies=game.plies + 1),
        replace(game, actions=game.actions[:-2]),
        replace(game, outcome=1),
    ):
        for read in (record_of, tries_of):
            with pytest.raises(ConfigError, match=r"game 1 of pair 1, A random v B capture: its tries make"):
                read(damaged, study.config)
    with pytest.raises(ConfigError, match="tries after its end"):
        tries_of(replace(game, actions=game.actions * 2), study.config)
    with pytest.raises(ConfigError, match="tries after its end"):
        record_of(replace(game, actions=game.actions * 2), study.config)


def test_another_kind_of_file_is_refused(study: Study, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"games\.txt: expected a file name that ends in \.csv"):
        export_study(study, tmp_path / "games.txt")


@pytest.mark.parametrize("ending", ["csv", "pgn", "parquet"])
def test_what_was_there_stays_until_all_is_written(
    study: Study, tmp_path: Path, ending: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / f"games.{ending}"
    path.write_text("before")
    broken = Study.read(study.path)
    last = broken._games[5].pop()
    broken._games[5].append(replace(last, plies=1))
    with pytest.raises(ConfigError):
        export_study(broken, path)
    assert path.read_text() == "before"
    assert [each.name for each in tmp_path.iterdir()] == [path.name]


def test_labels_with_control_characters_do_not_break_a_record(study: Study) -> None:
    result = replace(study.games()[0], white="a\nb")
    record = record_of(result, study.config)
    assert record.white == "a b"
    with pytest.raises(RecordError):
        replace(record, white="a\nb")


def test_no_cell_is_a_formula(tmp_path: Path) -> None:
    games = [game_made_up((0, 0, leg), ("=1+1", "@x"), 0, "material") for leg in (0, 1)]
    cells = [_plain(value) for each in games for value in (each.white, each.black, each.outcome, each.reason)]
    assert cells == ["'=1+1", "'@x", 0, "material", "'@x", "'=1+1", 0, "material"]
