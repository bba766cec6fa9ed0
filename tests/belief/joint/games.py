"""Random games of invisible chess, with a distribution kept by each seat."""

from __future__ import annotations

import random
from collections.abc import Iterator

import chess
import numpy as np

from ks_env.belief.joint import Joint
from ks_env.games.invisible.game import InvisibleGame

# from a few hidden men to all of them
HIDDEN = ("B v B", "2R v 2R", "2B 2N v Q", "4P v 4P", "8P v N", "8P 2N 2B 2R Q v 8P 2N 2B 2R Q")


def new_game(rng: random.Random, hidden: str, fen: str = chess.STARTING_FEN) -> InvisibleGame:
    """A game in which the men are drawn where they are not fixed."""
    from ks_env.games.invisible.hidden import all_choices, parse_both

    choices = len(all_choices(chess.Board(fen), *parse_both(hidden)))
    return InvisibleGame(hidden, fen=fen, choice=rng.randrange(choices))


def ask_random(rng: random.Random, game: InvisibleGame, legal: float = 0.5) -> None:
    """One try: legal ones more often than chance would have it, so that games go on."""
    mover = game.to_play
    assert mover is not None
    pool = np.flatnonzero(game.mask(mover)).tolist()
    if rng.random() < legal:
        pool = sorted(game.legal())
    game.ask(rng.choice(pool))


def joints_of(game: InvisibleGame, boards: int) -> dict[bool, Joint]:
    """A distribution for each seat, begun."""
    joints = {colour: Joint(boards) for colour in chess.COLORS}
    for colour, joint in joints.items():
        joint.begin(game.view(colour))
    return joints


def followed(
    rng: random.Random, hidden: str, boards: int, tries: int, fen: str = chess.STARTING_FEN
) -> Iterator[tuple[InvisibleGame, dict[bool, Joint]]]:
    """A random game with both distributions, after every answer while it goes on."""
    game = new_game(rng, hidden, fen)
    joints = joints_of(game, boards)
    for _ in range(tries):
        ask_random(rng, game)
        if game.to_play is None:
            return
        for colour, joint in joints.items():
            joint.follow(game.view(colour))
        yield game, joints


def truth_of(game: InvisibleGame, colour: bool) -> dict[int, int]:
    """Where the opponent's hidden men stand, in the colour's frame."""
    return {n: s ^ (0 if colour else 56) for n, s in game.hidden_squares(not colour).items()}
