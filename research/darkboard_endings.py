"""Whether the player mates a bare king as the solved endings promise, before a referee.

    python -m research.darkboard_endings --games 100 --result docs/results/darkboard/endings.json

The start is hidden: the player is told the placements, its own men on given squares and the bare king on any
legal one. Where the ending is a sure win it has to mate within the table's number of moves, under the rules
the table was made for (neither fifty moves nor repetition). The other placements, and all under full ICC
rules, are rates.
"""

import argparse
import json
import random
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console
from rich.progress import track

from ks_env.belief.endgames import Table, solve
from ks_env.core.answers import Reason
from ks_env.core.ruleset import ICC, Ruleset
from ks_env.games.kriegspiel.game import Game
from ks_env.games.opening import Opening
from ks_env.players.protocol import Player
from ks_env.players.registry import make_player
from research.endings import KINGS, start_fen, wilson

TABLE_RULES = Ruleset.named("icc", fifty_moves=False, threefold=False)


def play(
    player: Player, fens: list[str], true: str, which: str, rng: random.Random, rules: Ruleset
) -> tuple[Reason, bool, int]:
    """One game from the true position, of which the player knows that it is one of `fens`.

    Returns:
        why it ended, whether the bare king was mated, and the player's accepted moves.
    """
    game = Game(rules, true, hidden_start=True)
    seat = game.to_play
    assert seat is not None
    player.begin(Opening.of(game, seat, fens=fens))
    while game.to_play is not None:
        if game.to_play == seat:
            game.ask(player.choose(game.view(seat)))
        else:
            game.ask(KINGS[which](game, rng))
    return game.reason, game.reason is Reason.CHECKMATE, (game.plies + 1) // 2


def trials(player: Player, table: Table, which: str, games: int, *, sure: bool, full: bool) -> dict[str, Any]:
    """Games from random placements with a sure win, or without.

    Args:
        player: the player.
        table: of the ending.
        which: how the bare king moves, a name in `research.endings.KINGS`.
        games: how many.
        sure: from placements with a sure win.
        full: under full ICC rules, else under the table's.
    """
    rng = random.Random(f"{table.ending.name} {which} {sure}")
    depth = table.sure_placements()
    places = np.flatnonzero((depth > 0) == sure).tolist()
    mates, in_time, ends = 0, 0, dict[str, int]()
    for number in track(range(games), f"{table.ending.name} {which}", console=Console(stderr=True)):
        place, colour = rng.choice(places), bool(number % 2)
        squares = [s for s in range(64) if int(table.places.full[place]) >> s & 1]
        fens = [start_fen(table, place, s, colour) for s in squares]
        rules = ICC if full else TABLE_RULES
        reason, mated, moves = play(player, fens, rng.choice(fens), which, rng, rules)
        mates += mated
        in_time += mated and moves <= int(depth[place])
        ends[reason.name.lower()] = ends.get(reason.name.lower(), 0) + 1
    out = {"games": games, "mates": mates, "95 % interval": wilson(mates, games), "ends": ends}
    return out | ({"within the table's moves": in_time} if sure else {})


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--player", default="darkboard", help="a player that takes placements")
    parser.add_argument("--endings", nargs="+", default=["KQK", "KRK", "KBBK"])
    parser.add_argument("--games", type=int, default=100, help="of each kind")
    parser.add_argument("--result", type=Path, help="JSON file to write")
    given = parser.parse_args()
    player = make_player(given.player)
    if not isinstance(player, Player):
        parser.error(f"player {given.player!r} takes no placements of a hidden start")
    result: dict[str, Any] = {"player": given.player, "games of each kind": given.games}
    for name in given.endings:
        table = solve(name)
        for which in KINGS:
            for sure, full, what in (
                (True, False, "sure win, table's rules"),
                (True, True, "sure win, ICC"),
                (False, True, "no sure win, ICC"),
            ):
                if sure or (table.sure_placements() == 0).any():
                    line = trials(player, table, which, given.games, sure=sure, full=full)
                    result[f"{name}, {which} king, {what}"] = line
                    print(f"{name}, {which} king, {what}: {line}", flush=True)
    if given.result:
        given.result.parent.mkdir(parents=True, exist_ok=True)
        given.result.write_text(json.dumps(result, indent=2) + "\n")


if __name__ == "__main__":
    main()
