"""Games of a player under test, each of its tries held against its mask."""

from __future__ import annotations

from dataclasses import replace

import chess

from ks_env.core.ruleset import ICC, RULESETS
from ks_env.games import kriegspiel
from ks_env.games.kriegspiel.game import Game
from ks_env.games.opening import Opening
from ks_env.players import Player, make_player


def play(player: Player, colour: bool, ruleset: str, seed: int, most: int = 300) -> list[int]:
    """A game against `capture`; the player's tries, each checked against its mask."""
    game, rules = Game(RULESETS[ruleset]), RULESETS[ruleset]
    opponent = make_player("capture")
    player.begin(kriegspiel.opening(colour, rules, chess.STARTING_FEN, seed))
    opponent.begin(kriegspiel.opening(not colour, rules, chess.STARTING_FEN, seed))
    tries = []
    while game.to_play is not None and game.plies < most:
        if game.to_play != colour:
            game.ask(opponent.choose(game.view(not colour)))
            continue
        mask, action = game.mask(colour), player.choose(game.view(colour))
        assert mask[action], f"{action} is not in the informed mask"
        tries.append(action)
        game.ask(action)
    return tries


def undeclared_opening() -> Opening:
    """That of a hidden start whose placements were not declared."""
    return replace(kriegspiel.hidden_opening(True, ICC, [chess.STARTING_FEN]), fens=())
