"""What an opponent's turn brings, by what was heard before it: the chances that approaches B and C assume.

    ks tournament configs/studies/profile.yaml
    python -m research.turn_chances runs/profile --result docs/results/mcts/turn-chances.json

Ciancarini and Favini (2010), §5.2, take them from people on the Internet Chess Club and give no figures. Here
they are counted over the games that the package's profile is made of. Each turn stands under the first of
these that holds:

    retaliation    the mover has captured: its man is captured
    pawn try       it has not, and the opponent has pawn tries: one of its pawns captures
    checker taken  it gives check: the man that moved is captured
    suffering      none of these: anything is captured
"""

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Annotated, Any

import chess
import chess.pgn
import typer
from ks_train.commands.profile import read_games
from rich.console import Console
from rich.progress import track

from ks_env.core.files import write_aside

EVENTS = ("retaliation", "pawn try", "checker taken", "suffering")
EVERYBODY = "all"


def turns(game: chess.pgn.Game) -> Iterator[tuple[str, str, bool]]:
    """The opponent's turns of a game: who it was, what is counted, and whether it came about."""
    board = game.board()
    before: chess.Move | None = None
    took = False
    for move in game.mainline_moves():
        takes = board.is_capture(move)
        if before is not None:
            pawns = board.pieces_mask(chess.PAWN, board.turn)
            mover_taken = takes and move.to_square == before.to_square
            name = game.headers["White" if board.turn else "Black"]
            if took:
                yield name, "retaliation", mover_taken
            elif any(board.generate_legal_captures(pawns)):
                yield name, "pawn try", takes and bool(pawns >> move.from_square & 1)
            elif board.is_check():
                yield name, "checker taken", mover_taken
            else:
                yield name, "suffering", takes
        before, took = move, takes
        board.push(move)


def count(games: Iterable[chess.pgn.Game]) -> dict[str, dict[str, dict[str, float]]]:
    """Of each player and of all: the turns in which each event could come about, and in what share it did."""
    number, came = Counter[tuple[str, str]](), Counter[tuple[str, str]]()
    for game in games:
        for name, event, about in turns(game):
            for who in (name, EVERYBODY):
                number[who, event] += 1
                came[who, event] += about
    players = sorted({name for name, _ in number} - {EVERYBODY})
    return {
        who: {
            event: {"turns": number[who, event], "share": round(came[who, event] / number[who, event], 4)}
            for event in EVENTS
            if number[who, event]
        }
        for who in (*players, EVERYBODY)
    }


def main(
    games: Annotated[list[Path], typer.Argument(help="PGN files, or folders or files of tournaments.")],
    result: Annotated[Path | None, typer.Option(help="JSON file to write.")] = None,
) -> None:
    """Count them."""
    everything = (game for path in games for game in read_games(path))
    counted: dict[str, Any] = count(track(everything, "games", console=Console(stderr=True)))
    text = json.dumps({"opponents": counted}, indent=1)
    if result is not None:
        write_aside(result, text + "\n")
    typer.echo(text)


if __name__ == "__main__":
    typer.run(main)
