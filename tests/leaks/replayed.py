"""One of two games that a seat cannot tell apart, gone through once more by a player in that seat."""

from __future__ import annotations

from collections.abc import Iterator

import chess

from ks_env.core.ruleset import Ruleset
from ks_env.games import kriegspiel
from ks_env.games.kriegspiel.game import Game
from ks_env.players import Player
from ks_env.players.protocol import listener
from tests.leaks.twins import Twins


def decisions(player: Player, pair: Twins, game: int, seat: chess.Color) -> Iterator[int]:
    """What the player chooses whenever the seat is to move, while the game goes on as it went."""
    rules = Ruleset.named(pair.ruleset, **pair.options)
    replayed = Game(rules, pair.fen)
    player.begin(kriegspiel.opening(seat, rules, pair.fen, 5))
    hear, heard = listener(player), 0
    for action in pair.asked[game]:
        for announcement in replayed.heard(seat)[heard:]:
            if hear is not None:
                hear(announcement)
        heard = len(replayed.heard(seat))
        if replayed.to_play == seat:
            yield player.choose(replayed.view(seat))
        replayed.ask(action)
