"""How well location maps foresee what is hidden: predictions beside the truth of played games.

At each own turn of both seats, before the first try, the map of the seat says how probable the opponent's
king, pawns and pieces are on each square, and how probable it is that a try is legal, and that a legal one
captures or checks. The same formulas over a uniform map, each sort of men spread evenly over the squares that
the metaposition allows, are the baseline.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import chess
import numpy as np
import numpy.typing as npt

from ks_env.belief.location import (
    KINGS,
    LOCATION,
    PAWNS,
    PIECES,
    answers_to_tries,
    follow_map,
    open_map,
)
from ks_env.belief.location.layout import NO_DRIFT, RATES, allowed, normalise
from ks_env.core.actions import action_to_move
from ks_env.core.ruleset import ICC
from ks_env.core.tables import ANY, TRY_FROM, TRY_TO
from ks_env.core.tries import INFORMED, MOST_TRIES
from ks_env.games import kriegspiel
from ks_env.games.kriegspiel.game import Game
from ks_env.games.kriegspiel.tries import list_tries
from ks_env.players.registry import make_player

Array = npt.NDArray[Any]
Key = tuple[str, str]  # what is foreseen, and the phase of the game

QUESTIONS = ("king", "pawn", "piece", "legal", "capture", "check")
PHASES = ("opening", "middle game", "ending")
OPENING_PLIES = 40
ENDING_MEN = 6
TRIES_ASKED = 8  # tries of a turn that are looked at
LEAST = 1e-4  # chances are kept this far from 0 and 1 in the log loss
PLIES = 300
LEGAL, CAPTURE, CHECK = range(3)


@dataclass
class Sample:
    """Predictions of one kind.

    Attributes:
        foreseen: chances by the map.
        guessed: chances by the uniform map.
        came: whether it was so.
    """

    foreseen: list[float] = field(default_factory=list)
    guessed: list[float] = field(default_factory=list)
    came: list[bool] = field(default_factory=list)

    def add(self, foreseen: Array, guessed: Array, came: Array) -> None:
        """Several predictions."""
        self.foreseen += foreseen.tolist()
        self.guessed += guessed.tolist()
        self.came += came.tolist()


def uniform_map(place: Any) -> Any:
    """A copy of the map with each sort of men spread evenly over the squares that the metaposition allows."""
    out = np.zeros(1, LOCATION)
    out[0] = place
    row = out[0]
    for sort in (KINGS, PAWNS, PIECES):
        board = int(allowed(row["known"], sort))
        squares = [square for square in range(64) if board >> square & 1]
        row["maps"][sort] = 0
        row["maps"][sort, squares] = min(1.0, row["left"][sort] / max(1, len(squares)))
    normalise(row["known"], row["maps"], row["left"])
    return row


def phase_of(game: Game, place: Any) -> str:
    """Which part of the game it is, by what the seat knows."""
    if place["known"]["most"][0] <= ENDING_MEN:
        return "ending"
    return "opening" if game.plies < OPENING_PLIES else "middle game"


def sort_boards(board: chess.Board, colour: bool) -> dict[int, set[int]]:
    """Where the opponent's king, pawns and pieces stand, in the seat's frame."""
    turn = 0 if colour else 56
    out: dict[int, set[int]] = {KINGS: set(), PAWNS: set(), PIECES: set()}
    for square, piece in board.piece_map().items():
        if piece.color != colour:
            sort = {chess.KING: KINGS, chess.PAWN: PAWNS}.get(piece.piece_type, PIECES)
            out[sort].add(square ^ turn)
    return out


def move_of(action: int, board: chess.Board) -> chess.Move:
    """The try as a move of python-chess."""
    start, end = int(TRY_FROM[action]), int(TRY_TO[action])
    absolute = start if board.turn else start ^ 56
    promotes = end >= 56 and board.piece_type_at(absolute) == chess.PAWN
    return action_to_move(action, board.turn, promotes)


class Calibration:
    """Samples by question and phase, gathered from games."""

    def __init__(self) -> None:
        self.samples = {(what, phase): Sample() for what in QUESTIONS for phase in PHASES}
        self._tries = np.zeros(MOST_TRIES, np.int16)
        self._empty = np.zeros(64, np.float32)

    def look(self, game: Game, place: Any, rng: np.random.Generator) -> None:
        """Take the predictions of the seat to move."""
        colour = game.to_play
        assert colour is not None
        phase, guess, board = phase_of(game, place), uniform_map(place), game.board()
        for sort, stands in sort_boards(board, colour).items():
            permitted = int(allowed(place["known"], sort))
            squares = [square for square in range(64) if permitted >> square & 1]
            if sort == KINGS:  # one of several: the log loss is that of the true square
                squares = list(stands)
            came = np.array([square in stands for square in squares], bool)
            sample = self.samples[QUESTIONS[sort], phase]
            sample.add(place["maps"][sort, squares], guess["maps"][sort, squares], came)
        self._ask(game, board, phase, (place, guess), rng)

    def _ask(
        self, game: Game, board: chess.Board, phase: str, maps: Sequence[Any], rng: np.random.Generator
    ) -> None:
        colour = board.turn
        n = int(list_tries(game.view(colour), ICC.record()[0], INFORMED, self._tries))
        drawn = self._tries[rng.choice(n, min(n, TRIES_ASKED), replace=False)]
        drawn = drawn[drawn != ANY]
        said = [np.zeros((len(drawn), 3), np.float32) for _ in maps]
        for place, out in zip(maps, said, strict=True):
            answers_to_tries(place["known"], place["maps"], drawn, len(drawn), self._empty, out)
        moves = [move_of(int(action), board) for action in drawn]
        legal = np.array([move in board.legal_moves for move in moves], bool)
        self.samples["legal", phase].add(said[0][:, LEGAL], said[1][:, LEGAL], legal)
        pawns = np.array([board.piece_type_at(move.from_square) == chess.PAWN for move in moves], bool)
        for what, column, which, asked in (
            ("capture", CAPTURE, board.is_capture, legal & ~pawns),
            ("check", CHECK, board.gives_check, legal),
        ):
            chosen = np.flatnonzero(asked)
            came = np.array([which(moves[i]) for i in chosen], bool)
            self.samples[what, phase].add(said[0][chosen, column], said[1][chosen, column], came)

    def play(
        self, players: Sequence[str], games: int, seed: int, rates: Array = RATES, drifts: Array = NO_DRIFT
    ) -> Iterator[int]:
        """Games between two players, colours in turn; yields after each."""
        first, second = (make_player(name) for name in players)
        rng, rules = np.random.default_rng(seed), ICC.record()[0]
        scratch = np.zeros((4, 64), np.float32)
        for number in range(games):
            game = Game(ICC)
            seats = {number % 2 == 0: first, number % 2 == 1: second}
            for colour, player in seats.items():
                player.begin(kriegspiel.opening(colour, ICC, chess.STARTING_FEN, seed + number))
            places: dict[bool, Any] = {c: open_map([chess.STARTING_FEN], c) for c in chess.COLORS}
            while game.to_play is not None and game.plies < PLIES:
                colour = game.to_play
                view, place = game.view(colour), places[colour]
                follow_map(place, view, rules, rates, drifts, scratch)
                if view["refusals"] == 0:
                    self.look(game, place, rng)
                game.ask(seats[colour].choose(view))
            yield number


def log_loss(chances_of: Array, came: Array) -> float:
    """Mean of −log of the chance given to what happened."""
    p = np.clip(chances_of, LEAST, 1 - LEAST)
    return float(-np.where(came, np.log(p), np.log(1 - p)).mean())


def reliability(chances_of: Array, came: Array) -> list[tuple[float, float, int]]:
    """For each tenth of [0, 1] that was predicted: the mean chance, how often it came, how many there are."""
    place = np.minimum((chances_of * 10).astype(int), 9)
    return [
        (float(chances_of[place == i].mean()), float(came[place == i].mean()), int((place == i).sum()))
        for i in range(10)
        if (place == i).any()
    ]


def summarise(samples: dict[Key, Sample]) -> list[dict[str, Any]]:
    """A row for each question and phase, and each question over all phases."""
    rows = []
    for what in QUESTIONS:
        for phase in (*PHASES, "all"):
            chosen = [samples[what, p] for p in PHASES if phase in (p, "all")]
            foreseen = np.array([v for s in chosen for v in s.foreseen])
            guessed = np.array([v for s in chosen for v in s.guessed])
            came = np.array([v for s in chosen for v in s.came], bool)
            if len(came) == 0:
                continue
            row: dict[str, Any] = {"question": what, "phase": phase, "predictions": len(came)}
            row["log loss"] = round(log_loss(foreseen, came), 4)
            row["log loss of the uniform map"] = round(log_loss(guessed, came), 4)
            if what != "king":
                row["came"] = round(float(came.mean()), 4)
                row["foreseen"] = round(float(foreseen.mean()), 4)
                row["reliability"] = reliability(foreseen, came)
                row["reliability of the uniform map"] = reliability(guessed, came)
            rows.append(row)
    return rows
