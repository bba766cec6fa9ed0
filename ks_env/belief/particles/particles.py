"""A particle filter as an object, for players, pictures and studies written in Python."""

from typing import Any

import numpy as np
import numpy.typing as npt

from ks_env.belief.particles.boards import to_referee
from ks_env.belief.particles.follow import (
    Care,
    Following,
    begin_particles,
    follow_particles,
)
from ks_env.belief.particles.layout import KINDS, make_work, particles_dtype, population_of
from ks_env.belief.particles.marginals import write_answers, write_kinds
from ks_env.belief.particles.models import OpponentModel, uniform_model
from ks_env.belief.particles.population import effective_size
from ks_env.core.layout import TRUTH
from ks_env.core.record import Array
from ks_env.core.tables import KING, KNIGHT, PAWN
from ks_env.games import serves
from ks_env.games.opening import Opening

DEFAULT_BOARDS = 1000

View = Any  # a record: np.void


class Particles:
    """Whole boards that explain what a seat of Kriegspiel has been told, with weights.

    Args:
        boards: room for so many; as long as all that are possible fit, the distribution is exact.
        model: of the opponent; by default all his legal tries are equally likely.
        care: when boards are drawn anew and displaced.
        seed: of the random numbers; the same seed and views give the same boards.

    Raises:
        ValueError: the number of boards is not from 1 to 131,072.
    """

    def __init__(
        self,
        boards: int = DEFAULT_BOARDS,
        model: OpponentModel | None = None,
        care: Care | None = None,
        seed: int = 0,
    ) -> None:
        self._records = np.zeros(1, particles_dtype(boards))
        self._model, self._care, self._seed = model or uniform_model(), care or Care(), seed
        self._work = make_work(boards)
        self._following: Following | None = None

    @property
    def record(self) -> Any:
        """The record itself, of `layout.particles_dtype`; not a copy."""
        return self._records[0]

    def begin(self, opening: Opening) -> None:
        """A new game, as the seat is told of its start.

        Raises:
            ValueError: the game is not Kriegspiel, or no start positions are given.
        """
        if not serves(self, opening.game):
            raise ValueError(f"the game is {opening.game.id}; expected Kriegspiel")
        begin_particles(self.record, opening, self._seed)
        rules = opening.ruleset.record()[0]
        self._following = Following(rules, self._model, self._care, self._work)

    def follow(self, view: View) -> None:
        """Take in what the seat has been told since; call it after each answer to miss nothing.

        Raises:
            ValueError: no game was begun, or the view is of another game or more than one turn ahead.
        """
        if self._following is None:
            raise ValueError("no game has been begun; call begin first")
        if not follow_particles(self.record, view, self._following):
            raise ValueError(
                "the particles cannot follow this view: expected the same game, each turn of the seat"
            )

    @property
    def count(self) -> int:
        """How many boards there are."""
        return int(self.record["count"])

    @property
    def weights(self) -> npt.NDArray[np.float64]:
        """f8[count]: they add up to 1."""
        weights: npt.NDArray[np.float64] = self.record["weight"][: self.count]
        return weights

    @property
    def effective_size(self) -> float:
        """(Σw)² / Σw², the effective sample size: how many boards of equal weight would be worth as much."""
        return float(effective_size(self.record["weight"], self.count))

    @property
    def exact(self) -> bool:
        """Whether no board was ever left out: the weights are then exact under the model."""
        return bool(self.record["exact"])

    @property
    def dry(self) -> int:
        """How often all boards were contradicted, and others sought that fit the last observation."""
        return int(self.record["dry"])

    @property
    def consistent(self) -> bool:
        """Whether the boards fit the last observation: always, but after a search for such that failed."""
        return bool(self.record["consistent"])

    @property
    def resampled(self) -> int:
        """How often boards were drawn by their weights."""
        return int(self.record["resampled"])

    def boards(self) -> Array:
        """All boards, as the referee would have them: TRUTH[count]."""
        return self._whole(np.arange(self.count))

    def sample(self, n: int, rng: np.random.Generator | None = None) -> Array:
        """Boards drawn by weight, with replacement, as the referee would have them.

        Args:
            rng: where they are drawn with; by default always the same ones for the same population.

        Returns:
            TRUTH[n]: men, castling rights, en passant, who is to move; clocks are 0, the move number is the
            seat's.
        """
        rng = rng or np.random.default_rng(int(self.record["random"][0]))
        return self._whole(rng.choice(self.count, n, p=self.weights / self.weights.sum()))

    def _whole(self, rows: Array) -> Array:
        out = np.zeros(len(rows), TRUTH)
        known = self.record["known"]
        to_referee(population_of(self.record), rows.astype(np.int64), known, self._work.truths, out)
        return out

    def chances(self) -> npt.NDArray[np.float64]:
        """The chance that a man of the opponent stands on each square, in the seat's frame.

        Returns:
            f8[7, 64], by kind; entry 0 is that of any man.
        """
        out = np.zeros((KINDS, 64))
        write_kinds(self.record["men"], self.record["weight"], self.count, out)
        return out

    def maps(self) -> npt.NDArray[np.float32]:
        """f4[3, 64]: the chances of king, pawns and other men, as in a location map."""
        c = self.chances()
        return np.stack([c[KING], c[PAWN], c[KNIGHT:KING].sum(axis=0)]).astype(np.float32)

    def answers(self, tries: Array) -> npt.NDArray[np.float64]:
        """How likely the referee's answers to tries are, in the seat's turn.

        Args:
            tries: i2[K], tries other than "any?".

        Returns:
            f8[K, 3]: the chance that a try is legal; that it captures, and that it checks, if it is legal.

        Raises:
            ValueError: it is not the seat's turn.
        """
        known = self.record["known"]
        if not known["turn"]:
            raise ValueError("it is not the seat's turn; answers are to its own tries")
        out = np.zeros((len(tries), 3))
        tries = np.ascontiguousarray(tries, np.int16)
        write_answers(population_of(self.record), self.count, known, tries, self._work.truths, out)
        return out
