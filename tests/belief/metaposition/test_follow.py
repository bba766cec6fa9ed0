"""What is known does not depend on how often a seat was looked at."""

import chess
import numpy as np

from ks_env.belief.metaposition import follow, opening
from ks_env.belief.metaposition.layout import METAPOSITION
from ks_env.core.ruleset import BERKELEY_ANY
from ks_env.games.kriegspiel.game import Game


def test_a_seat_that_looks_while_it_waits_knows_the_same() -> None:
    """The opponent's question is heard between a look after the own move and one in the own turn."""
    rules = BERKELEY_ANY.record()[0]
    for seat in chess.COLORS:
        game = Game(BERKELEY_ANY)
        often, seldom = np.zeros(1, METAPOSITION), np.zeros(1, METAPOSITION)
        often[0] = seldom[0] = opening([chess.STARTING_FEN], seat)
        for text in ("f2f4", "any?", "h7g6", "h7h5", "any?", "b2b3", "any?", "a7a6", "any?", "c2c4"):
            game.ask(text)
            assert follow(often[0], game.view(seat), rules)
            if game.to_play is seat:
                assert follow(seldom[0], game.view(seat), rules)
                assert often[0].tobytes() == seldom[0].tobytes(), text
