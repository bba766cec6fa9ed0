"""Pictures of the page of `ks play`, for the README and the docs.

    python -m research.page_pictures --out docs/images

A server of its own is begun and a game played in Chromium against `capture`, by tries at random, until one is
refused late enough; then the game is resigned and studied. Which game it is, chance decides. Needs the extra
`dev` and Chromium.
"""

import random
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer

FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run"]
FIRST = 20  # announcements heard before a refused try is worth a picture
MOST = 80


@contextmanager
def served(games: Path) -> Iterator[str]:
    """A server of its own: its address."""
    with closing(socket.socket()) as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    code = "from ks_train.commands.main import app; app()"
    command = [sys.executable, "-c", code, "play", "--no-browser", "--beat", "0"]
    server = subprocess.Popen(
        [*command, "--port", str(port), "--games", str(games)], stdout=subprocess.DEVNULL
    )
    try:
        for _ in range(600):
            try:
                urllib.request.urlopen(f"http://localhost:{port}", timeout=1).close()
                break
            except OSError:
                time.sleep(0.1)
        yield f"http://localhost:{port}"
    finally:
        server.terminate()
        server.wait()


def squares(page: Any, kind: str) -> list[str]:
    """The squares that are marked so."""
    found: list[str] = page.eval_on_selector_all(
        f"#board .{kind}", "(all) => all.map((each) => each.dataset.square)"
    )
    return found


def play(page: Any, address: str, seed: int) -> None:
    """A game until a try is refused late enough, with a man chosen for the next one."""
    rng = random.Random(seed)
    page.goto(address)
    page.wait_for_selector(".tile")
    page.check("[value=white]", force=True)
    page.select_option("#opponent", "capture")
    page.click("#wish button[type=submit]")
    page.wait_for_selector("body.my-turn #heard li")
    while True:
        heard = page.locator("#heard li").count()
        page.click(f"[data-square={rng.choice(squares(page, 'movable'))}]")
        targets = squares(page, "target")
        late = heard > FIRST and "illegal" in (page.locator("#heard li").last.get_attribute("class") or "")
        if heard > MOST or (late and len(targets) > 1):
            return
        page.click(f"[data-square={rng.choice(targets)}]")
        page.wait_for_selector(f"#heard li:nth-child({heard + 1})", state="attached")
        page.wait_for_selector("body.my-turn, body.over")


def study(page: Any) -> None:
    """Resign, and look at the game in its middle with all that there is to see."""
    page.click("#resign")
    page.click("#yes")
    page.wait_for_selector("body.over")
    page.click("#replay")
    page.wait_for_selector("#slider")
    for box in ("#ghosts", "#predicted", "#errors", "#studying"):
        page.check(box)
    last = int(page.get_attribute("#slider", "max"))
    page.evaluate("(number) => show(number)", last // 3)
    page.select_option("#asked", "darkboard")
    page.click("#ask")
    page.wait_for_selector("#because p", timeout=120_000)


def main(
    out: Annotated[Path, typer.Option(help="Folder for play.png and study.png.")],
    seed: Annotated[int, typer.Option(help="Of the tries.")] = 3,
) -> None:
    """Take both pictures."""
    from playwright.sync_api import sync_playwright

    chromium = shutil.which("chromium") or shutil.which("google-chrome")
    with (
        tempfile.TemporaryDirectory() as folder,
        served(Path(folder) / "games.sqlite") as address,
        sync_playwright() as driver,
    ):
        browser = driver.chromium.launch(executable_path=chromium, args=FLAGS)
        page = browser.new_page(viewport={"width": 1280, "height": 800})
        play(page, address, seed)
        page.screenshot(path=out / "play.png")
        page.set_viewport_size({"width": 1400, "height": 900})
        study(page)
        page.screenshot(path=out / "study.png")
        browser.close()


if __name__ == "__main__":
    typer.run(main)
