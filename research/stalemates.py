"""Of the games that Darkboard leaves stalemated: did a hard rule make the last move, or the search?

    python -m research.stalemates --games 200 --result docs/results/metapositions-2007/stalemates.json

Ciancarini and Favini (2007), §5, know draws by stalemate and repetition alone; a program that moves by rules
before it searches may stalemate without having looked. `darkboard:literal` has no rules; this is about
`darkboard:improved`. Games from the initial position, colours in turns.
"""

import json
from collections import Counter
from pathlib import Path
from typing import Annotated, Any

import chess
import typer
from ks_baselines.darkboard import DarkboardPlayer, darkboard_player
from ks_train.commands.plain import plainly
from rich.console import Console
from rich.progress import track

from ks_env.core.answers import Reason
from ks_env.core.files import write_aside
from ks_env.games.kriegspiel.game import Game
from ks_env.games.opening import Opening
from ks_env.players.protocol import Player
from ks_env.players.registry import make_player

IMPROVED = "darkboard:improved"


def play(player: DarkboardPlayer, other: Player, colour: chess.Color, seed: int) -> tuple[Reason, bool, str]:
    """One game.

    Returns:
        why it ended, whether Darkboard made the last move, and how its own last one was decided.
    """
    game, why, own = Game(), "", False
    player.begin(Opening.of(game, colour, seed=seed))
    other.begin(Opening.of(game, not colour, seed=seed + 1))
    while game.to_play is not None:
        own = game.to_play == colour
        if own:
            told = player.explain(game.view(colour), 0)
            why = told.reason
            game.ask(told.chosen)
        else:
            game.ask(other.choose(game.view(not colour)))
    return game.reason, own, why


def count(against: str, games: int, seed: int) -> dict[str, Any]:
    """Games against a player: how they ended, and how stalemates came about."""
    player, other = darkboard_player(improved=True), make_player(against)
    assert isinstance(other, Player)
    ends, by = Counter[str](), Counter[str]()
    for number in track(range(games), f"{IMPROVED} v {against}", console=Console(stderr=True)):
        reason, own, why = play(player, other, number % 2 == 0, seed + 2 * number)
        ends[reason.name.lower()] += 1
        if reason is Reason.STALEMATE:
            by[why if own else "the opponent's move"] += 1
    return {"games": games, "ends": dict(ends), "stalemates by": dict(by)}


@plainly
def main(
    games: Annotated[int, typer.Option(min=1, help="Games against each opponent.")] = 200,
    seed: Annotated[int, typer.Option(help="Seed of the first game.")] = 1,
    result: Annotated[Path | None, typer.Option(help="JSON file to write.")] = None,
) -> None:
    """Play the games and count."""
    found = {f"{IMPROVED} v {against}": count(against, games, seed) for against in ("random", "capture")}
    for pairing, line in found.items():
        print(f"{pairing}: {line}")
    if result is not None:
        write_aside(result, json.dumps({"seed": seed, **found}, indent=2) + "\n")


if __name__ == "__main__":
    typer.run(main)
