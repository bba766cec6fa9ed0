"""A small UCI engine: a move is worth what it takes, in pawns. Run with the ways in which it shall behave.

multipv: it has the option; searchmoves: it heeds them; dies: on the second search; mortal: on every search;
hangs: on every search; log=FILE: what it was told.
"""

from __future__ import annotations

import sys
import time

import chess


def worth(board: chess.Board, move: chess.Move) -> str:
    board.push(move)
    mate = board.is_checkmate()
    board.pop()
    victim = board.piece_type_at(move.to_square) or 0
    return "mate 1" if mate else f"cp {100 * victim}"


def search(board: chess.Board, words: list[str], lines: int, ways: list[str]) -> None:
    moves = sorted(board.legal_moves, key=lambda move: -(board.piece_type_at(move.to_square) or 0))
    if "searchmoves" in words and "searchmoves" in ways:
        moves = [chess.Move.from_uci(word) for word in words[words.index("searchmoves") + 1 :]]
    for i, move in enumerate(moves[:lines]):
        multi = f" multipv {i + 1}" if "multipv" in ways else ""
        print(f"info depth 1{multi} score {worth(board, move)} nodes 1 pv {move.uci()}")
    print(f"bestmove {moves[0].uci()}", flush=True)


def main(ways: list[str]) -> None:
    board, lines, searches = chess.Board(), 1, 0
    logs = [way.removeprefix("log=") for way in ways if way.startswith("log=")]
    for line in sys.stdin:
        words = line.split()
        for log in logs:
            with open(log, "a") as file:
                file.write(line)
        if words[:1] == ["uci"]:
            option = "option name MultiPV type spin default 1 min 1 max 500\n" if "multipv" in ways else ""
            print(f"id name fake\n{option}uciok", flush=True)
        elif words[:1] == ["isready"]:
            print("readyok", flush=True)
        elif words[:3] == ["setoption", "name", "MultiPV"]:
            lines = int(words[4])
        elif words[:1] == ["position"]:
            fen = " ".join(words[2:8]) if words[1] == "fen" else chess.STARTING_FEN
            board = chess.Board(fen)
            for move in words[words.index("moves") + 1 :] if "moves" in words else []:
                board.push_uci(move)
        elif words[:1] == ["go"]:
            searches += 1
            if "mortal" in ways or ("dies" in ways and searches == 2):
                sys.exit(3)
            if "hangs" in ways:
                time.sleep(60)
            search(board, words, lines, ways)
        elif words[:1] == ["quit"]:
            return


if __name__ == "__main__":
    main(sys.argv[1:])
