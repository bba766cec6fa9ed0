"""All traffic of a seat on the page, in pairs of games that the seat cannot tell apart."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Protocol

import chess
import pytest
from ks_play import clock
from starlette.testclient import TestClient

from ks_env.core.actions import action_to_text
from tests.games.dark.twins import Twins as DarkTwins
from tests.leaks.invisible_twins import InvisibleTwins
from tests.leaks.twins import Twins
from tests.play.serving import Page, begin, page, serving
from tests.starts import draw_start


def traffic(
    client: TestClient, wish: dict[str, object], asked: list[int], seat: chess.Color
) -> tuple[list[str], list[str]]:
    """What comes over the wire to `seat` and to its opponent, while these tries are made."""
    made = begin(client, colour=chess.COLOR_NAMES[seat], opponent="person", **wish)
    other = client.post("/invitations", json={"invitation": made["invitation"]}).json()["seat"]
    with page(client, made["seat"]) as ours, page(client, other) as theirs:
        seats: dict[bool, Page] = {seat: ours, not seat: theirs}
        for each in seats.values():
            each.until("told")
        if wish["game"] == "Kriegspiel":
            ours.send(type="believe", on=True)
            ours.settle()
        ours.send(type="offer")
        ours.until("draw")
        for action in asked:
            mover = next(colour for colour, each in seats.items() if each.state["turn"])
            theirs.send(type="ghosts", men={str(action % 64): "queen"})  # other ones in either game
            seats[mover].attempt(action_to_text(action, mover))
            seats[mover].until("told")
            seats[not mover].settle()
        ours.send(type="look", at=len(lines(ours)) // 2 + 1)
        ours.until("past")
        return ours.traffic, theirs.traffic


def lines(seat: Page) -> list[object]:
    """What the seat has heard."""
    told = [json.loads(text) for text in seat.traffic]
    return [line for message in told if message["type"] == "told" for line in message["lines"]]


@pytest.fixture
def still(monkeypatch: pytest.MonkeyPatch) -> None:
    """Clocks by which no time passes: what is sent of them is the same in both games."""
    monkeypatch.setattr(clock, "now", lambda: 0.0)


Kept = tuple[list[int], list[int]]


class Pair(Protocol):
    """A pair of games that look the same to a seat; `asked` are the tries put to each."""

    @property
    def asked(self) -> Sequence[list[int]]: ...

    def advance(self, rng: random.Random) -> bool: ...


def played(pair: Pair, rng: random.Random, most: int, alike: Callable[[], bool]) -> Kept:
    """The tries of both games for as long as the seat cannot tell them apart."""
    kept: Kept = ([], [])
    for _ in range(most):
        if not pair.advance(rng) or not alike():
            break
        kept = (list(pair.asked[0]), list(pair.asked[1]))
    return kept


def compare(client: TestClient, wish: dict[str, object], kept: Kept, seat: bool) -> Counter[str]:
    """The seat is sent the same in both games; in what they differ out of its sight."""
    (first, theirs), (second, others) = (traffic(client, wish, asked, seat) for asked in kept)
    assert first == second
    numbers = len(kept[0]) != len(kept[1])
    return Counter({"messages": len(first), "differ": theirs != others, "other numbers of tries": numbers})


@pytest.mark.usefixtures("still")
@pytest.mark.parametrize("ruleset", ["icc", "berkeley-any", "cincinnati", "rand", "english"])
def test_a_seat_gets_the_same_bytes_in_games_that_it_cannot_tell_apart(ruleset: str, tmp_path: Path) -> None:
    counts: Counter[str] = Counter()
    with serving(tmp_path) as client:
        for number in range(4):
            rng = random.Random(f"play twins {ruleset} {number}")
            pair = Twins(ruleset, draw_start(rng), rng.random() < 0.5)
            kept = played(pair, rng, 18, pair.same_history)
            wish: dict[str, object] = {"game": "Kriegspiel", "ruleset": ruleset, "start": pair.fen}
            wish["clock"] = {"minutes": 5, "increment": 3}
            counts += compare(client, wish, kept, pair.seat)
    assert counts["messages"] > 30
    assert counts["differ"] > 1
    assert counts["other numbers of tries"] > 0 or pair.oracles[0].rules.illegal_public


def test_a_seat_of_invisible_chess_gets_the_same_bytes(tmp_path: Path) -> None:
    from ks_env.games.invisible.game import InvisibleGame

    counts: Counter[str] = Counter()
    with serving(tmp_path) as client:
        for number in range(4):
            rng = random.Random(f"play invisible twins {number}")
            seat = rng.random() < 0.5
            pair = InvisibleTwins(InvisibleGame("2B v 2B"), "2B v 2B", seat)
            kept = played(pair, rng, 20, pair.same_history)
            counts += compare(client, {"game": "InvisibleChess", "men": "2B"}, kept, seat)
    assert counts["messages"] > 30
    assert counts["differ"] > 1


@pytest.mark.usefixtures("still")
def test_a_seat_of_dark_chess_gets_the_same_bytes(tmp_path: Path) -> None:
    counts: Counter[str] = Counter()
    with serving(tmp_path) as client:
        for number in range(4):
            rng = random.Random(f"play dark twins {number}")
            pair = DarkTwins(chess.STARTING_FEN, rng.random() < 0.5)
            kept = played(pair, rng, 20, lambda: True)
            wish: dict[str, object] = {"game": "DarkChess", "clock": {"minutes": 5, "increment": 3}}
            counts += compare(client, wish, kept, pair.seat)
    assert counts["messages"] > 30
    assert counts["differ"] > 1
    assert counts["other numbers of tries"] > 0
