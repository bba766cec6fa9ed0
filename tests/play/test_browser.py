"""The page in a real browser: by mouse, by keyboard, on a phone; refusals, promotion, a killed server."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"]
FLAGS += ["--disable-sync", "--no-first-run"]
PATIENCE = 120.0  # seconds, on a busy machine

pytestmark = pytest.mark.skipif(
    CHROMIUM is None, reason="chromium is not installed: apt-get install chromium brings it"
)


class Server:
    """`ks play` in a process of its own."""

    def __init__(self, folder: Path, *more: str) -> None:
        self.more = more
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.games = folder / "games.sqlite"
        self.address = f"http://localhost:{self.port}"
        self.start()

    def start(self) -> None:
        code = "from ks_train.commands.main import app; app()"
        command = [sys.executable, "-c", code, "play", "--no-browser", "--beat", "0", "--processes", "1"]
        command += ["--port", str(self.port), "--games", str(self.games), *self.more]
        self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        for _ in range(600):
            try:
                urllib.request.urlopen(self.address, timeout=1).close()
                return
            except OSError:
                assert self.process.poll() is None, "the server has ended"
                time.sleep(0.1)
        raise AssertionError("the server does not answer")

    def kill(self) -> None:
        os.kill(self.process.pid, signal.SIGKILL)
        self.process.wait()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    made = Server(tmp_path_factory.mktemp("play"))
    yield made
    made.kill()


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as play:
        made = play.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield made
        made.close()


class Table:
    """A page at a game."""

    def __init__(self, browser: Any, server: Server, opponent: str = "random", **options: Any) -> None:
        self.faults: list[str] = []
        self.page = browser.new_context(**options).new_page()
        self.page.set_default_timeout(1000 * PATIENCE)
        self.page.on("pageerror", lambda error: self.faults.append(str(error)))
        self.page.goto(server.address)
        self.page.wait_for_selector(".tile")
        self.page.check("[value=white]", force=True)
        self.page.select_option("#opponent", opponent)

    def begin(self, start: str = "") -> None:
        if start:
            self.page.click("summary")
            self.page.fill("#start", start)
        self.page.click("#wish button[type=submit]")
        self.page.wait_for_selector("#board [data-square=e2]")
        self.until(lambda: self.page.locator("#heard li").count() > 0)

    def until(self, so: Callable[[], bool]) -> None:
        end = time.monotonic() + PATIENCE
        while not so():
            assert time.monotonic() < end, f"waited for {PATIENCE} s; faults: {self.faults}"
            self.page.wait_for_timeout(30)

    def squares(self, kind: str) -> list[str]:
        found: list[str] = self.page.evaluate(
            "(kind) => [...document.querySelectorAll(`#board .${kind}`)].map((c) => c.dataset.square)", kind
        )
        return found

    @property
    def over(self) -> bool:
        return bool(self.page.locator("body.over").count())

    def settle(self, heard: int) -> None:
        """Wait until more was heard, and it is the player's turn, or the game is over."""
        ready = "body.my-turn, body.over"
        self.until(
            lambda: self.page.locator("#heard li").count() > heard and self.page.locator(ready).count() > 0
        )

    def square(self, name: str) -> Any:
        return self.page.locator(f"[data-square={name}]")


def axe(page: Any) -> list[str]:
    """What axe finds wrong with a page."""
    from axe_core_python.sync_playwright import Axe

    return [f"{v['id']}: {v['nodes'][0]['html'][:120]}" for v in Axe().run(page)["violations"]]


# Black has one answer to Kg6, Kg8, and is mated by Ra8.
MATE_IN_TWO = "7k/8/7K/8/8/8/8/R7 w - - 0 1"


def test_a_game_by_mouse_to_its_end_and_its_replay(browser: Any, server: Server) -> None:
    table = Table(browser, server)
    page = table.page
    assert axe(page) == []
    table.begin(MATE_IN_TWO)
    assert axe(page) == []
    table.square("h6").drag_to(table.square("g7"))  # next to the king on h8
    table.until(lambda: page.locator(".refused[data-try=h6g7]").count() == 1)
    assert sorted(table.squares("movable")) == ["a1", "h6"]
    table.square("h6").drag_to(table.square("g6"))
    table.settle(2)
    table.square("a1").click()
    table.square("a8").click()
    table.until(lambda: table.over)
    assert page.inner_text("#said") == "White wins: checkmate"
    assert axe(page) == []
    page.click("#replay")
    page.wait_for_selector("#slider")
    assert "Try" in page.inner_text("#count")
    assert page.inner_text("#score") == "1–0"
    assert not table.faults


def test_a_game_by_keyboard_to_its_end(browser: Any, server: Server) -> None:
    table = Table(browser, server)
    page = table.page
    table.begin(MATE_IN_TWO)
    page.locator("#typed").focus()
    page.keyboard.type("Qa9")
    page.keyboard.press("Enter")
    assert "not a try" in page.inner_text("#fault")
    page.locator("#typed").fill("")
    page.keyboard.type("Kg6")
    page.keyboard.press("Enter")
    table.settle(1)
    assert page.inner_text("#fault") == ""
    table.square("a1").focus()
    page.keyboard.press("Enter")
    assert table.square("a1").get_attribute("aria-selected") == "true"
    for _ in range(7):
        page.keyboard.press("ArrowUp")
    page.keyboard.press("Space")
    table.until(lambda: table.over)
    assert "a1a8" in page.inner_text("#heard")
    assert page.inner_text("#said") == "White wins: checkmate"
    assert not table.faults


def test_a_refused_try_stays_marked_and_a_pawn_is_promoted(browser: Any, server: Server) -> None:
    table = Table(browser, server)
    page = table.page
    # the queen pins the rook, and cannot take what stands on h8
    table.begin("k7/7P/8/3q4/8/8/3R4/3K4 w - - 0 1")
    table.square("d2").click()
    table.square("c2").click()  # pinned: refused
    table.until(lambda: page.locator(".refused[data-try=d2c2]").count() == 1)
    assert "illegal" in page.inner_text("#said")
    assert "c2" not in (table.square("d2").get_attribute("aria-label") or "")
    table.square("h7").click()
    table.square("h8").click()
    page.click("#kinds [value=n]")
    table.until(lambda: "white knight" in (table.square("h8").get_attribute("aria-label") or ""))


def test_a_game_on_a_phone_to_its_end(browser: Any, server: Server) -> None:
    table = Table(browser, server, viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    page = table.page
    assert axe(page) == []
    right = page.evaluate(
        "[...document.querySelectorAll('.tile')].map((t) => t.getBoundingClientRect().right)"
    )
    assert right[-1] == right[0] == 372  # those of the games and of Black end alike
    table.begin(MATE_IN_TWO)
    assert page.evaluate("document.querySelector('header').clientHeight") < 56  # one line
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    for start, end, heard in (("h6", "g6", 1), ("a1", "a8", 3)):
        table.square(start).tap()
        table.square(end).tap()
        table.settle(heard)
    table.until(lambda: table.over)
    assert page.inner_text("#said") == "White wins: checkmate"
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert axe(page) == []
    page.tap("#replay")
    page.wait_for_selector("#slider")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert not table.faults


def test_the_game_goes_on_after_the_server_was_killed(browser: Any, server: Server) -> None:
    table = Table(browser, server)
    page = table.page
    table.begin()
    page.check("#ghosting")
    table.square("d8").click()
    page.uncheck("#ghosting")
    table.square("e2").click()
    table.square("e4").click()
    table.settle(1)
    before = page.inner_text("#heard")
    server.kill()
    table.until(lambda: page.is_visible("#connection"))
    server.start()
    table.until(lambda: not page.is_visible("#connection"))  # by itself
    page.reload()
    table.until(lambda: page.locator("#heard li").count() > 2)
    assert page.inner_text("#heard").startswith(before)
    assert table.square("d8").locator(".ghost").count() == 1
    heard = page.locator("#heard li").count()
    page.fill("#typed", "Nf3")
    page.keyboard.press("Enter")
    table.settle(heard)


def test_clock_draw_and_steps_back(browser: Any, server: Server) -> None:
    table = Table(browser, server, color_scheme="dark")
    page = table.page
    page.click("#rules summary")
    page.select_option("#minutes", "5")
    page.select_option("#increment", "2")
    page.select_option("[data-option=pawn_tries]", "squares")
    assert axe(page) == []
    table.begin()
    page.check("#ghosting")
    table.square("d8").click()
    page.uncheck("#ghosting")
    for typed in ("e4", "Nf3", "Be2"):
        heard = page.locator("#heard li").count()
        page.fill("#typed", typed)
        page.keyboard.press("Enter")
        table.settle(heard)
    page.click("#offer")
    table.until(lambda: "declines the draw" in page.inner_text("#said"))
    assert page.locator("#my-clock.runs").count() == 1
    assert page.inner_text("#my-clock").startswith(("4:", "5:"))
    low = page.locator("#first").bounding_box()
    page.keyboard.press("PageUp")
    table.until(lambda: page.locator("body.then").count() == 1)
    assert page.locator("#first").bounding_box() == low  # the words beside it leave it its room
    page.click("#first")
    table.until(lambda: "white pawn" in (table.square("e2").get_attribute("aria-label") or ""))
    assert page.locator(".movable").count() == 0
    assert axe(page) == []
    page.keyboard.press("PageDown")
    page.click("#now")
    assert "white bishop" in (table.square("e2").get_attribute("aria-label") or "")
    assert page.locator("body.then").count() == 0
    assert not table.faults


def test_the_tutorial(browser: Any, server: Server) -> None:
    page = browser.new_context(color_scheme="dark").new_page()
    page.goto(server.address)
    assert axe(page) == []
    page.click("text=Learn the rules")
    page.wait_for_selector("#board [data-square=d4] .man")
    assert axe(page) == []
    for square in ("d4", "d5"):
        page.click(f"[data-square={square}]")
    page.wait_for_selector(".refused[data-try=d4d5]")
    assert "Refused" in page.inner_text("#says")
    page.locator("[data-square=e1]").focus()
    for key in ("Enter", "ArrowUp", "Enter"):
        page.keyboard.press(key)
    page.wait_for_selector("#next.wanted")
    assert "done" in page.inner_text("#count")
    page.click("#next")
    page.wait_for_selector("#board [data-square=d1] img[src*=queen]")
    page.fill("#typed", "any?")
    page.keyboard.press("Enter")
    page.wait_for_selector("#fault:not(:empty)", timeout=5000)
    assert page.inner_text("#fault") == "These rules have no “any?”."
    page.fill("#typed", "d1z9")
    page.keyboard.press("Enter")
    page.wait_for_selector("#fault:not(:empty)")
    assert axe(page) == []


def test_levels_are_offered_for_the_rules_by_which_they_were_measured(browser: Any, server: Server) -> None:
    page = Table(browser, server, "policy").page
    levels = page.locator("optgroup[label='By strength'] option")
    assert levels.count() > 2
    page.select_option("#ruleset", "rand")
    assert levels.count() == 0
    assert page.input_value("#opponent") == "policy"
    page.select_option("#ruleset", "icc")
    assert levels.count() > 2
    page.check("[value=DarkChess]", force=True)
    assert levels.count() == 0


@pytest.mark.parametrize("number", ["", "0"])
def test_a_number_that_is_none_is_shown_where_it_stands(browser: Any, server: Server, number: str) -> None:
    table = Table(browser, server)
    page = table.page
    page.click("#rules summary")
    page.fill("[data-option=max_tries]", number)
    page.click("#rules summary")
    page.click("#wish button[type=submit]")
    page.wait_for_selector("[data-option=max_tries]:focus")  # with the browser's own words
    assert page.inner_text("#fault") == ""
    page.fill("[data-option=max_tries]", "7")
    table.begin()
    assert not table.faults


def test_what_is_out_of_sight_lies_under_a_shade(browser: Any, server: Server) -> None:
    table = Table(browser, server)
    table.page.check("[value=DarkChess]", force=True)
    table.begin()
    far = {f"{file}{rank}" for file in "abcdefgh" for rank in "5678"}
    assert set(table.squares("shaded")) == far  # men at their places see two ranks ahead
    assert table.square("d5").get_attribute("aria-label") == "d5, out of sight"
    assert "out of sight" not in table.square("d4").get_attribute("aria-label")
    shade = "getComputedStyle(board.querySelector('.shaded'), '::before').opacity"
    assert float(table.page.evaluate(shade)) > 0.5
    assert table.page.inner_text("#key").strip() == "out of sight"
    edge = "getComputedStyle(document.querySelector('#key .shade')).borderTopStyle"
    assert table.page.evaluate(edge) == "solid"  # dark as it is, it is seen on a dark page
    table.page.set_viewport_size({"width": 360, "height": 740})
    left = "document.querySelector('{}').getBoundingClientRect().left"
    mark = table.page.evaluate(left.format("#key .sample"))
    assert mark == table.page.evaluate(left.format("#my-disc"))  # not at the edge of a phone's screen


def test_where_a_check_may_come_from_is_marked_above_ages(browser: Any, server: Server) -> None:
    table = Table(browser, server)
    table.begin("k7/8/1Q6/8/8/5p2/8/4K3 b - - 0 1")  # Black has one move, f2
    table.settle(1)
    assert table.page.is_checked("#ages")
    assert {"e1", "f2"} < set(table.squares("check"))
    assert "f2" in table.squares("aged")
    colour = "(c) => getComputedStyle(c).backgroundColor"
    colours = table.page.evaluate(f"[...document.querySelectorAll('#board .check')].map({colour})")
    assert set(colours) == {"rgb(227, 154, 142)"}


def test_hidden_men_are_ringed(browser: Any, server: Server) -> None:
    table = Table(browser, server)
    table.page.check("[value=InvisibleChess]", force=True)
    table.page.fill("#men", "2B v 2N")
    table.begin()
    told = {name: table.square(name).get_attribute("aria-label") for name in ("c1", "f1", "b8", "g8", "d1")}
    words = "hidden man {}, its square known"  # nobody has moved
    assert told == {
        "c1": f"c1, white bishop, {words.format(1)}",
        "f1": f"f1, white bishop, {words.format(2)}",
        "b8": f"b8, black knight, {words.format(1)}",
        "g8": f"g8, black knight, {words.format(2)}",
        "d1": "d1, white queen",
    }
    assert table.page.locator(".marks .marked-man").count() == 4
    assert sorted(table.page.locator(".marks .number").all_text_contents()) == ["1", "1", "2", "2"]
    assert table.page.locator("#key span").all_text_contents() == [" hidden", " its square known"]
    assert not table.faults


def test_a_hidden_man_that_moves_is_said_to_be_out_of_sight(browser: Any, server: Server) -> None:
    table = Table(browser, server)
    table.page.check("[value=InvisibleChess]", force=True)
    table.page.fill("#men", "N v N")
    table.begin("k6n/p7/P7/8/8/8/8/1RN1K3 w - - 0 1")  # none but the knight has a move
    table.page.fill("#typed", "Ke1e2")
    table.page.keyboard.press("Enter")
    table.settle(2)
    assert "Out of sight: knight" in table.page.inner_text("#key")
    assert table.page.locator(".marks .marked-man").count() == 1
    assert axe(table.page) == []
    assert not table.faults


TYPED = [  # what is typed, and from, to and what a pawn becomes
    ("e4", "e2e4"), ("E4", "e2e4"), ("E2E4", "e2e4"), ("e2-e4", "e2e4"), ("e2xd3", "e2d3"), ("exd3", "e2d3"),
    ("a8", "a7a8"), ("a8=Q", "a7a8q"), ("a8n", "a7a8n"), ("a7a8R", "a7a8r"), ("axb8=N", "a7b8n"),
    ("Nf3", "g1f3"), ("nf3", "g1f3"), ("NF3", "g1f3"), ("Ng1-f3", "g1f3"), ("ng1f3+", "g1f3"),
    ("Rh1-h2", "h1h2"), ("Rah2", "a2h2"), ("rhh2", "h1h2"), ("R1h2", "h1h2"), ("Rh1xh2#", "h1h2"),
    ("bc3", "b2c3"), ("bxc3", "b2c3"), ("Bc3", "d2c3"), ("BC3", "d2c3"), ("bb4", "d2b4"), ("bd2b4", "d2b4"),
    ("b4", "b2b4"), ("b2b4", "b2b4"), ("B2B4", "b2b4"), ("B2b4", "d2b4"),
    ("O-O", "e1g1"), ("0-0-0", "e1c1"), ("oo", "e1g1"), ("Ke1-f1", "e1f1"), ("kf1", "e1f1"),
    ("any?", None), ("Any", None),
]  # fmt: skip
MISTYPED = {
    "Qa9": "not a try",
    "Rh2": "Several can: a2h2, h1h2",
    "d3": "name the file",
    "Nh5": "No knight",
    "Ba2-b3": "No bishop",
    "a8=K": "not a try",
}
MEN = "8/P7/8/8/8/8/RP1BP3/4K1NR"
LISTED = "e2e4 e2d3 a7a8 a7b8 g1f3 a2h2 h1h2 b2c3 b2b4 d2c3 d2b4 e1g1 e1c1 e1f1"
READ = """async ([typed, men, listed]) => {
  const { readTry } = await import("/page/typed.js");
  const { menOf } = await import("/page/board.js");
  const { nameOf, squareOf } = await import("/page/common.js");
  const tries = listed.split(" ").map((text) => [squareOf(text.slice(0, 2)), squareOf(text.slice(2))]);
  return typed.map((text) => {
    try {
      const read = readTry(text, "white", tries, menOf(men));
      return read && nameOf(read[0]) + nameOf(read[1]) + read[2];
    } catch (error) {
      return error.message;
    }
  });
}"""


def test_tries_are_typed_in_many_ways(browser: Any, server: Server) -> None:
    page = Table(browser, server).page
    found = page.evaluate(READ, [[typed for typed, _ in TYPED], MEN, LISTED])
    assert dict(zip([typed for typed, _ in TYPED], found, strict=True)) == dict(TYPED)
    told = page.evaluate(READ, [list(MISTYPED), MEN, LISTED])
    assert all(words in said for words, said in zip(MISTYPED.values(), told, strict=True)), told


def test_a_pawn_that_is_typed_to_the_last_rank_asks_what_it_becomes(browser: Any, server: Server) -> None:
    table = Table(browser, server)
    page = table.page
    table.begin("7k/P7/8/8/8/8/8/K7 w - - 0 1")
    page.fill("#typed", "a8")
    page.keyboard.press("Enter")
    page.wait_for_selector("#promotion[open]")
    page.keyboard.press("Escape")
    assert table.squares("movable") == ["a7", "a1"]
    page.fill("#typed", "a7-a8")
    page.keyboard.press("Enter")
    page.click("#kinds [value=r]")
    table.until(lambda: "white rook" in (table.square("a8").get_attribute("aria-label") or ""))
    assert not table.faults


def test_what_stays_after_a_refused_try_a_ghost_and_a_look_back(browser: Any, server: Server) -> None:
    table = Table(browser, server)
    page = table.page
    table.begin("7k/7p/7P/8/8/8/8/K7 w - - 0 1")
    page.check("#ghosting")
    table.square("b1").click()
    page.uncheck("#ghosting")
    for typed in ("Kb1", "Kc1", "Kd1", "Ke1"):  # over the ghost, and away
        heard = page.locator("#heard li").count()
        page.fill("#typed", typed)
        page.keyboard.press("Enter")
        table.settle(heard)
    assert page.locator(".ghost").count() == 0
    page.click("#back")
    table.until(lambda: page.locator("body.then").count() == 1)
    assert page.locator(".ghost").count() == 0
    page.click("#first")
    table.until(lambda: page.locator(".ghost").count() == 1)  # as it was then
    assert page.evaluate("document.querySelector('#heard').scrollTop") == 0
    page.click("#now")
    assert page.evaluate("(({scrollTop: t, clientHeight: c, scrollHeight: s}) => s - t - c)(heard)") < 3
    page.fill("#typed", "h6h7")
    page.keyboard.press("Enter")
    page.wait_for_selector("#said.refused")
    page.click("#resign")
    page.click("#yes")
    table.until(lambda: table.over)
    assert page.inner_text("#said") == "Black wins: White resigned"
    assert not page.is_visible("#ghosting")
    assert page.locator("#said.refused").count() == 0
    assert not table.faults


@pytest.mark.parametrize(
    ("token", "words"),
    [
        ("#wrong", "no such seat"),
        ("", "ends with its token"),
        ("#join-wrong", "This invitation is not known"),
    ],
)
def test_an_address_of_no_game_says_so(browser: Any, server: Server, token: str, words: str) -> None:
    page = browser.new_context().new_page()
    page.goto(f"{server.address}/game{token}")
    page.wait_for_selector("#none")
    assert words in page.inner_text("#why")
    assert not page.is_visible("#board")
    assert not page.is_visible("#resign")
    assert axe(page) == []
    page.click("#none a")
    page.wait_for_selector("#games .tile")


def test_a_person_is_awaited_and_then_to_play(browser: Any, server: Server) -> None:
    table = Table(browser, server, opponent="person")
    page = table.page
    table.begin()
    assert page.inner_text("#their-turn") == "has not come yet"
    table.until(lambda: page.is_visible("#link"))
    assert axe(page) == []
    other = browser.new_context().new_page()
    other.goto(page.input_value("#link"))
    other.wait_for_selector("#heard li")
    assert other.inner_text("#their-turn") == "to play"
    table.until(lambda: page.inner_text("#their-turn") == "")
    assert not page.is_visible("#invite")
    page.fill("#typed", "e4")
    page.keyboard.press("Enter")
    table.until(lambda: page.inner_text("#their-turn") == "to play")
    assert not table.faults


def test_a_complaint_goes_when_what_it_was_about_is_past(browser: Any, server: Server) -> None:
    table = Table(browser, server, opponent="person")
    page = table.page
    table.begin()
    page.fill("#typed", "e4")
    page.keyboard.press("Enter")
    table.until(lambda: page.inner_text("#status") == "Move 1 · Black to play")
    page.click("#offer")
    table.until(lambda: page.inner_text("#fault") == "your opponent has not come yet")
    table.until(lambda: page.is_visible("#link"))
    other = browser.new_context().new_page()
    other.goto(page.input_value("#link"))
    table.until(lambda: page.inner_text("#their-turn") == "to play")
    assert page.inner_text("#fault") == ""
    page.fill("#typed", "d4")
    page.keyboard.press("Enter")
    assert page.inner_text("#fault") == "It is not your turn."
    other.wait_for_selector("body.my-turn", timeout=1000 * PATIENCE)
    other.fill("#typed", "e5")
    other.keyboard.press("Enter")
    table.until(lambda: page.locator("body.my-turn").count() == 1)
    assert page.inner_text("#fault") == ""
    assert not table.faults


def test_a_player_by_name_has_a_hint_for_trained_models(browser: Any, server: Server) -> None:
    page = Table(browser, server, opponent=" other").page
    assert "model:file=" in page.inner_text("#other-field")
    assert axe(page) == []
