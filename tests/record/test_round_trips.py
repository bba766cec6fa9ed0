"""A record survives PGN, JSON and being played again, exactly."""

import dataclasses
import io
import json

import chess
import chess.pgn
import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ks_env.core.answers import Kind, Reason
from ks_env.core.ruleset import RULESETS
from ks_env.games.kriegspiel import KRIEGSPIEL
from ks_env.games.kriegspiel.game import Game
from ks_env.games.kriegspiel.record import GameRecord
from ks_env.games.record import ended_otherwise
from ks_env.record import RecordError, from_json, from_pgn, games_from_pgn, replay, steps, to_json, to_pgn
from ks_env.record.json_format import schema_file, schema_text
from tests.record.random_records import TEXT, random_game, records

SCHEMA = schema_file(KRIEGSPIEL)


@settings(max_examples=50, deadline=None)
@given(records())
def test_pgn_round_trip(record: GameRecord) -> None:
    assert from_pgn(to_pgn(record)) == record


@settings(max_examples=50, deadline=None)
@given(records())
def test_json_round_trip(record: GameRecord) -> None:
    text = to_json(record)
    assert from_json(text) == record
    jsonschema.validate(json.loads(text), json.loads(SCHEMA.read_text()))


@settings(max_examples=25, deadline=None)
@given(records(tries=30), st.sampled_from([True, False, None]), TEXT)
def test_a_game_that_ended_otherwise_than_by_its_rules_keeps_its_result(
    record: GameRecord, winner: bool | None, why: str
) -> None:
    words = f"so: {why}\n"
    ended = dataclasses.replace(record, metadata=ended_otherwise(winner, words))
    assert from_pgn(to_pgn(ended)) == ended == from_json(to_json(ended))
    if record.reason in (Reason.NONE, Reason.PLIES):
        result = {True: "1-0", False: "0-1", None: "1/2-1/2"}[winner]
        assert (ended.result, ended.ended) == (result, words)
        assert to_pgn(ended).rstrip().endswith(result)
        escaped = why.replace("\\", "\\\\").replace('"', '\\"')
        assert f'[Termination "{escaped} "]' in to_pgn(ended)
    else:  # the referee's word holds
        assert (ended.result, ended.ended) == (record.result, None)


@settings(max_examples=30, deadline=None)
@given(records())
def test_python_chess_reads_the_pgn_without_errors(record: GameRecord) -> None:
    game = chess.pgn.read_game(io.StringIO(to_pgn(record)))
    assert game is not None
    assert game.errors == []
    assert game.end().board().board_fen() == replay(record).board().board_fen()
    assert game.headers["Result"] == record.result


@settings(max_examples=30, deadline=None)
@given(records())
def test_a_record_replays_to_the_same_announcements(record: GameRecord) -> None:
    game = replay(record)
    again = GameRecord.from_game(
        game, record.white, record.black, event=record.event, date=record.date,
        seeds=record.seeds, metadata=record.metadata,
    )  # fmt: skip
    assert again == record
    assert (game.winner, game.reason) == (record.winner, record.reason)


@pytest.mark.parametrize("name", RULESETS)
def test_every_ruleset_to_the_end_of_a_game(name: str) -> None:
    game = random_game(RULESETS[name], 7, 10_000)
    record = GameRecord.from_game(game)
    assert record.reason is not Reason.NONE
    assert {Kind.ILLEGAL, Kind.MOVED} <= {entry.answer.kind for entry in record.tries}
    assert from_pgn(to_pgn(record)) == from_json(to_json(record)) == record
    assert GameRecord.from_game(replay(record)) == record


def test_steps_go_through_every_try() -> None:
    record = GameRecord.from_game(random_game(RULESETS["rand"], 4, 60))
    assert len(record.tries) == 60
    assert [len(game.log()) for game in steps(record)] == list(range(61))


def test_the_pgn_says_in_words_what_happened() -> None:
    game = Game()
    for text in ("e2e4", "d7d5", "e4f5", "e4d5", "d8d5", "d2d4", "d5a5"):
        game.ask(text)
    game.ask("d4e5")
    text = " ".join(to_pgn(GameRecord.from_game(game, "Ann", "Bob")).split())
    assert '[White "Ann"]' in text
    assert '[Ruleset "icc"]' in text
    assert "[Game " not in text  # Kriegspiel is meant where no game is named
    assert '[Result "*"]' in text
    assert "2. exd5 { [%try e4f5 illegal] [%said pawn captured on d5, 0 pawn tries] }" in text
    assert "[%said long diagonal check, 0 pawn tries] [%try d4e5 illegal] } *" in text


def test_several_games_in_one_pgn() -> None:
    games = [GameRecord.from_game(random_game(RULESETS["english"], seed, 30)) for seed in range(3)]
    text = "\n".join(to_pgn(game) for game in games)
    assert list(games_from_pgn(text)) == games
    damaged = text.replace('[Ruleset "english"]', '[Ruleset "welsh"]').replace(
        '[Ruleset "welsh"]', '[Ruleset "english"]', 1
    )
    with pytest.raises(RecordError, match=r"game 2: ruleset 'welsh'"):
        list(games_from_pgn(damaged))


def test_the_committed_schema_is_current() -> None:
    assert SCHEMA.read_text() == schema_text(KRIEGSPIEL)


@settings(max_examples=20, deadline=None)
@given(records(), st.data())
def test_the_schema_refuses_an_unknown_field(record: GameRecord, data: st.DataObject) -> None:
    values = json.loads(to_json(record))
    place = data.draw(
        st.sampled_from([values, values["start"], values["players"], values["start"]["heard"]["white"]])
    )
    place["surprise"] = 1
    with pytest.raises(jsonschema.ValidationError, match="surprise"):
        jsonschema.validate(values, json.loads(SCHEMA.read_text()))
    with pytest.raises(RecordError, match="surprise"):
        from_json(json.dumps(values))
