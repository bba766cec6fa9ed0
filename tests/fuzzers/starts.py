"""Start positions, files of them, hidden men, and tries in words."""

import random
import tempfile
from pathlib import Path
from typing import Any

import chess
from ks_arena.study.config import read_starts

from ks_env.core.actions import text_to_action
from ks_env.core.start import parse_fen
from ks_env.games.dark.start import start_row as dark_row
from ks_env.games.invisible.game import InvisibleGame
from ks_env.games.invisible.hidden import HiddenMen, parse_both
from ks_env.games.kriegspiel.game import Game
from ks_env.games.kriegspiel.start import start_rows
from tests.fuzzers import mutate
from tests.fuzzers.driver import Fuzzer

FENS = (
    chess.STARTING_FEN,
    "r3k2r/8/8/3pP3/8/8/8/R3K2R w KQkq d6 0 5",
    "8/8/8/3k4/8/8/8/KR6 w - - 0 1",
    "4k3/P7/8/8/8/8/7p/4K3 b - - 99 300",
)
FILE = "# starts\n" + "\n".join(FENS) + '\n8/8/8/3k4/8/8/8/KR6 w - - hmvc 3; id "x";\n'
MEN = ("2B v 1R", "c1 f1 v a8", "8P v none", "Q R v BB", "0 v 15P")


def start(fen: Any) -> None:
    """As each game takes it."""
    board = parse_fen(fen)
    start_rows([fen, fen], hidden=True)
    dark_row(fen)
    assert any(board.legal_moves)


def read_file(given: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "starts.fen"
        path.write_text(given, encoding="utf-8", errors="surrogateescape")
        read_starts(path)


def men(given: tuple[str, str]) -> None:
    for one in parse_both(given[0]):
        assert HiddenMen.parse(one.text()) == one
    if len(parse_both(given[0])[0].text()) < 6:  # few choices
        InvisibleGame(given[0], fen=given[1])


def ask(given: Any) -> None:
    game = Game()
    before = game.row().tobytes()
    try:
        game.ask(given)
    except (TypeError, ValueError):
        assert game.row().tobytes() == before, "a try that was refused changed the game"
        raise


def some_try(rng: random.Random) -> Any:
    return rng.choice((mutate.text(rng, rng.choice(("e2e4", "any?", "a7a8q"))), mutate.odd(rng)))


FUZZERS = [
    Fuzzer("FEN", lambda rng: mutate.text(rng, rng.choice(FENS)), start, tests=5000),
    Fuzzer("file of starts", lambda rng: mutate.text(rng, FILE), read_file, tests=1000),
    Fuzzer(
        "hidden men",
        lambda rng: (mutate.text(rng, rng.choice(MEN)), rng.choice((FENS[0], mutate.text(rng, FENS[0])))),
        men,
        tests=5000,
    ),
    Fuzzer(
        "UCI text",
        lambda rng: mutate.text(rng, "e2e4"),
        lambda given: text_to_action(given, True),
        tests=10_000,
    ),
    Fuzzer("a try of a game", some_try, ask, (ValueError, TypeError), 1500),
]
