"""A game as text: ruleset and start, then each try with what White heard and what Black heard.

```
ruleset: icc
start: rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1
       White and Black hear: White's move, no pawn tries
white  e2d3
       White hears: illegal
white  e2e4
       White and Black hear: Black's move, no pawn tries
```
A player who hears nothing has no line.
"""

from __future__ import annotations

import chess

from ks_env.core.ruleset import RULESETS
from ks_env.games.kriegspiel.announcement import Announcement
from ks_env.games.kriegspiel.game import Game
from tests.oracle import actions


def play(ruleset: str, fen: str, tries: list[int]) -> str:
    """Put the tries to the compiled referee and write down the game."""
    game = Game(RULESETS[ruleset], fen)
    lines = [f"ruleset: {ruleset}", f"start: {fen}"]
    lines += _heard(game.heard(chess.WHITE)[0], game.heard(chess.BLACK)[0])
    for action in tries:
        mover = game.to_play
        assert mover is not None
        lines.append(f"{chess.COLOR_NAMES[mover]:5}  {_text(game, action, mover)}")
        game.ask(action)
        lines += _heard(*game.log()[-1])
    lines.append(f"end: {game.board().fen()}")
    return "\n".join(lines) + "\n"


def read(text: str) -> tuple[str, str, list[int]]:
    """Ruleset, start and tries of a transcript."""
    lines = text.splitlines()
    ruleset, fen = lines[0].removeprefix("ruleset: "), lines[1].removeprefix("start: ")
    tries = [_action(*line.split()) for line in lines if line.startswith(("white ", "black "))]
    return ruleset, fen, tries


def _action(colour: str, text: str) -> int:
    if text == "any?":
        return actions.ANY
    return actions.number_of(chess.Move.from_uci(text), colour == "white")


def _text(game: Game, action: int, mover: chess.Color) -> str:
    promotes = False
    if action != actions.ANY:
        source, target, _ = actions.STEPS[action]
        pawn = game.own_board(mover).pieces(chess.PAWN, mover)
        promotes = target >= 56 and actions.seat_square(source, mover) in pawn
    return actions.uci(action, mover, promotes)


def _heard(white: Announcement | None, black: Announcement | None) -> list[str]:
    if white is not None and black is not None and white.text() == black.text():
        return [f"       White and Black hear: {white.text()}"]
    both = (("White", white), ("Black", black))
    return [f"       {name} hears: {said.text()}" for name, said in both if said is not None]
