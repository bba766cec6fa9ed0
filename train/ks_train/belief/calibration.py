"""How well location maps and the belief network foresee what is hidden: predictions beside the truth.

At each own turn of both seats, before the first try, the map of the seat says how probable the opponent's
king, pawns and pieces are on each square, and how probable it is that a try is legal, and that a legal one
captures or checks. The same formulas are put to the belief network's chances and, as the baseline, to a
uniform map, each sort of men spread evenly over the squares that the metaposition allows. Particles, if asked
for, count on how many of their boards it is so, and a network that is told of them is judged, too.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import chess
import numpy as np
import numpy.typing as npt

from ks_env.belief.location import KINGS, LOCATION, PAWNS, PIECES, answers_to_tries, follow_map, open_map
from ks_env.belief.location.layout import NO_DRIFT, RATES, allowed, normalise
from ks_env.belief.network import (
    Network,
    hears_particles,
    make_work,
    predict,
    predict_sampled,
    shipped_network,
)
from ks_env.belief.particles import Particles
from ks_env.belief.particles.encoder import size_of
from ks_env.core.actions import action_to_move
from ks_env.core.ruleset import ICC
from ks_env.core.tables import ANY, TRY_FROM, TRY_TO
from ks_env.core.tries import INFORMED, MOST_TRIES
from ks_env.games import kriegspiel
from ks_env.games.kriegspiel.game import Game
from ks_env.games.kriegspiel.tries import list_tries
from ks_env.players.registry import make_player
from ks_train.data.starts import quiet_start

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
MAP, NETWORK, UNIFORM = "location map", "belief network", "uniform map"
FORESEERS = (MAP, NETWORK, UNIFORM)
SAMPLED, PARTICLES = "network with particles", "particles"  # two more, if particles are asked for
BELOW = {  # keys of rows
    NETWORK: "below the location map",
    SAMPLED: "network with particles below the location map",
    PARTICLES: "particles below the location map",
}
DRAWS = 2000  # of games, for the intervals


@dataclass
class Sample:
    """Predictions of one kind.

    Attributes:
        chances: by each of the foreseers, in their order.
        came: whether it was so.
        games: the number of the game that each is of.
    """

    chances: tuple[list[float], ...]
    came: list[bool] = field(default_factory=list)
    games: list[int] = field(default_factory=list)

    def add(self, chances: Sequence[Array], came: Array, game: int) -> None:
        """Several predictions."""
        for kept, given in zip(self.chances, chances, strict=True):
            kept += given.tolist()
        self.came += came.tolist()
        self.games += [game] * len(came)


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
    """Samples by question and phase, gathered from games.

    Args:
        network: a belief network of either kind in place of the one that comes with the package.
        particles: makes a particle filter that is judged, too, and told to a network; None for none.

    Attributes:
        foreseers: FORESEERS; SAMPLED and PARTICLES if asked for.
        dry: how often particles ran dry.

    Raises:
        ValueError: the network is told of particles, and none are given.
    """

    def __init__(
        self, network: Network | None = None, particles: Callable[[], Particles] | None = None
    ) -> None:
        told = network is not None and hears_particles(network)
        if told and particles is None:
            raise ValueError("the network is told of particles; expected a number of them, such as 1000")
        self.network = shipped_network() if network is None or told else network
        self.sampled = network if network is not None and told else shipped_network(particles=True)
        self.foreseers = FORESEERS if particles is None else (*FORESEERS, SAMPLED, PARTICLES)
        self._filters = [] if particles is None else [particles(), particles()]
        self.dry = 0
        self.games = 0
        self._work, self._sampled_work = make_work(self.network), make_work(self.sampled)
        self.samples = {
            (what, phase): Sample(tuple([] for _ in self.foreseers)) for what in QUESTIONS for phase in PHASES
        }
        self._tries = np.zeros(MOST_TRIES, np.int16)
        self._empty = np.zeros(64, np.float32)

    def look(self, game: Game, place: Any, rng: np.random.Generator) -> None:
        """Take the predictions of the seat to move."""
        colour = game.to_play
        assert colour is not None
        phase, guess, board = phase_of(game, place), uniform_map(place), game.board()
        view, scratch = game.view(colour), np.zeros((4, 64), np.float32)
        predict(place, view, self.network, self._work, scratch)
        maps = [place["maps"], self._work.maps, guess["maps"]]
        boards = self._filters[not colour] if self._filters else None
        if boards is not None:
            shares, size = boards.chances(), size_of(boards.record)
            predict_sampled(place, view, shares, size, self.sampled, self._sampled_work, scratch)
            maps += [self._sampled_work.maps, boards.maps()]
        for sort, stands in sort_boards(board, colour).items():
            permitted = int(allowed(place["known"], sort))
            squares = [square for square in range(64) if permitted >> square & 1]
            if sort == KINGS:  # one of several: the log loss is that of the true square
                squares = list(stands)
            came = np.array([square in stands for square in squares], bool)
            self.samples[QUESTIONS[sort], phase].add([each[sort, squares] for each in maps], came, self.games)
        self._ask(game, board, phase, place["known"], maps if boards is None else maps[:-1], boards, rng)

    def _ask(
        self,
        game: Game,
        board: chess.Board,
        phase: str,
        known: Any,
        maps: Sequence[Array],
        boards: Particles | None,
        rng: np.random.Generator,
    ) -> None:
        colour = board.turn
        n = int(list_tries(game.view(colour), ICC.record()[0], INFORMED, self._tries))
        drawn = self._tries[rng.choice(n, min(n, TRIES_ASKED), replace=False)]
        drawn = drawn[drawn != ANY]
        said: list[Array] = [np.zeros((len(drawn), 3), np.float32) for _ in maps]
        for each, out in zip(maps, said, strict=True):
            answers_to_tries(known, each, drawn, len(drawn), self._empty, out)
        if boards is not None:
            said.append(boards.answers(drawn))
        moves = [move_of(int(action), board) for action in drawn]
        legal = np.array([move in board.legal_moves for move in moves], bool)
        self.samples["legal", phase].add([out[:, LEGAL] for out in said], legal, self.games)
        pawns = np.array([board.piece_type_at(move.from_square) == chess.PAWN for move in moves], bool)
        for what, column, which, asked in (
            ("capture", CAPTURE, board.is_capture, legal & ~pawns),
            ("check", CHECK, board.gives_check, legal),
        ):
            chosen = np.flatnonzero(asked)
            came = np.array([which(moves[i]) for i in chosen], bool)
            self.samples[what, phase].add([out[chosen, column] for out in said], came, self.games)

    def play(
        self, players: Sequence[str], games: int, seed: int, drifts: Array = NO_DRIFT, quiet_plies: int = 0
    ) -> Iterator[int]:
        """Games between two players, colours in turn; yields after each.

        Args:
            players: names of the two.
            games: how many.
            seed: of the games.
            drifts: f4[2, T, 3, 64], see `Profile.drifts`.
            quiet_plies: games begin up to so many random quiet moves after the initial position.
        """
        first, second = (make_player(name) for name in players)
        rng, rules = np.random.default_rng(seed), ICC.record()[0]
        scratch = np.zeros((4, 64), np.float32)
        for number in range(games):
            fen = quiet_start(np.random.default_rng([seed, number]), chess.STARTING_FEN, quiet_plies)
            game = Game(ICC, fen)
            seats = {number % 2 == 0: first, number % 2 == 1: second}
            for colour, player in seats.items():
                player.begin(kriegspiel.opening(colour, ICC, fen, seed + number))
            places: dict[bool, Any] = {c: open_map([fen], c) for c in chess.COLORS}
            for colour, boards in zip(chess.COLORS, self._filters, strict=False):
                boards.begin(kriegspiel.opening(colour, ICC, fen))
            while game.to_play is not None and game.plies < PLIES:
                colour = game.to_play
                view, place = game.view(colour), places[colour]
                follow_map(place, view, rules, RATES, drifts, scratch)
                if self._filters:
                    self._filters[not colour].follow(view)
                if view["refusals"] == 0:
                    self.look(game, place, rng)
                game.ask(seats[colour].choose(view))
            self.games += 1
            self.dry += sum(boards.dry for boards in self._filters)
            yield number


def losses_of(chances_of: Array, came: Array) -> Array:
    """−log of the chance given to what happened: f8[N]."""
    p = np.clip(chances_of, LEAST, 1 - LEAST)
    return np.asarray(-np.where(came, np.log(p), np.log(1 - p)))


def intervals(losses: Array, games: Array) -> Array:
    """95 % intervals of the mean losses, and of each mean less the first's share, by drawing games anew.

    Args:
        losses: f8[M, N], of M foreseers.
        games: i8[N], which game each is of.

    Returns:
        f8[2, M, 2]: of the means; of 1 − mean / the first one's mean.
    """
    numbers, inverse = np.unique(games, return_inverse=True)
    counts = np.bincount(inverse)
    sums = np.stack([np.bincount(inverse, each) for each in losses])
    drawn = np.random.default_rng(0).multinomial(len(numbers), np.full(len(numbers), 1 / len(numbers)), DRAWS)
    means = (drawn @ sums.T) / (drawn @ counts)[:, None]
    saved = 1 - means / means[:, :1]
    return np.asarray(np.percentile(np.stack([means, saved]), [2.5, 97.5], axis=1)).transpose(1, 2, 0)


def reliability(chances_of: Array, came: Array) -> list[tuple[float, float, int]]:
    """For each tenth of [0, 1] that was predicted: the mean chance, how often it came, how many there are."""
    place = np.minimum((chances_of * 10).astype(int), 9)
    return [
        (float(chances_of[place == i].mean()), float(came[place == i].mean()), int((place == i).sum()))
        for i in range(10)
        if (place == i).any()
    ]


def summarise(samples: dict[Key, Sample], foreseers: Sequence[str] = FORESEERS) -> list[dict[str, Any]]:
    """A row for each question and phase, and each question over all phases.

    Args:
        samples: see `Calibration`.
        foreseers: whose chances the samples hold.
    """
    rows = []
    for what in QUESTIONS:
        for phase in (*PHASES, "all"):
            chosen = [samples[what, p] for p in PHASES if phase in (p, "all")]
            came = np.array([v for s in chosen for v in s.came], bool)
            if len(came) == 0:
                continue
            chances = np.array([[v for s in chosen for v in s.chances[i]] for i in range(len(foreseers))])
            losses = np.stack([losses_of(each, came) for each in chances])
            means, saved = intervals(losses, np.array([v for s in chosen for v in s.games]))
            row: dict[str, Any] = {"question": what, "phase": phase, "predictions": len(came)}
            for i, name in enumerate(foreseers):
                row[f"log loss of the {name}"] = round(float(losses[i].mean()), 4)
                row[f"interval of the {name}"] = means[i].round(4).tolist()
            for name, key in BELOW.items():
                if name in foreseers:
                    i = foreseers.index(name)
                    better = 1 - losses[i].mean() / losses[0].mean()
                    row[key] = [round(float(v), 4) for v in (better, *saved[i])]
            if what != "king":
                row["came"] = round(float(came.mean()), 4)
                for i, name in enumerate(foreseers):
                    row[f"foreseen by the {name}"] = round(float(chances[i].mean()), 4)
                    row[f"reliability of the {name}"] = reliability(chances[i], came)
            rows.append(row)
    return rows
