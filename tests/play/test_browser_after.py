"""What comes after a game, and watching, in a real browser."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.play.test_browser import CHROMIUM, Server, Table, axe, browser
from tests.play.test_watching import make_study

__all__ = ["browser"]
pytestmark = pytest.mark.skipif(
    CHROMIUM is None, reason="chromium is not installed: apt-get install chromium brings it"
)
BOXES = "(kind) => [...document.querySelectorAll(kind)].map((each) => each.getBoundingClientRect())"
AFTER_E4 = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("after")
    made = Server(folder, "--watch", str(make_study(folder / "tour").parent), "--name", "ks-play.test")
    yield made
    made.kill()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_game_is_studied(browser: Any, server: Server, scheme: str, tmp_path: Path) -> None:
    table = Table(browser, server, color_scheme=scheme)
    page = table.page
    table.begin("7k/8/8/8/8/7P/8/K6R w - - 0 1")
    page.check("#ghosting")
    table.square("d8").click()
    page.uncheck("#ghosting")
    page.fill("#typed", "h3h4")
    page.keyboard.press("Enter")
    table.settle(1)
    page.click("#resign")
    page.click("#yes")
    table.until(lambda: table.over)
    page.click("#theme")
    other = {"light": "dark", "dark": "light"}[scheme]
    with page.expect_download() as download:
        page.click("#share")
    download.value.save_as(tmp_path / "game.html")
    page.click("#replay")
    page.wait_for_selector("#curve polyline.black", state="attached")
    assert page.get_attribute("html", "data-theme") == other
    page.keyboard.press("ArrowRight")
    assert "believed, not so: d8 · not believed: h8" in page.inner_text("#wrong-list")
    assert page.locator(".view[data-view=white] .thought").count() == 1
    assert page.locator(".view[data-view=black] .guess").count() == 0
    page.keyboard.press("ArrowLeft")
    page.select_option("#asked", "darkboard")
    page.click("#ask")
    page.wait_for_selector("#because p")
    assert "darkboard would try" in page.inner_text("#because")
    page.set_viewport_size({"width": 1280, "height": 800})
    boards, cards = (
        [box["width"] for box in page.evaluate(BOXES, kind)] for kind in (".board", "main .view")
    )
    assert min(boards) == max(boards) > 0.7 * max(cards)
    assert page.evaluate("because.scrollWidth <= because.clientWidth")
    assert page.evaluate("document.documentElement.scrollHeight") <= 800
    assert axe(page) == []
    page.keyboard.press("t")
    page.click("text=New game")
    page.wait_for_selector("#games .tile")
    assert page.get_attribute("html", "data-theme") == scheme
    page.goto((tmp_path / "game.html").as_uri())
    page.wait_for_selector("#curve polyline.black", state="attached")
    assert page.locator("#asking:visible").count() == 0
    assert not table.faults


def test_two_engines_are_watched_at_a_pace(browser: Any, server: Server) -> None:
    table = Table(browser, server)
    page = table.page
    page.click(".watch")
    page.wait_for_selector("#game option", state="attached")
    assert axe(page) == []
    page.fill("#white", "nobody")
    page.click("#wish button[type=submit]")
    table.until(lambda: "nobody" in page.inner_text("#fault"))
    page.fill("#white", "capture")
    page.fill("#black", "random")
    page.click("summary")
    page.fill("#start", AFTER_E4)  # far from an end, which would pause by itself
    page.click("#wish button[type=submit]")
    page.wait_for_selector("#slider")
    table.until(lambda: not page.inner_text("#count").startswith("Try 0 "))
    page.click("#play")  # a pause
    seen = page.inner_text("#count").split(" of ")[0]
    page.wait_for_timeout(1200)
    assert page.inner_text("#count").split(" of ")[0] == seen
    page.keyboard.press("ArrowRight")  # a step
    table.until(lambda: page.inner_text("#count").split(" of ")[0] != seen)
    assert axe(page) == []
    assert not table.faults


def test_a_tournament_is_looked_at(browser: Any, server: Server) -> None:
    table = Table(browser, server)
    page = table.page
    page.goto(f"{server.address}/watch")
    page.click("#studies a")
    page.wait_for_selector("progress")
    assert "2 of 2 games" in page.inner_text("main")
    assert axe(page) == []
    page.click(".games a")
    page.wait_for_selector("ol")
    assert axe(page) == []
    page.click("ol a")
    page.wait_for_selector("#slider")
    assert not page.is_hidden("#course")
    assert not table.faults


def test_a_link_is_by_the_name_that_others_know(browser: Any, server: Server) -> None:
    table = Table(browser, server, opponent="person")
    table.begin()
    table.until(lambda: table.page.is_visible("#invite"))
    assert table.page.input_value("#link").startswith(f"http://ks-play.test:{server.port}/game#join-")
    assert not table.faults
