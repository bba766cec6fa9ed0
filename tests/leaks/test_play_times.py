"""Times tell an opponent nothing of refused tries: not when he hears, nor what is sent of the clocks."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from ks_play import clock
from ks_play.store import Store

from tests.play.serving import begin, page, serving

PINNED = "k7/8/8/8/8/4r3/4B2P/4K3 w - - 0 1"  # the bishop on e2 cannot move: the referee refuses it
REFUSED = ("e2d3", "e2f3", "e2c4")
BEAT = 0.5
LONG = 0.3  # seconds for a piece of work on the disk


class Time:
    """Time that passes when somebody sleeps, and a little whenever somebody looks."""

    def __init__(self, look: float = 0.0) -> None:
        self.seconds, self.look = 0.0, look

    def __call__(self) -> float:
        self.seconds += self.look
        return self.seconds

    async def sleep(self, seconds: float) -> None:
        self.seconds += seconds


@pytest.mark.parametrize(("ruleset", "heard_at"), [("icc", [1, 1, 1]), ("berkeley", [1, 2, 4])])
def test_an_engines_answer_comes_at_the_same_beat_however_often_it_was_refused_unheard(
    ruleset: str, heard_at: list[int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    time = Time(0.001)
    monkeypatch.setattr(clock, "now", time)
    monkeypatch.setattr(clock, "sleep", time.sleep)
    with serving(tmp_path, beat=BEAT) as client:
        for refusals, beats in zip((0, 1, 3), heard_at, strict=True):
            script = " ".join((*REFUSED[:refusals], "e1d1"))
            token = begin(
                client,
                ruleset=ruleset,
                start=PINNED,
                opponent=f"tests.play.hanging:Scripted:tries='{script}'",
                colour="black",
            )["seat"]
            time.seconds = 0.0
            with page(client, token) as black:
                while not black.state.get("turn"):
                    black.receive()
                assert round(time.seconds / BEAT, 1) == beats, f"after {refusals} refusals"


def clocks_heard(tmp_path: Path, time: Time, refused: tuple[str, ...]) -> list[str]:
    """All that Black is sent while White is refused these tries, then moves at 20 s."""
    wish: dict[str, Any] = {"start": PINNED, "clock": {"minutes": 1, "increment": 5}}
    with serving(tmp_path) as client:
        made = begin(client, colour="white", opponent="person", **wish)
        other = client.post("/invitations", json={"invitation": made["invitation"]}).json()["seat"]
        with page(client, made["seat"]) as white, page(client, other) as black:
            white.until("told")
            black.until("told")
            time.seconds = 10.0
            for text in refused:
                white.attempt(text)
                white.until("told")
                assert white.state["turn"]
            time.seconds = 20.0
            white.attempt("e1d1")
            white.until("told")
            black.until("told")
            return black.traffic


def test_the_clocks_that_are_sent_do_not_tell_refused_tries(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Work on the disk takes time; a clock that stood meanwhile would tell how often there was some."""
    time = Time()
    monkeypatch.setattr(clock, "now", time)
    do = Store.do

    async def slowly(store: Store, work: Any) -> Any:
        done = await do(store, work)
        time.seconds += LONG
        return done

    monkeypatch.setattr(Store, "do", slowly)
    heard = []
    for number in (0, 1, 3):
        time.seconds = 0.0
        heard.append(clocks_heard(tmp_path / str(number), time, REFUSED[:number]))
    assert heard[0] == heard[1] == heard[2]
    assert '"clock"' in heard[0][-1]


def test_clocks_are_sent_in_whole_tenths(monkeypatch: pytest.MonkeyPatch) -> None:
    time = Time()
    monkeypatch.setattr(clock, "now", time)
    made = clock.Clock(clock.Control(minutes=1, increment=0), None)
    made.run(True)
    time.seconds = 1.2345
    assert made.values() == {"left": [58_800, 60_000], "runs": "white"}
    assert made.milliseconds() == (58_766, 60_000)  # as it is kept
