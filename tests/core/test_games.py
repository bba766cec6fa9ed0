"""Games by name."""

import pickle

import pytest

from ks_env.games import game_ids, game_named
from ks_env.games.invisible import INVISIBLE_CHESS
from ks_env.games.kriegspiel import KRIEGSPIEL


def test_games_are_found_by_their_ids() -> None:
    assert game_ids()[0] == "Kriegspiel"
    assert game_named("Kriegspiel") is KRIEGSPIEL
    assert {game_named(name).id for name in game_ids()} == set(game_ids())


@pytest.mark.parametrize("name", ["InvisibleChess", "invisible chess", "INVISIBLE-CHESS", INVISIBLE_CHESS])
def test_capitals_spaces_and_dashes_make_no_difference(name: object) -> None:
    assert game_named(name) is INVISIBLE_CHESS  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("name", "message"),
    [
        (
            "Kriegspeil",
            r"unknown game 'Kriegspeil' \(did you mean 'Kriegspiel'\?\); expected one of ",
        ),
        (
            "invisible",
            r"unknown game 'invisible' \(did you mean 'InvisibleChess'\?\); expected one of ",
        ),
        ("go", "unknown game 'go'; expected one of Kriegspiel, .*InvisibleChess"),
    ],
)
def test_an_unknown_game_is_an_error_that_names_what_was_meant(name: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        game_named(name)


def test_a_game_is_the_same_in_another_process() -> None:
    assert pickle.loads(pickle.dumps(INVISIBLE_CHESS)) is INVISIBLE_CHESS
