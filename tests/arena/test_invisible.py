"""Studies of invisible chess: hidden men for each player, games that are made again from their tries."""

from pathlib import Path
from typing import Any

import pytest
from ks_arena.match.referee import referee_of_result
from ks_arena.sections import ConfigError, check_section
from ks_arena.study.config import StudyConfig
from ks_arena.study.records import record_of, tries_of
from ks_arena.study.run import run_study
from ks_arena.study.study import Study
from rich.console import Console

from ks_env.games.invisible.hidden import parse_both
from ks_env.games.invisible.record import InvisibleRecord
from ks_env.record import from_pgn, replay, to_pgn
from tests.arena.standing import one_worker
from tests.arena.test_commands import _in_a_folder_of_its_own as _in_a_folder
from tests.arena.test_commands import ks
from tests.arena.test_play import facts

_fixture = _in_a_folder


def study(players: list[Any] | None = None, **settings: Any) -> StudyConfig:
    first = {"label": "A", "player": "random", "hidden": "2B"}
    second = {"label": "B", "player": "capture", "hidden": "1R"}
    return check_section(
        StudyConfig,
        {
            "name": "test",
            "game": "InvisibleChess",
            "games": 6,
            "tournament": {"kind": "round-robin", "players": players or [first, second]},
            **settings,
        },
        "test",
    )


def played(config: StudyConfig, name: str) -> Study:
    with one_worker():
        return run_study(config, Path(name), console=Console(quiet=True))


def test_a_player_takes_its_hidden_men_along_and_games_are_made_again() -> None:
    config = study()
    games = played(config, "one.sqlite").games()
    assert len(games) == 6
    for game in games:
        record = record_of(game, config)
        assert isinstance(record, InvisibleRecord)
        again = replay(record)
        white, black = (men.squares for men in parse_both(record.hidden))
        bishops, rooks = (white, black) if game.white == "A" else (black, white)
        assert [square & 7 for square in bishops] == [2, 5]
        assert len(rooks) == 1
        assert again.plies == game.plies
        tries = tries_of(game, config)
        lost = [heard for heard, _ in again.log() if heard is not None and heard.kind.name == "LOST"]
        assert sum(tries.accepted) == game.plies - len(lost)
        assert from_pgn(to_pgn(record)) == record
    records = [record_of(game, config) for game in games]
    drawn = {record.hidden for record in records if isinstance(record, InvisibleRecord)}
    assert len(drawn) > 2  # colours are swapped, and the rook is not always the same


def test_games_are_the_same_with_any_number_of_workers() -> None:
    config = study()
    alone, together = played(config, "a.sqlite"), run_study(config, Path("b.sqlite"), workers=2)
    assert [facts(game) for game in alone.games()] == [facts(game) for game in together.games()]


def test_the_referee_counts_lost_turns_as_turns() -> None:
    config = study()
    for game in played(config, "one.sqlite").games():
        referee = referee_of_result(game, config)
        for action in record_of(game, config).tries:
            referee.ask(action.action)
        assert referee.over
        assert sum(referee.moves) == game.plies
        assert referee.spoken == game.spoken


@pytest.mark.parametrize(
    ("settings", "fault"),
    [
        ({"ruleset": "berkeley"}, "unknown ruleset 'berkeley'; InvisibleChess has invisible"),
        ({"ruleset": "icc"}, "unknown ruleset 'icc'; InvisibleChess has invisible"),
        ({"game": "Kriegspiel"}, "players have hidden men; those of Kriegspiel have none of their own"),
        ({"players": ["random", {"player": "capture", "hidden": "1K"}]}, "'K' cannot be hidden"),
        ({"players": ["random", {"player": "capture", "hidden": "3B"}]}, "3 hidden bishops of white"),
        (
            {"players": ["random", {"player": "capture", "hidden": "e4"}]},
            "no man of white that can be hidden",
        ),
        ({"ruleset_options": {"stalemate_wins": True}}, "unknown ruleset option 'stalemate_wins'"),
    ],
)
def test_a_wrong_key_or_value_is_named(settings: dict[str, Any], fault: str) -> None:
    with pytest.raises(ConfigError, match=fault):
        study(**settings)


def test_a_player_of_kriegspiel_alone_is_refused() -> None:
    players = [{"label": "A", "player": "darkboard:metapositions=10", "hidden": "1B"}, "random"]
    with pytest.raises(ConfigError, match="does not play invisible chess"):
        played(study(players), "none.sqlite")


def test_a_match_of_invisible_chess() -> None:
    with one_worker():
        shown = ks("match", "random", "capture", "--games", "2", "--hidden", "2B v Q")
    assert "games in" in shown
    (path,) = Path("runs/matches").glob("*.sqlite")
    ks("export", str(path), "games.pgn")
    assert "[HiddenMen " in Path("games.pgn").read_text()
    assert "no men of their own" in ks(
        "match", "random", "capture", "--game", "DarkChess", "--hidden", "2B", code=2
    )
