"""Players by name: parsed, found, made; clear errors."""

from __future__ import annotations

import contextlib
import time
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ks_env.players import BatchPlayer, Player, make_player, player_names, registry
from ks_env.players.registry import parse_name
from tests.envs.play import Rows, Scribe


@pytest.mark.parametrize(
    ("spec", "name", "parameters"),
    [
        ("random", "random", {}),
        (" random ", "random", {}),
        ("mcts-c:nodes=5000,c=2", "mcts-c", {"nodes": 5000, "c": 2}),
        ("x:rate=0.5,deep=True,none=None", "x", {"rate": 0.5, "deep": True, "none": None}),
        ("x: text = some words , n = -3", "x", {"text": "some words", "n": -3}),
        ("x:path='a:b=c'", "x", {"path": "a:b=c"}),
        ("x:", "x", {}),
        ("x:a=1,b", "x", {"a": 1, "b": True}),
        ("random: quiet ,c=2", "random", {"quiet": True, "c": 2}),
        ("uci:engine=/usr/games/stockfish", "uci", {"engine": "/usr/games/stockfish"}),
    ],
)
def test_names_and_parameters(spec: str, name: str, parameters: dict[str, Any]) -> None:
    assert parse_name(spec) == (name, parameters)


@pytest.mark.parametrize(
    ("spec", "part"), [("x:5", "5"), ("x:a=1,b c", "b c"), ("x:a b=3", "a b=3"), ("x:=3", "=3")]
)
def test_bad_parameters(spec: str, part: str) -> None:
    with pytest.raises(
        ValueError, match=f"bad parameter '{part}' in player '{spec}'; expected name:key=value"
    ):
        parse_name(spec)


@pytest.mark.parametrize("name", ["random", "capture"])
def test_built_in(name: str) -> None:
    player = make_player(name)
    assert isinstance(player, Player)
    assert (player.name, getattr(player, "compiled", False)) == (name, True)
    assert make_player(name) is not player
    assert name in player_names()


def test_protocols() -> None:
    assert isinstance(Scribe(), Player)
    assert isinstance(Rows(), BatchPlayer)
    assert not isinstance(Rows(), Player)
    assert not isinstance(make_player("random"), BatchPlayer)


def test_unknown_names() -> None:
    with pytest.raises(
        ValueError, match=r"unknown player 'randon' \(did you mean 'random'\?\); expected one of .*capture"
    ):
        make_player("randon")
    with pytest.raises(ValueError, match="unknown player 'zzz'; expected one of"):
        make_player("zzz:depth=3")


def test_parameters_that_are_not_taken() -> None:
    with pytest.raises(
        ValueError, match=r"player 'capture:depth=3': .*'depth'; it takes the parameters: none"
    ):
        make_player("capture:depth=3")


class Tuned(Scribe):
    """A player of another package."""

    def __init__(self, nodes: int, *, c: float = 1.0) -> None:
        super().__init__("random")
        self.nodes, self.c = nodes, c


def installed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Pretend that a package with the entry point `tuned` is installed; what is loaded is noted."""
    loaded: list[str] = []
    entry, real = EntryPoint("tuned", "other_package:Tuned", registry.GROUP), EntryPoint.load

    def load(asked: EntryPoint) -> Any:
        if asked != entry:  # a game, which its registry would keep for the tests that follow
            return real(asked)
        loaded.append(asked.value)
        return Tuned

    monkeypatch.setattr(EntryPoint, "load", load)
    monkeypatch.setattr(registry, "announced", lambda: {entry.name: entry})
    return loaded


def test_players_of_other_packages(monkeypatch: pytest.MonkeyPatch) -> None:
    loaded = installed(monkeypatch)
    assert player_names() == ["capture", "random", "tuned"]
    assert loaded == []  # names alone load nothing
    player = make_player("tuned:nodes=7,c=0.5")
    assert isinstance(player, Tuned)
    assert (player.nodes, player.c) == (7, 0.5)
    assert loaded == ["other_package:Tuned"]
    with pytest.raises(
        ValueError, match=r"player 'tuned': missing .*'nodes'; it takes the parameters: nodes, c"
    ):
        make_player("tuned")
    with pytest.raises(ValueError, match=r"unknown player 'tune' \(did you mean 'tuned'\?\)"):
        make_player("tune")


def test_a_player_of_another_package_as_opponent(monkeypatch: pytest.MonkeyPatch) -> None:
    installed(monkeypatch)
    from ks_env.envs.solo import GameEnv

    env = GameEnv("tuned:nodes=3", seat="black")
    env.reset(seed=0)
    assert env.engine.batch.games[0]["truth"]["plies"] == 1
    assert env.engine.opponent is not None
    assert env.engine.opponent.name == "scribe of random"


def test_the_built_in_players_are_entry_points_too() -> None:
    from importlib.metadata import entry_points

    found = {entry.name: entry.load() for entry in entry_points(group=registry.GROUP)}
    for name, factory in registry.BUILT_IN.items():
        assert found[name] is factory


# -- by place ------------------------------------------------------------------------------------------------

MODULE = """
from tests.envs.play import Rows, Scribe

class Careful(Scribe):
    def __init__(self, depth=1):
        super().__init__("random")
        self.depth = depth
    class Own(Scribe):
        def __init__(self):
            super().__init__("capture")

def half():
    class Half:
        name, compiled = "half", False
        def begin(self, colour, ruleset, start_fen, seed): ...
    return Half()

def nothing(): ...

LIMIT = 3
"""


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A package of players that is importable and not installed."""
    package = tmp_path / "careful_players"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "shelf.py").write_text(MODULE)
    (package / "broken.py").write_text("import nowhere_to_be_found")
    (package / "wrong.py").write_text("1 / 0")
    monkeypatch.syspath_prepend(str(tmp_path))
    return "careful_players.shelf"


@pytest.mark.parametrize(
    ("spec", "name", "parameters"),
    [
        ("shelf:Careful", "shelf:Careful", {}),
        ("a.b.shelf:Careful:", "a.b.shelf:Careful", {}),
        ("a.shelf:Careful:depth=3,text='a:b,c'", "a.shelf:Careful", {"depth": 3, "text": "a:b,c"}),
        ("a.shelf:Careful.Own", "a.shelf:Careful.Own", {}),
        ("a.shelf:depth=3", "a.shelf", {"depth": 3}),
    ],
)
def test_places_and_parameters(spec: str, name: str, parameters: dict[str, Any]) -> None:
    assert parse_name(spec) == (name, parameters)


def test_players_by_place(place: str) -> None:
    assert make_player(f"{place}:Careful").depth == 1  # type: ignore[attr-defined]
    assert make_player(f"{place}:Careful:depth=3").depth == 3  # type: ignore[attr-defined]
    assert make_player(f"{place}:Careful.Own").name == "scribe of capture"
    assert place not in player_names()
    with pytest.raises(ValueError, match=r"'width'; it takes the parameters: depth"):
        make_player(f"{place}:Careful:width=3")


def test_a_player_by_place_as_opponent(place: str) -> None:
    from ks_env.envs.solo import GameEnv

    env = GameEnv(f"{place}:Careful:depth=3", seat="black")
    env.reset(seed=0)
    assert env.engine.batch.games[0]["truth"]["plies"] == 1


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        (
            "careful_playerz:Careful",
            r"there is no module 'careful_playerz', and no player is called 'careful_p",
        ),
        ("careful_players.shelv:Careful", "there is no module 'careful_players.shelv'"),
        ("careful_players.shelf:Carefull", r"has no attribute 'Carefull' \(did you mean 'Careful'\?\)"),
        ("careful_players.shelf:Careful.Other", "careful_players.shelf has no attribute 'Careful.Other'"),
        ("careful_players.shelf:LIMIT", "is 3; expected a callable that gives a player"),
        ("careful_players.shelf:half", r"shelf\.half\.<locals>\.Half, is not a Player: it lacks choose$"),
        (
            "careful_players.shelf:nothing",
            r"a builtins\.NoneType, is not a Player: it lacks name, begin, choose$",
        ),
        ("careful_players.shelf:Rows", r"is not a Player: .*; give a BatchPlayer itself, not by name"),
        (
            "careful_players.broken:Careful",
            r"importing careful_players\.broken failed: No module named 'nowhere",
        ),
        ("careful_players.wrong:Careful", "wrong failed: ZeroDivisionError: division by zero"),
        ("capture:depth", "player 'capture:depth': .*'depth'; it takes the parameters: none"),
    ],
)
def test_places_without_a_player(spec: str, message: str, place: str) -> None:
    with pytest.raises(ValueError, match=message):
        make_player(spec)


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=4,
)


@given(st.dictionaries(st.from_regex(r"[a-z]{1,5}", fullmatch=True), values, max_size=4))
def test_values_survive_their_way_through_a_name(parameters: dict[str, Any]) -> None:
    rest = ",".join(f"{key}={value!r}" for key, value in parameters.items())
    for name in ("x", "a.b:C"):
        assert parse_name(f"{name}:{rest}") == (name, parameters)


@pytest.mark.parametrize(
    ("rest", "parameters"),
    [
        ("x='a,b',y=[1,(2,3)]", {"x": "a,b", "y": [1, (2, 3)]}),
        ("x='it\\'s,so',y={'k,':1}", {"x": "it's,so", "y": {"k,": 1}}),
        ("x=[1,y=2", {"x": "[1", "y": 2}),
        ("x='a,y=2", {"x": "'a", "y": 2}),
        ("x=(1),y=(1,)", {"x": 1, "y": (1,)}),
        ("x=[a,b],y=1", None),
        ("x=[1,2],,y", {"x": [1, 2], "y": True}),
    ],
)
def test_where_a_value_with_commas_ends(rest: str, parameters: dict[str, Any] | None) -> None:
    if parameters is None:  # no literal, so cut at its first comma
        with pytest.raises(ValueError, match="bad parameter"):
            parse_name(f"random:{rest}")
    else:
        assert parse_name(f"random:{rest}") == ("random", parameters)


@pytest.mark.parametrize("part", ["x='a,b',y=[1s:d=1,", "x=[1,(2,", "x=[(],", "x='", "x=[],]"])
def test_a_name_with_many_brackets_is_read_at_once(part: str) -> None:
    began = time.process_time()
    with contextlib.suppress(ValueError):
        parse_name("random:" + part * (9000 // len(part)))
    assert time.process_time() - began < 10


def test_a_name_that_is_too_long_is_refused() -> None:
    with pytest.raises(ValueError, match="20,007 characters; expected at most 10,000"):
        parse_name("random:" + "x" * 20_000)
