"""The process of a player written in Python, whose name is its one argument.

What the player prints goes nowhere: the lines of the protocol are on descriptors of their own.
"""

import os
import random
import sys
from typing import Any, BinaryIO, get_type_hints

import chess
import numpy as np

from ks_arena.apart.wire import VERSION, packed, unpacked, view_from, words_of
from ks_env.core.layout import RULES
from ks_env.core.ruleset import Ruleset
from ks_env.games import game_named, games_of
from ks_env.games.opening import Opening
from ks_env.players.protocol import Player, WeighsTries, listener
from ks_env.players.registry import make_player
from ks_env.players.rows import try_number


def opening_from(told: dict[str, Any]) -> Opening:
    """The opening of a message `begin`."""
    game = game_named(told["game"])
    rules = {name: told["ruleset"][name] for name in RULES.names or ()}
    return Opening(
        game,
        chess.WHITE if told["colour"] == "white" else chess.BLACK,
        ruleset_from(told["ruleset"]["name"], rules),
        tuple(told["fens"]),
        view_from(told["view"], game.view),
        told["seed"],
        told["hidden"],
    )


def ruleset_from(name: str, numbers: dict[str, int]) -> Ruleset:
    """The ruleset of its name and its numbers."""
    values: dict[str, Any] = {}
    for field, number in numbers.items():
        kind = type(getattr(Ruleset(name), field))
        values[field] = kind(number)
    return Ruleset(name, **values)


class Guest:
    """One player, and what it was told of its game."""

    def __init__(self, name: str) -> None:
        self.player: Player = make_player(name)
        self.hear = listener(self.player)
        self.opening: Opening | None = None

    def answer(self, told: dict[str, Any]) -> dict[str, Any] | None:
        """The answer to a message; None for those that have none."""
        kind = told["type"]
        if kind == "hello":
            games = list(games_of(self.player))
            hello = {"type": "hello", "protocol": VERSION, "name": str(self.player.name), "games": games}
            weighs = isinstance(self.player, WeighsTries)
            return hello | {"wants": ["view"], "hears": self.hear is not None, "weighs": weighs}
        if kind == "begin":
            self.opening = opening_from(told)
            random.seed(self.opening.seed)
            np.random.seed(self.opening.seed % 2**32)
            if "torch" in sys.modules:
                sys.modules["torch"].manual_seed(self.opening.seed)
            self.player.begin(self.opening)
            return {"type": "ready"}
        assert self.opening is not None
        if kind == "hear":
            self._hear(told)
            return None
        chosen = try_number(self.player.choose(view_from(told["view"], self.opening.game.view)))
        nodes = getattr(self.player, "nodes", None)
        count = {"nodes": int(nodes)} if isinstance(nodes, int | np.integer) else {}
        return {"type": "try", "try": chosen, **count, **self._weighed()}

    def _weighed(self) -> dict[str, Any]:
        if not isinstance(self.player, WeighsTries):
            return {}
        tries, values = self.player.weighed()
        return {"weighed": {"tries": np.asarray(tries).tolist(), "values": np.asarray(values).tolist()}}

    def _hear(self, told: dict[str, Any]) -> None:
        assert self.opening is not None
        from_said = self.opening.game.notation.from_said
        said = get_type_hints(from_said)["said"].model_validate(told["said"])
        self.hear(from_said(said, told["by"] == "white", told["try"]))


def serve(name: str, lines: BinaryIO, out: BinaryIO) -> None:
    """Answer the messages until there are no more."""
    guest: Guest | None = None
    fault: dict[str, Any] | None = None
    for line in lines:
        told = unpacked(line)
        try:
            guest = guest or Guest(name)
            answer = fault or guest.answer(told)
        except BaseException as error:  # a player may raise anything
            answer = fault = {"type": "fault", "words": words_of(error)}
        if told["type"] != "hear":  # which has no answer: its fault is told when a try is due
            out.write(packed(answer or {}))


def main() -> None:
    """Keep the protocol's descriptors from the player's own printing, and serve."""
    lines, out = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb", buffering=0)
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    os.dup2(nothing, 1)
    serve(sys.argv[1], lines, out)
