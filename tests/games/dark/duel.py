"""The compiled referee of dark chess and the second one: all is compared after every try."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from typing import Any

import chess
import numpy as np
import numpy.typing as npt

from ks_env.core.answers import Kind
from ks_env.games.dark import DARK_CHESS
from ks_env.games.dark.announcement import Announcement
from ks_env.games.dark.game import DARK, DarkGame
from tests.games.dark.oracle import DarkOracle, Told
from tests.oracle.actions import ANY, COUNT, STEPS, draw, members, seat_square

MEN = ("pawns", "knights", "bishops", "rooks", "queens", "king")
ANSWERS = {"none": 0, "illegal": 1, "nonsense": 2, "moved": 3}

# Beside `tests.starts`: positions of which chess knows nothing, since a king can be captured
ODD_STARTS = (
    "4k3/4K3/8/8/8/8/8/8 w - - 0 1",
    "8/8/8/8/8/8/4q3/r3K2k w - - 0 1",
    "4k3/8/8/8/8/8/4R3/4K3 w - - 0 1",
    "r3k2r/8/8/8/8/5r2/8/R3K2R w KQkq - 0 1",
    "r3k2r/8/1b6/8/8/2N5/8/R3K2R w KQkq - 0 1",
    "8/8/8/8/k7/p7/P7/K7 w - - 90 60",
    "4k3/8/8/2PpP3/8/8/8/4K3 w - d6 0 1",
    "7k/8/8/8/p1p1p1p1/P1P1P1P1/8/K7 w - - 20 30",
)


def planes(game: DarkGame, colour: bool) -> npt.NDArray[np.uint8]:
    """The base planes of a seat: u1[C, 64]."""
    out = np.full((DARK_CHESS.planes.count, 64), 7, np.uint8)
    DARK_CHESS.kernels.write_planes(game.view(colour), out)
    return out


def told(heard: Announcement) -> Told:
    """An announcement of the second referee."""
    return Told(
        heard.kind.name.lower(),
        heard.by,
        heard.action,
        heard.captured,
        heard.square,
        heard.winner,
        heard.reason.name.lower(),
    )


class Duel:
    """One game under both referees."""

    def __init__(self, fen: str = chess.STARTING_FEN, **options: Any) -> None:
        self.game = DarkGame(replace(DARK, **options), fen)
        self.oracle = DarkOracle(fen, **options)
        self.kinds: Counter[str] = Counter()
        self.compared = dict.fromkeys(chess.COLORS, 0)  # messages that were found the same
        self.compare()

    def ask(self, action: int) -> None:
        self.game.ask(action)
        answer = self.oracle.ask(action)
        self.kinds[answer] += 1
        said = Kind(int(self.game.row()["truth"]["said"]["kind"]))
        assert said.name.lower() == answer, (action, answer, self.game.board().fen())
        self.compare()

    def compare(self) -> None:
        game, oracle = self.game, self.oracle
        board, position = game.board(), oracle.position
        assert board.piece_map() == position.men
        assert board.ep_square == position.passed
        assert (board.turn, board.halfmove_clock, board.fullmove_number, game.plies) == (
            position.turn,
            oracle.clock,
            oracle.number,
            oracle.plies,
        )
        assert game.to_play == oracle.to_play
        assert (game.reason.name.lower(), game.winner) == (oracle.reason, oracle.winner)
        for colour in chess.COLORS:
            heard, expected, done = game.heard(colour), oracle.seats[colour].heard, self.compared[colour]
            assert [told(message) for message in heard[done:]] == expected[done:]
            self.compared[colour] = len(heard)
            self._compare_seat(colour)

    def _compare_seat(self, colour: bool) -> None:
        game, oracle, seat = self.game, self.oracle, self.oracle.seats[colour]
        to_play = oracle.to_play == colour
        informed, own = (game.mask(colour, level) for level in ("informed", "own-board"))
        assert set(np.flatnonzero(informed)) == (oracle.legal() if to_play else set())
        assert set(np.flatnonzero(own)) == (oracle.own_board() if to_play else set())
        assert not (informed & ~own).any()
        assert int(game.seen(colour)) == seat.seen
        expected, found = self._planes(colour), planes(game, colour)
        for name, channel in DARK_CHESS.planes.channels.items():
            assert (found[channel] == expected[name]).all(), (name, colour, board_text(game))
        assert (found <= DARK_CHESS.planes.high[:, None]).all()

    def _planes(self, colour: bool) -> dict[str, npt.NDArray[np.uint8]]:
        """Every plane, from what the second referee knows of the seat."""
        oracle, seat = self.oracle, self.oracle.seats[colour]
        out: dict[str, npt.NDArray[np.uint8]] = {}
        in_sight = oracle.in_sight(colour)
        for kind, men in enumerate(MEN, 1):
            out[f"own {men}"] = _plane(_ones(oracle.position.kinds[colour][kind]), colour)
            out[f"their {men}"] = _plane(_ones(in_sight[kind]), colour)
            out[f"recalled {men}"] = _plane(_ones(seat.recalled[kind] & ~seat.seen), colour)
        out["seen"] = _plane(_ones(seat.seen), colour)
        out["age"] = _plane(dict(enumerate(seat.age.to_bytes(64, "little"))), colour)
        turn = oracle.position.turn == colour
        passed = oracle.position.passed
        out["passed"] = _plane({} if passed is None or not turn else {passed: 1}, colour)
        out["lost"] = _plane({} if seat.lost is None else dict([seat.lost]), colour)
        out["took"] = _plane({} if seat.took is None else dict([seat.took]), colour)
        refused = oracle.refused_squares() if turn else (Counter[int](), Counter[int]())
        out["refused from"], out["refused to"] = (_plane(dict(squares), colour) for squares in refused)
        sides = "KQ" if colour else "kq"
        values = {
            "king side right": sides[0] in oracle.position.rights,
            "queen side right": sides[1] in oracle.position.rights,
            "pawns taken": seat.taken["pawns"],
            "pieces taken": seat.taken["pieces"],
            "last answer": ANSWERS[seat.answer],
            "move number": min(255, oracle.number),
            "fifty bound": min(255, seat.fifty),
            "black": not colour,
            "to move": oracle.to_play == colour,
        }
        return out | {name: np.full(64, value, np.uint8) for name, value in values.items()}


def board_text(game: DarkGame) -> str:
    return f"{game.board().fen()} {[a.text() for a in game.heard(True)][-4:]}"


def _ones(squares: int) -> dict[int, int]:
    return dict.fromkeys(chess.SquareSet(squares), 1)


def _plane(values: dict[int, int], colour: bool) -> npt.NDArray[np.uint8]:
    out = np.zeros(64, np.uint8)
    for square, value in values.items():
        out[seat_square(square, colour)] = value
    return out


def play_random(rng: random.Random, fen: str, tries: int, greed: float = 0.0, **options: Any) -> Duel:
    """Random tries of all kinds, compared after each one."""
    duel = Duel(fen, **options)
    play_on(duel, rng, tries, greed, [])
    return duel


def play_on(duel: Duel, rng: random.Random, tries: int, greed: float, asked: list[int]) -> None:
    """So many more tries at the most, each noted in `asked` before it is put."""
    for _ in range(tries):
        if duel.oracle.to_play is None:
            break
        asked.append(draw_try(rng, duel.oracle, greed))
        duel.ask(asked[-1])


def draw_try(rng: random.Random, oracle: DarkOracle, greed: float) -> int:
    """Mostly legal, at times a capture by choice, refused, hopeless or no try at all."""
    legal, own = oracle.legal_bits(), oracle.own_board_bits()
    kind = rng.random()
    if kind < 0.05:
        return rng.choice((ANY, rng.randrange(COUNT)))
    if kind < 0.25:
        own = own & ~legal or own
    elif kind < 0.85:
        own = legal
        if rng.random() < greed:
            turn = oracle.position.turn
            theirs = oracle.position.own[not turn]
            captures = [a for a in members(legal) if theirs >> seat_square(STEPS[a].target, turn) & 1]
            if captures:
                return rng.choice(captures)
    return draw(rng, own)
