"""Replays are the games: every observation, mask, target and end, in all games."""

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from ks_train.data.replay import Batch, replay
from ks_train.data.schema import UNASKED, DataError, Games, in_groups, read_about, read_games, write_games
from pyarrow import parquet

from ks_env.belief.encoders import make_encoder
from ks_env.belief.inputs import SeatPlanes, SeatTries
from ks_env.belief.terms import make_terms, taken
from ks_env.core.tries import INFORMED
from ks_env.games import kriegspiel
from ks_env.games.kriegspiel.game import Game
from ks_env.games.opening import Opening
from tests.seats import observe_game
from tests.train.data.made import GAMES

KEPT = ("labels", "made", "noise", "results", "seats")


def by_place(batches: list[Batch]) -> dict[tuple[int, int], dict[str, Any]]:
    """Decisions by game and number of the try."""
    found = {}
    for batch in batches:
        for i in range(len(batch)):
            weighed = slice(batch.value_offsets[i], batch.value_offsets[i + 1])
            entry = {name: getattr(batch, name)[i] for name in KEPT}
            entry["observation"] = batch.inputs.observations[i]
            entry["mask"] = batch.inputs.masks[i]
            entry["values"] = batch.value_tries[weighed], batch.values[weighed]
            described = batch.inputs.terms
            entry["terms"] = None if described is None else taken(described, np.array([i]))
            entry["men"] = None if batch.men is None else batch.men[i]
            found[int(batch.games[i]), int(batch.at[i])] = entry
    return found


@pytest.mark.parametrize("name", GAMES)
def test_a_replay_shows_what_each_seat_saw_in_the_game(files: dict[str, Path], name: str) -> None:
    found = by_place(list(replay(files[name], decisions="all", privileged=True, rows=4, batch=50)))
    asked = 0
    for games in read_games(files[name]):
        for g in range(len(games)):
            asked += compare(games, g, found)
    assert asked == len(found) > 100


def compare(games: Games, g: int, found: dict[tuple[int, int], dict[str, Any]]) -> int:
    """Play one game try by try beside its replay; how many tries it has."""
    game, number = games.begin(g), int(games.numbers[g])
    for at, action in enumerate(games.tries_of(g).tolist()):
        colour = game.to_play
        assert colour is not None
        seen = found[number, at]
        assert seen["seats"] == (0 if colour else 1)
        assert (seen["observation"] == observe_game(game, colour)).all()
        assert (seen["mask"] == game.mask(colour)).all()
        assert seen["made"] == action
        assert seen["labels"] == games.labels[games.first[g] + at]
        assert seen["noise"] == games.noise[games.first[g] + at]
        assert seen["results"] == games.results[g] * (1 if colour else -1)
        men = np.zeros(64, np.uint8)
        for square, piece in game.board().piece_map().items():
            if piece.color != colour:
                men[square if colour else square ^ 56] = piece.piece_type
        assert (seen["men"] == men).all()
        game.judge(action)
    assert game.to_play is None
    assert game.plies == games.plies[g]
    return len(games.tries_of(g))


def test_labels_alone_are_what_is_given_by_default(files: dict[str, Path]) -> None:
    every = by_place(list(replay(files["Kriegspiel"], decisions="all")))
    labelled = by_place(list(replay(files["Kriegspiel"], batch=7, rows=3)))
    assert labelled.keys() == {place for place, entry in every.items() if entry["labels"] != UNASKED}
    for place, entry in labelled.items():
        assert (entry["observation"] == every[place]["observation"]).all()
        assert entry["men"] is None


def test_batches_hold_as_many_as_was_asked_for(files: dict[str, Path]) -> None:
    lengths = [len(batch) for batch in replay(files["Kriegspiel"], batch=16)]
    assert set(lengths[:-1]) == {16}
    assert 0 < lengths[-1] <= 16


@pytest.mark.parametrize("name", ["Kriegspiel", "hidden start"])
def test_an_encoder_sees_the_game_as_it_did_when_it_was_played(files: dict[str, Path], name: str) -> None:
    found = by_place(list(replay(files[name], encoder="metaposition", terms="raw", batch=30, rows=2)))
    for games in read_games(files[name]):
        for g in range(2):
            check_encoder(games, g, found)


def check_encoder(games: Games, g: int, found: dict[tuple[int, int], dict[str, Any]]) -> None:
    game, setting = games.begin(g), games.settings[g]
    planes = [SeatPlanes(make_encoder("metaposition")) for _ in range(2)]
    raw = make_terms("raw")
    assert raw is not None
    tries = [SeatTries(raw) for _ in range(2)]
    for seat in (0, 1):
        if setting.hidden:
            fens = list(setting.declared) if seat == 0 else [games.fens[g]]  # the kings tell them apart
            begun = Game(setting.rules, games.fens[g], hidden_start=True)
            opening = Opening.of(begun, seat == 0, fens=fens)
        else:
            opening = kriegspiel.opening(seat == 0, setting.rules, games.fens[g])
        planes[seat].begin(opening)
        tries[seat].begin(opening)
    for at, action in enumerate(games.tries_of(g).tolist()):
        colour = bool(game.to_play)
        seat, view, rules = 0 if colour else 1, game.view(colour), setting.rules.record()[0]
        shown, described = planes[seat].planes(view, rules), tries[seat].describe(view, rules, INFORMED)
        entry = found.get((int(games.numbers[g]), at))
        if entry is not None:
            assert (entry["observation"] == shown).all()
            for name, expected in described._asdict().items():
                assert np.array_equal(getattr(entry["terms"], name), expected)
        game.judge(action)


# -- damage --------------------------------------------------------------------------------------------------


def changed(path: Path, target: Path, name: str, value: Any) -> Path:
    """The data set with one column of its first game changed."""
    rows = parquet.read_table(path).to_pylist()
    rows[0][name] = value(rows[0][name]) if callable(value) else value
    schema = parquet.read_schema(path)
    tables = (pa.Table.from_pylist(some, schema=schema) for some in in_groups(rows))
    write_games(target, tables, {k: v for k, v in read_about(path).items() if k != "schema"})
    return target


@pytest.mark.parametrize(
    ("column", "value", "words"),
    [
        ("plies", 3, "expected limit on plies after 3|expected plies after 3"),
        ("reason", "checkmate", "expected checkmate"),
        ("fen", "8/8/8/8/8/8/8/8 w - - 0 1", "not playable"),
        ("labels", lambda labels: labels[:-1], "expected one for each"),
        ("game", "Chess", "unknown game"),
        ("rules", "{}", "expected the fields of a ruleset"),
    ],
)
def test_a_damaged_game_is_named(
    files: dict[str, Path], tmp_path: Path, column: str, value: Any, words: str
) -> None:
    path = changed(files["Kriegspiel"], tmp_path / "games.parquet", column, value)
    with pytest.raises(DataError, match=words) as caught:
        list(replay(path))
    assert str(path) in str(caught.value)


def test_tries_after_the_end_of_a_game(files: dict[str, Path], tmp_path: Path) -> None:
    path = changed(files["DarkChess"], tmp_path / "games.parquet", "tries", lambda tries: [*tries, 0])
    with pytest.raises(DataError, match=r"expected one for each|after its end"):
        list(replay(path, decisions="all"))


def test_bad_arguments(files: dict[str, Path]) -> None:
    with pytest.raises(ValueError, match="decisions is 'some'"):
        list(replay(files["Kriegspiel"], decisions="some"))  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="batch is 0"):
        list(replay(files["Kriegspiel"], batch=0))


def test_the_informed_mask_may_be_left_for_the_other(files: dict[str, Path]) -> None:
    informed = by_place(list(replay(files["Kriegspiel"])))
    own = by_place(list(replay(files["Kriegspiel"], mask="own-board")))
    assert all((own[place]["mask"] >= informed[place]["mask"]).all() for place in informed)
    assert any((own[place]["mask"] > informed[place]["mask"]).any() for place in informed)
