"""What is done at the board beside trying: clocks, offers of a draw, looking back; and rules in detail."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from ks_play import clock
from ks_play.offers import Offers
from ks_play.refusals import Refusal
from ks_play.setup import Wish, catalogue, settle
from starlette.testclient import TestClient

from tests.play.serving import Page, begin, page, serving

CLOCK = {"minutes": 1, "increment": 5}


class Time:
    """Time that passes when it is told to."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def __call__(self) -> float:
        return self.seconds


@pytest.fixture
def time(monkeypatch: pytest.MonkeyPatch) -> Time:
    made = Time()
    monkeypatch.setattr(clock, "now", made)
    return made


def two(client: TestClient, **wish: Any) -> tuple[str, str]:
    """The tokens of White and of Black."""
    made = begin(client, colour="white", opponent="person", **wish)
    other = client.post("/invitations", json={"invitation": made["invitation"]}).json()
    return made["seat"], other["seat"]


def attempt(seat: Page, other: Page, text: str) -> None:
    seat.attempt(text)
    seat.until("told")
    other.settle()


def test_a_clock_runs_while_its_seat_is_to_move_and_a_refused_try_adds_nothing(
    tmp_path: Path, time: Time
) -> None:
    start = "k7/8/8/8/8/4r3/4B2P/4K3 w - - 0 1"
    with serving(tmp_path) as client:
        white, black = two(client, start=start, clock=CLOCK)
        with page(client, white) as ours, page(client, black) as theirs:
            ours.until("told")
            theirs.until("told")
            assert ours.state["clock"] == {"left": [60_000, 60_000], "runs": "white"}
            time.seconds = 10
            attempt(ours, theirs, "e2d3")  # the bishop is pinned
            assert ours.state["turn"]
            assert ours.state["clock"]["left"] == [50_000, 60_000]
            assert theirs.state["clock"]["left"] == [60_000, 60_000], "nothing was sent of the refused try"
            time.seconds = 20
            attempt(ours, theirs, "e1d1")
            assert ours.state["clock"] == theirs.state["clock"] == {"left": [45_000, 60_000], "runs": "black"}
    time.seconds = 5000  # while the server is down, no time is used
    with serving(tmp_path) as client, page(client, black) as theirs:
        theirs.until("told")
        assert theirs.state["clock"] == {"left": [45_000, 60_000], "runs": "black"}
        time.seconds += 61
        theirs.attempt("a8a7")
        theirs.until_over()
        assert theirs.state["scene"]["status"] == "White wins: Black ran out of time"


def test_time_runs_out_by_itself_and_a_bare_king_cannot_win_by_it(tmp_path: Path) -> None:
    with serving(tmp_path) as client:
        white, black = two(client, start="k7/8/8/8/8/8/4Q3/4K3 w - - 0 1", clock={"minutes": 0.005})
        with page(client, black) as theirs, page(client, white):
            theirs.until_over()
            assert theirs.state["scene"]["status"] == "Draw: White ran out of time, Black cannot mate"


@pytest.mark.parametrize(
    "bad", [{"minutes": 0}, {"minutes": "x"}, {"minutes": 5, "increment": -1}, {"minutes": 5, "hours": 1}, 5]
)
def test_a_bad_clock_is_refused(bad: Any, tmp_path: Path) -> None:
    with serving(tmp_path) as client:
        answer = client.post("/games", json={"clock": bad})
        assert answer.status_code == 400
        assert answer.json()["error"].startswith("clock")


def test_a_draw_is_offered_declined_lapses_and_is_agreed(tmp_path: Path) -> None:
    with serving(tmp_path) as client:
        white, black = two(client)
        with page(client, white) as ours, page(client, black) as theirs:
            ours.until("told")
            theirs.until("told")
            ours.send(type="accept")
            assert "no offer" in ours.until("error")["error"]
            ours.send(type="offer")
            offer = {"type": "draw", "by": "white", "words": "White offers a draw"}
            assert ours.until("draw") == theirs.until("draw") == offer
            ours.send(type="accept")
            assert "no offer" in ours.until("error")["error"]
            theirs.send(type="decline")
            assert (
                ours.until("draw")
                == theirs.until("draw")
                == offer
                | {
                    "by": None,
                    "words": "Black declines the draw",
                }
            )
            ours.send(type="offer")
            assert "make a move" in ours.until("error")["error"]
            attempt(ours, theirs, "e2e4")
            theirs.send(type="offer")
            ours.until("draw")
            attempt(theirs, ours, "e7e5")
            attempt(ours, theirs, "d2d4")  # not answered
            assert '"The offer of a draw has lapsed"' in ours.traffic[-1] + theirs.traffic[-1]
            ours.send(type="offer")
            theirs.until("draw")
            theirs.send(type="accept")
            ours.until_over()
            assert ours.state["scene"]["status"] == "Draw: agreed"
            ours.send(type="offer")
            assert ours.until("error")["error"] == "the game is over"


def test_an_offer_stands_when_the_server_is_begun_again(tmp_path: Path) -> None:
    with serving(tmp_path) as client:
        white, black = two(client)
        with page(client, white) as ours, page(client, black) as theirs:
            ours.until("told")
            theirs.until("told")
            ours.send(type="offer")
            ours.until("draw")
            attempt(ours, theirs, "e2e4")
    with serving(tmp_path) as client, page(client, white) as ours, page(client, black) as theirs:
        assert ours.until("draw")["by"] == theirs.until("draw")["by"] == "white"
        ours.send(type="offer")
        assert "stands already" in ours.until("error")["error"]
        theirs.send(type="accept")
        ours.until_over()
        assert ours.state["scene"]["status"] == "Draw: agreed"


@pytest.mark.parametrize(
    ("at", "now", "mover", "stands"),
    [(4, 4, True, True), (4, 5, False, True), (4, 6, True, False), (5, 5, False, True), (5, 6, True, False)],
)
def test_an_offer_that_was_not_answered_in_time_lapses_though_the_server_was_killed(
    at: int, now: int, mover: bool, stands: bool
) -> None:
    """White offers; the kill came between the reply to a try and what followed it."""
    offers = Offers()
    offers.make(True, at)
    again = Offers.from_json(offers.to_json(), now, mover)
    assert again.by is (True if stands else None)
    with pytest.raises(Refusal):
        again.make(True, at + 1)


def test_an_engine_declines(tmp_path: Path) -> None:
    with serving(tmp_path) as client:
        token = begin(client, colour="white", opponent="random")["seat"]
        with page(client, token) as seat:
            seat.send(type="offer")
            assert seat.until("draw")["by"] == "white"
            assert seat.until("draw")["words"] == "Black declines the draw"


def test_a_seat_looks_back_at_what_it_saw(tmp_path: Path) -> None:
    with serving(tmp_path) as client:
        white, black = two(client)
        with page(client, white) as ours, page(client, black) as theirs:
            ours.until("told")
            theirs.until("told")
            scenes = [ours.state["scene"]]
            for number, text in enumerate(("e2e4", "e7e5", "f1b5", "a7a6", "b5d7")):
                attempt(*((ours, theirs) if number % 2 == 0 else (theirs, ours)), text)
                scenes.append(ours.state["scene"])
            for heard, scene in enumerate(scenes, 1):
                ours.send(type="look", at=heard)
                assert ours.until("past") == {"type": "past", "at": heard, "scene": scene}
            for bad in (0, 99, "1", None, True):
                ours.send(type="look", at=bad)
                assert ours.until("error")["error"]


def test_the_rules_of_a_game_are_those_of_its_own_options() -> None:
    games = {
        game["id"]: {option["name"]: option for option in game["options"]} for game in catalogue()["games"]
    }
    assert set(games["DarkChess"]) == {"fifty_moves", "threefold", "max_tries", "max_plies"}
    kriegspiel = games["Kriegspiel"]
    assert kriegspiel["pawn_tries"]["choices"] == ["none", "count", "yes_no", "squares"]
    assert kriegspiel["pawn_tries"]["values"]["rand"] == "squares"
    assert kriegspiel["max_tries"]["most"] == 65_535
    assert all(option["about"] for option in kriegspiel.values())


def test_rules_are_replaced_and_kept_in_the_record() -> None:
    setup, _ = settle(Wish(ruleset="icc", options={"pawn_tries": "squares", "stalemate_loses": True}))
    rules = setup.begin().ruleset
    assert rules.pawn_tries.name == "SQUARES"
    assert rules.stalemate_loses
    for options in ({"pawn_tries": "some"}, {"max_tries": 0}, {"walls": True}):
        with pytest.raises(ValueError, match=next(iter(options))):
            settle(Wish(options=options))


def test_each_side_has_hidden_men_of_its_own() -> None:
    setup, _ = settle(Wish(game="InvisibleChess", men="2B v 1R"))
    white, black = setup.begin().men
    assert white == "c1 f1"
    assert black in ("a8", "h8")
