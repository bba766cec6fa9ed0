"""Random games and their records, for tests of records and pictures."""

import random
from dataclasses import replace
from typing import Any

import chess
import numpy as np
from hypothesis import strategies as st

from ks_env.core.ruleset import RULESETS, Ruleset
from ks_env.games.kriegspiel.game import Game
from ks_env.games.kriegspiel.record import GameRecord
from tests.starts import LISTED


def random_game(
    ruleset: Ruleset, seed: int, tries: int, fen: str = chess.STARTING_FEN, hidden_start: bool = False
) -> Game:
    """A game after at most so many tries, among them refused and hopeless ones, repeats and questions."""
    draw = random.Random(seed)
    game = Game(ruleset, fen, hidden_start=hidden_start)
    for _ in range(tries):
        seat = game.to_play
        if seat is None:
            break
        level = "informed" if draw.random() < 0.6 else "own-board"
        choices = np.flatnonzero(game.mask(seat, level))  # type: ignore[arg-type]
        game.ask(draw.randrange(1859) if draw.random() < 0.05 else int(draw.choice(list(choices))))
    return game


TEXT = st.text(st.characters(codec="utf-8", exclude_categories=["C", "Z"]) | st.just(" "), max_size=12)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=6,
)


@st.composite
def records(draw: st.DrawFn, tries: int = 120) -> GameRecord:
    """Records of random games under every ruleset, with options, starts, names and metadata of all kinds."""
    rules = draw(st.sampled_from(list(RULESETS.values())))
    options: dict[str, Any] = draw(
        st.fixed_dictionaries(
            {},
            optional={
                "max_tries": st.integers(2, 20),
                "max_plies": st.integers(1, 60),
                "threefold": st.booleans(),
                "fifty_moves": st.booleans(),
                "stalemate_loses": st.booleans(),
                "name": st.just("house rules"),
            },
        )
    )
    game = random_game(
        replace(rules, **options),
        draw(st.integers(0, 2**32)),
        draw(st.integers(0, tries)),
        draw(st.sampled_from([chess.STARTING_FEN, *LISTED])),
        draw(st.booleans()),
    )
    return GameRecord.from_game(
        game,
        white=draw(TEXT),
        black=draw(TEXT),
        event=draw(TEXT),
        date="2024.05.17",
        seeds=draw(st.dictionaries(TEXT, st.integers(), max_size=2)),
        metadata=draw(st.dictionaries(TEXT, JSON, max_size=3)),
    )
