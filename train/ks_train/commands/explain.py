"""The command `ks explain`: why a player would try what, at one moment of a recorded game."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import chess
import typer
from ks_arena.names import resolve
from ks_baselines.explained import Explanation, TryExplained
from rich.console import Console
from rich.table import Table

from ks_env.core.answers import Reason
from ks_env.record import RecordError, load
from ks_env.render.ansi import render_ansi
from ks_env.render.following import believing_scene, can_follow
from ks_env.render.ghosts import Ghosts
from ks_env.render.svg import HEIGHT, WIDTH, document, scene_svg
from ks_train.belief.explain import Decision, decide, find_try, line_words, try_words, uci
from ks_train.commands.records import check_picture, write_picture

PICTURE = 700  # pixels


def explain(
    game: Annotated[Path, typer.Argument(help="Record of a game, .pgn or .json.")],
    move: Annotated[
        str, typer.Argument(help='A move such as "23w" ("23w2" is its second try), or the number of a try.')
    ],
    player: Annotated[str, typer.Option(help="Player whose choice is explained.")] = "darkboard",
    best: Annotated[int, typer.Option(min=1, help="How many tries to show.")] = 5,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the player.")] = 1,
    picture: Annotated[
        Path | None, typer.Option(help="Also draw the metaposition to this file, .svg or .png.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Explain what a player would try in a recorded game: its best tries, their values, expected lines."""
    if picture is not None:
        check_picture(picture)
    try:
        record = load(game)
        if picture is not None and not can_follow(record.definition):
            raise RecordError(
                f"--picture draws a metaposition, which a game of {record.definition.name} has not"
            )
        decision, explanation = decide(record, find_try(record, move), resolve(player), best, seed)
    except RecordError as error:
        if str(game) in str(error):
            raise
        raise RecordError(f"{game}: {error}") from error
    if picture is not None:
        _draw(decision, picture)
    if as_json:
        typer.echo(json.dumps(to_json(decision, explanation, player), indent=1))
        return
    console = Console(highlight=False)
    for part in report(decision, explanation, player):
        console.print(part)


def _draw(decision: Decision, path: Path) -> None:
    assert decision.follower is not None, "checked before"
    scene = believing_scene(decision.game, decision.follower, "white" if decision.seat else "black")
    write_picture(document(scene_svg(scene), WIDTH, HEIGHT, PICTURE), path)


# ---- JSON


def to_json(decision: Decision, explanation: Explanation[TryExplained], player: str) -> dict[str, Any]:
    """All that is printed, in values of JSON. Tries are UCI text, boards hexadecimal, bit 0 for a1."""
    seat, board = decision.seat, decision.game.own_board(decision.seat)
    told = {
        "player": player,
        "try": decision.number,
        "move": board.fullmove_number,
        "seat": chess.COLOR_NAMES[seat],
        "tried": None if decision.tried is None else decision.tried.text(),
        "answer": None if decision.tried is None else decision.tried.answer.text(),
        "chosen": uci(explanation.chosen, seat),
        "reason": explanation.reason,
        "tries": [
            {
                "try": uci(entry.action, seat),
                "value": entry.value,
                "components": dict(entry.components),
                "line": [None if action is None else uci(action, seat) for action in entry.line],
            }
            for entry in explanation.tries
        ],
    }
    return told if decision.follower is None else told | _believed(decision.follower.ghosts(seat))


def _believed(ghosts: Ghosts) -> dict[str, Any]:
    names = ("empty", *chess.PIECE_NAMES[1:])
    may_be = {name: f"{bits:x}" for name, bits in zip(names, ghosts.boards, strict=True)}
    return {"entropy": ghosts.entropy, "metaposition": {"may_be": may_be, "ages": ghosts.ages.tolist()}}


# ---- text


def report(decision: Decision, explanation: Explanation[TryExplained], player: str) -> Iterator[Any]:
    """What is printed, part by part."""
    seat, board = decision.seat, decision.game.own_board(decision.seat)
    name = chess.COLOR_NAMES[seat].capitalize()
    yield f"[bold]Move {board.fullmove_number}, {name} to play[/] · try {decision.number} of the record"
    if decision.follower is None:
        yield f"\n{render_ansi(decision.game, 'white' if seat else 'black')}\n"
    else:
        yield f"\n{board_text(board, decision.follower.ghosts(seat))}\n"
    if decision.tried is not None:
        tried = try_words(board, decision.tried.action, seat)
        yield f"Tried in the game: [bold]{tried}[/] · {_answer(decision)}"
    chosen = try_words(board, explanation.chosen, seat)
    yield f"{player} would try: [bold]{chosen}[/] · by its {explanation.reason}"
    if explanation.tries:
        yield ""
        yield values_table(decision, explanation)
        yield "Assumed lines, own tries alone:"
        for entry in explanation.tries:
            yield "  " + " … ".join(line_words(board, entry.line, seat))


def _answer(decision: Decision) -> str:
    assert decision.tried is not None, "only asked where something was tried"
    answer = decision.tried.answer
    return answer.text() if answer.reason is Reason.NONE else f"{answer.text()}, the end"


def values_table(decision: Decision, explanation: Explanation[TryExplained]) -> Table:
    """The tries beside one another, their value by component below."""
    board = decision.game.own_board(decision.seat)
    tries = explanation.tries
    table = Table(box=None, pad_edge=False)
    table.add_column("")
    for entry in tries:
        table.add_column(try_words(board, entry.action, decision.seat), justify="right")
    table.add_row("value", *(f"[bold]{entry.value:.3g}[/]" for entry in tries))
    for part in dict.fromkeys(part for entry in tries for part in entry.components):
        row = (f"{entry.components[part]:.2f}" if part in entry.components else "·" for entry in tries)
        table.add_row(f"  {part}", *row)
    return table


def board_text(board: chess.Board, ghosts: Ghosts) -> str:
    """Own men and the metaposition as text, the seat's own side below."""
    ranks = range(7, -1, -1) if ghosts.seat else range(8)
    files = range(8) if ghosts.seat else range(7, -1, -1)
    rows = [
        f"{rank + 1}  " + " ".join(_mark(board, ghosts, chess.square(file, rank)) for file in files)
        for rank in ranks
    ]
    rows.append("   " + " ".join(chess.FILE_NAMES[file] for file in files))
    kings = [chess.square_name(square) for square in chess.SquareSet(ghosts.boards[chess.KING])]
    notes = {
        1: f"opponent: {ghosts.most[0]} men left, entropy {ghosts.entropy:.1f}",
        2: f"king on {kings[0] if len(kings) == 1 else f'one of {len(kings)} squares'}",
        4: ".    surely empty",
        5: "1-6  so many kinds may be here, or none",
        6: "#    a man of unknown kind is here",
    }
    return "\n".join(f"{row}    {notes.get(i, '')}".rstrip() for i, row in enumerate(rows))


def _mark(board: chess.Board, ghosts: Ghosts, square: int) -> str:
    man, kinds = board.piece_at(square), ghosts.kinds(square)
    if man is not None:
        return man.symbol()
    if ghosts.certain(square):
        return chess.Piece(kinds[0], not ghosts.seat).symbol()
    if ghosts.occupied(square):
        return "#"
    return str(len(kinds)) if kinds else "."
