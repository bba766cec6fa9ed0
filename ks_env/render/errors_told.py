"""Where the players' beliefs were wrong through a game, as the page's data."""

from collections.abc import Mapping
from typing import Any

import chess

from ks_env.games.under_way import GameUnderWay
from ks_env.render.errors import Guess, guess_errors, predicted_errors
from ks_env.render.predicted import Predictor

Guesses = Mapping[bool, Mapping[int, Guess]]  # by colour and number of tries, the ghosts that stood then


class ErrorsTold:
    """What changes from frame to frame.

    Args:
        guesses: by colour, the ghosts that a person had set after so many tries; they stand until the next.
    """

    def __init__(self, guesses: Guesses) -> None:
        self._guesses = guesses
        self._standing: dict[bool, Guess] = {}
        self._told: dict[bool, dict[str, Any]] = {colour: {} for colour in chess.COLORS}
        self._tries = 0

    def changes(self, game: GameUnderWay[Any], predictor: Predictor | None) -> dict[str, dict[str, Any]]:
        """By viewpoint, what to add to its frame; to be called at the start and after every answer.

        Args:
            game: as it stands.
            predictor: has taken in the same answers; None where nothing is predicted.
        """
        board = game.board()
        told: dict[str, dict[str, Any]] = {}
        for colour in chess.COLORS:
            values: dict[str, Any] = {}
            if predictor is not None and "wrong" in self._told[colour] and game.to_play is not colour:
                values["wrong"] = self._told[colour]["wrong"]  # what a seat predicts, it predicts in its turn
            elif predictor is not None:
                values["wrong"] = predicted_errors(predictor.chances(colour), board, colour)._asdict()
            if colour in self._guesses:
                guess = self._guesses[colour].get(self._tries, self._standing.get(colour, {}))
                self._standing[colour] = guess
                values["guess"] = sorted(guess.items())
                values["misplaced"] = guess_errors(guess, board, colour)._asdict()
            known = self._told[colour]
            told[chess.COLOR_NAMES[colour]] = {k: v for k, v in values.items() if known.get(k) != v}
            self._told[colour] = values
        self._tries += 1
        return told
