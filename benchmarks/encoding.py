"""What an encoder costs: the vector environments with and without it, taking turns."""

from collections.abc import Sequence
from functools import partial
from typing import Any

from benchmarks import ours
from benchmarks.measure import Contestant, Plan, ratios, run_rounds, spread
from ks_env.belief.encoders import encoder_names, make_encoder
from ks_env.games import serves
from ks_env.games.kriegspiel import KRIEGSPIEL
from ks_env.players.registry import make_player

SELF_PLAY = "self-play"
FEW_GAMES = 8  # at once, against players that take their time


def _contestants(opponent: str | None, encoder: str) -> list[Contestant]:
    """Without the encoder, and with it."""
    if opponent is None:
        return [Contestant(SELF_PLAY, partial(ours.self_play, encoder=each)) for each in (None, encoder)]
    kernel = getattr(make_player(opponent), "kernel", None) is not None
    games = ours.GAMES if kernel else FEW_GAMES
    return [Contestant(opponent, partial(ours.against, opponent, games, each)) for each in (None, encoder)]


def _of_kriegspiel(name: str) -> bool:
    encoder = make_encoder(name)
    return encoder is not None and serves(encoder, KRIEGSPIEL)


def measure_encoders(opponents: Sequence[str], plan: Plan) -> list[dict[str, Any]]:
    """A row for each encoder and environment: self-play, and against each opponent.

    Args:
        opponents: names of players.
        plan: how long to measure.

    Returns:
        Tries per second `without` and `with`, and the `ratio` of the second to the first, by round.
    """
    names = [name for name in encoder_names() if _of_kriegspiel(name)]
    cases = [(name, opponent) for name in names for opponent in (None, *opponents)]
    found = run_rounds([each for name, opponent in cases for each in _contestants(opponent, name)], plan)
    return [
        {
            "encoder": name,
            "opponent": opponent or SELF_PLAY,
            "without": spread(plain.rates),
            "with": spread(encoded.rates),
            "ratio": spread(ratios(encoded, plain)),
        }
        for (name, opponent), plain, encoded in zip(cases, found[::2], found[1::2], strict=True)
    ]
