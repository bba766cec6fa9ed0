"""Games of two engines and tournaments, looked at while they are played."""

from __future__ import annotations

import os
import re
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from ks_arena.sections import ConfigError, check_section
from ks_arena.study.config import StudyConfig
from ks_arena.study.run import run_study
from ks_play.app import make_app
from ks_play.engines import Engines
from ks_play.store import Store
from ks_play.studies import Studies
from starlette.testclient import TestClient

from ks_env.record import from_json, steps
from ks_env.render.replay import Frames
from tests.play.serving import ORIGIN, serving
from tests.play.test_analysis import data_of

MATE = "7k/5Q2/6K1/8/8/8/8/8 w - - 0 1"


def watch(client: TestClient, **wish: object) -> str:
    answer = client.post("/watched", json=wish)
    assert answer.status_code == 200, answer.text
    return str(answer.json()["watch"])


def make_study(folder: Path) -> Path:
    keys = {
        "name": "small",
        "seed": 1,
        "tournament": {"kind": "round-robin", "players": [{"player": "random", "label": "a <b>"}, "capture"]},
        "games": 2,
        "ruleset": "icc",
    }
    run_study(check_section(StudyConfig, keys, "test"), folder / "study.sqlite", workers=1)
    return folder / "study.sqlite"


class SlowFrames(Frames):
    """A busy machine's."""

    def add(self, *args: Any) -> dict[str, Any]:
        time.sleep(0.2)
        return super().add(*args)


@pytest.mark.parametrize("kind", [Frames, SlowFrames])
def test_two_engines_are_watched_to_their_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: type[Frames]
) -> None:
    monkeypatch.setattr("ks_play.watching.Frames", kind)
    with serving(tmp_path) as client:
        token = watch(client, white="capture", black="random", start=MATE)
        live = client.get(f"/watched/{token}")
        assert "script-src 'sha256-" in live.headers["content-security-policy"]
        frames = data_of(live.text)["frames"]
        assert len(frames) == 1
        assert "ICC rules" in live.text
        assert client.get(f"/watched/{token}/replay").status_code == 409
        told: dict[str, object] = {"over": False}
        while not told["over"]:
            told = client.post(f"/watched/{token}/frames", json={"since": len(frames)}).json()
            assert isinstance(told["frames"], list)
            frames += told["frames"]
        record = from_json(client.get(f"/watched/{token}/json").text)
        assert frames == data_of(client.get(f"/watched/{token}/replay").text)["frames"]
        assert len(frames) == len(list(steps(record)))
        for since in (-1, "0", None, True):
            assert client.post(f"/watched/{token}/frames", json={"since": since}).status_code == 400


def test_what_cannot_be_watched_is_refused(tmp_path: Path) -> None:
    import ks_play.watching as watching

    with pytest.MonkeyPatch.context() as patch, serving(tmp_path) as client:
        bad = ({"white": "nobody"}, {"black": "person"}, {"white": "person"}, {"game": "Go"}, {"x": 1})
        for wish in bad:
            answer = client.post("/watched", json=wish)
            assert answer.status_code == 400
            assert answer.json()["error"]
        for path in ("/watched/1", "/watched/1/replay", "/watched/1/json"):
            assert client.get(path).status_code == 404
        assert client.post("/watched/1/frames", json={"since": 1}).status_code == 404
        assert client.post("/watched", json={}, headers={"origin": "http://evil.example"}).status_code == 403
        patch.setattr(watching, "MOST_GAMES", 1)
        first = watch(client)
        assert "watched already" in client.post("/watched", json={}).json()["error"]
        patch.setattr(watching, "IDLE", -1.0)
        watch(client)
        assert client.get(f"/watched/{first}").status_code == 404
    app = make_app(Store(tmp_path / "others.sqlite"), Engines(1, 5.0), strangers=True)
    with TestClient(app, base_url="http://localhost", headers=ORIGIN) as client:
        for name in ("antigravity:factory", "mcts-c:profile='/etc/hostname'"):
            assert client.post("/watched", json={"white": name}).status_code == 400
            assert client.post("/watched", json={"black": name}).status_code == 400


def test_a_tournament_is_shown_and_its_games_opened(tmp_path: Path) -> None:
    file = make_study(tmp_path / "tour")
    app = make_app(Store(tmp_path / "games.sqlite"), Engines(1, 5.0), studies=Studies([tmp_path / "tour"]))
    with TestClient(app, base_url="http://localhost", headers=ORIGIN) as client:
        assert client.get("/studies").json() == ["tour"]
        page = client.get("/studies/0")
        assert "Finished: 2 games" in page.text
        assert "a &lt;b&gt;" in page.text
        assert "a <b>" not in page.text
        assert "script-src 'sha256-" in page.headers["content-security-policy"]
        games = client.get("/studies/0/pairings/0")
        assert 'href="/studies/0/0-0-1"' in games.text
        assert "a <b>" not in games.text
        frames = data_of(client.get("/studies/0/0-0-1").text)["frames"]
        record = from_json(client.get("/studies/0/0-0-1/json").text)
        assert len(frames) == len(record.tries) + 1
        for path in ("/studies/1", "/studies/0/pairings/5", "/studies/0/0-9-0/replay", "/studies/0/x/pgn"):
            assert client.get(path).status_code == 404
        file.unlink()
        assert "no such study" in client.get("/studies/0").json()["error"]


RUNNING = """
import sys
from pathlib import Path
from ks_arena.sections import check_section
from ks_arena.study.config import StudyConfig
from ks_arena.study.run import run_study

tournament = {"kind": "round-robin", "players": ["random", "capture"]}
keys = {"name": "long", "seed": 1, "tournament": tournament, "games": 100_000}
run_study(check_section(StudyConfig, keys, "test"), Path(sys.argv[1]), workers=1)
"""


def test_a_tournament_is_watched_while_it_is_played(tmp_path: Path) -> None:
    file = tmp_path / "long" / "study.sqlite"
    file.parent.mkdir()
    with subprocess.Popen(
        [sys.executable, "-c", RUNNING, str(file)], stdout=subprocess.DEVNULL, start_new_session=True
    ) as study:
        try:
            while not file.exists():
                assert study.poll() is None
                time.sleep(0.1)
            app = make_app(Store(tmp_path / "games.sqlite"), Engines(1, 5.0), studies=Studies([file]))
            with TestClient(app, base_url="http://localhost", headers=ORIGIN) as client:
                first = games_seen(client, more_than=0)
                page = client.get("/studies/0/pairings/0").text
                place = re.search(r'href="(/studies/0/[0-9-]+)"', page)
                assert place is not None
                record = from_json(client.get(f"{place[1]}/json").text)
                frames = data_of(client.get(place[1]).text)["frames"]
                assert len(frames) == len(record.tries) + 1
                assert games_seen(client, more_than=first) > first
                assert study.poll() is None, "it goes on, and was not disturbed"
        finally:
            os.killpg(study.pid, signal.SIGKILL)


def games_seen(client: TestClient, more_than: int) -> int:
    """Of the running study, as its page says, once there are more than so many."""
    while True:
        answer = client.get("/studies/0")
        found = re.search(r"([0-9,]+) of 100,000 games", answer.text)
        if found is not None and (games := int(found[1].replace(",", ""))) > more_than:
            assert "data-finished" not in answer.text
            return games
        time.sleep(0.2)


def test_what_is_no_tournament_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="no such study"):
        Studies([tmp_path])
    foreign = tmp_path / "foreign.sqlite"
    with sqlite3.connect(foreign) as db:
        db.execute("CREATE TABLE games (x)")
    with pytest.raises(ConfigError, match="is not a study of the arena"):
        Studies([foreign])
    broken = tmp_path / "broken.sqlite"
    broken.write_text("neither this nor that" * 100)
    with pytest.raises(ConfigError, match=r"broken\.sqlite: is not a study or is damaged"):
        Studies([broken])
