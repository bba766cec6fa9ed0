"""How long a person waits for the answer to a try, with many games at once.

    python -m benchmarks.play --games 100 --tries 20
    python -m benchmarks.play --cold --games 1 --tries 2 --pause 0

A server of its own is begun. Every game is one connection, as a browser makes it, against `random`; each
tries, waits for the opponent, and thinks for a second. The time is that from sending a try to hearing
its answer. `--cold` begins with no compiled kernels; the seconds until the page is served, and until the
last answer came, are printed too.
"""

from __future__ import annotations

import asyncio
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path
from typing import Annotated, Any

import typer

PORT = 8931
ORIGIN = f"http://localhost:{PORT}"
START = "from ks_play.command import play; import typer; typer.run(play)"


def begin_game() -> str:
    """The token of a seat in a new game."""
    body = json.dumps({"opponent": "random", "colour": "white"}).encode()
    request = urllib.request.Request(f"{ORIGIN}/games", body, {"Origin": ORIGIN})
    with urllib.request.urlopen(request, timeout=30) as answer:
        return str(json.load(answer)["seat"])


def wait_for_server() -> None:
    """Until the server answers.

    Raises:
        RuntimeError: it does not within two minutes.
    """
    for _ in range(1200):
        try:
            urllib.request.urlopen(ORIGIN, timeout=1).close()
            return
        except OSError:
            time.sleep(0.1)
    raise RuntimeError("the server did not start in two minutes")


def name_of(square: int) -> str:
    """As a square is written."""
    return "abcdefgh"[square & 7] + str((square >> 3) + 1)


async def play(token: str, tries: int, pause: float, waits: list[float]) -> None:
    """One game: tries, each timed."""
    from websockets.asyncio.client import connect

    async with connect(f"ws://localhost:{PORT}/seat", origin=ORIGIN) as socket:  # type: ignore[arg-type]
        await socket.send(json.dumps({"seat": token}))
        state: dict[str, Any] = {}
        for number in range(tries):
            while not state.get("turn"):
                message = json.loads(await socket.recv())
                state = message if message["type"] == "told" else state
                if state.get("over"):
                    return
            await asyncio.sleep(pause)
            start, end = state["tries"][(7 * number) % len(state["tries"])]
            asked = state["asked"]
            text = name_of(start) + name_of(end)
            began = time.perf_counter()
            await socket.send(json.dumps({"type": "try", "try": text, "asked": asked}))
            while state["asked"] == asked:
                state = json.loads(await socket.recv())
            waits.append(time.perf_counter() - began)


async def play_all(games: int, tries: int, pause: float) -> list[float]:
    """All games at once; the times in seconds."""
    tokens = [begin_game() for _ in range(games)]
    waits: list[float] = []
    await asyncio.gather(*(play(token, tries, pause, waits) for token in tokens))
    return waits


def main(
    games: Annotated[int, typer.Option(min=1, help="Games at once.")] = 100,
    tries: Annotated[int, typer.Option(min=2, help="Tries in each game.")] = 20,
    pause: Annotated[float, typer.Option(min=0, help="Seconds that a person thinks about a try.")] = 1.0,
    cold: Annotated[bool, typer.Option(help="Begin with no compiled kernels, and time the start.")] = False,
) -> None:
    """Measure and print median, 99th percentile and longest time from a try to its answer."""
    with tempfile.TemporaryDirectory() as folder:
        kept = Path(folder) / "games.sqlite"
        command = [sys.executable, "-c", START, "--no-browser", "--port", str(PORT), "--games", str(kept)]
        cache = {"KS_ENV_CACHE_DIR": folder} if cold else {}
        began = time.perf_counter()
        server = subprocess.Popen(command, stdout=subprocess.DEVNULL, env=os.environ | cache)
        try:
            wait_for_server()
            served = time.perf_counter() - began
            waits = [1000 * wait for wait in asyncio.run(play_all(games, tries, pause))]
            answered = time.perf_counter() - began
        finally:
            server.terminate()
            server.wait()
    if cold:
        typer.echo(f"page served after {served:.1f} s, last try answered after {answered:.1f} s")
    last = statistics.quantiles(waits, n=100, method="inclusive")[98]
    typer.echo(
        f"{games} games at once, {len(waits)} tries: median {statistics.median(waits):.1f} ms,"
        f" 99th percentile {last:.1f} ms, longest {max(waits):.1f} ms"
    )


if __name__ == "__main__":
    typer.run(main)
