"""A replay gives a seat no more than it was told; the opponent's men only where they are asked for."""

from __future__ import annotations

from pathlib import Path

import chess
import numpy as np
import pytest
from ks_train.data.replay import Batch, replay
from ks_train.data.schema import rules_text, table_of, write_games

from ks_env.core.ruleset import RULESETS
from ks_env.games.kriegspiel.game import Game
from tests.leaks import twins
from tests.leaks.twins import Twins

ENCODER = "metaposition"


def write(path: Path, pair: Twins) -> None:
    """Both games of a pair, up to where they were played."""
    rows = []
    for number, (game, tries) in enumerate(zip(pair.ours, pair.asked, strict=True)):
        rows.append(row(number, game, tries))
    write_games(path, [table_of(rows)], {})


def row(number: int, game: Game, tries: list[int]) -> dict[str, object]:
    return {
        "number": number,
        "game": "Kriegspiel",
        "rules": rules_text(game.ruleset),
        "fen": game.start_fen,
        "hidden_start": False,
        "declared": [],
        "white": "one",
        "black": "another",
        "white_men": "",
        "black_men": "",
        "result": 0 if game.winner is None else 1 if game.winner else -1,
        "reason": game.reason.name.lower().replace("_", " ") if game.reason else "forfeit",
        "plies": game.plies,
        "tries": np.array(tries, np.int16),
    }


def shown(batches: list[Batch], number: int, seat: chess.Color) -> list[tuple[bytes, bytes]]:
    """What the seat is given at each of its decisions in one game, as bytes."""
    out: list[tuple[bytes, bytes]] = []
    for batch in batches:
        for i in np.flatnonzero((batch.games == number) & (batch.seats == (0 if seat else 1))):
            out.append((batch.inputs.observations[i].tobytes(), batch.inputs.masks[i].tobytes()))
    return out


def men(batches: list[Batch], number: int, seat: chess.Color) -> list[bytes]:
    found = []
    for batch in batches:
        assert batch.men is not None
        for i in np.flatnonzero((batch.games == number) & (batch.seats == (0 if seat else 1))):
            found.append(batch.men[i].tobytes())
    return found


@pytest.mark.parametrize("ruleset", RULESETS)
def test_games_that_a_seat_cannot_tell_apart_are_the_same_bytes(tmp_path: Path, ruleset: str) -> None:
    decisions = differences = 0
    for number, pair in enumerate(twins(12, ruleset, seed=5, most_turns=20)):
        if not all(pair.asked) or bool(pair.ours[0].reason) != bool(pair.ours[1].reason):
            continue
        same = pair.same_history()
        path = tmp_path / f"{number}.parquet"
        write(path, pair)
        plain = list(replay(path, decisions="all", encoder=ENCODER))
        asked = list(replay(path, decisions="all", encoder=ENCODER, privileged=True))
        assert all(batch.men is None for batch in plain)
        a, b = (shown(plain, game, pair.seat) for game in (0, 1))
        # The seat's decisions up to the first announcement that differs, which is the last if there is one.
        count = min(len(a), len(b))
        assert a[:count] == b[:count]
        assert len(a) == len(b) or not same
        assert [shown(asked, game, pair.seat) for game in (0, 1)] == [a, b]
        decisions += count
        there, elsewhere = (men(asked, game, pair.seat)[:count] for game in (0, 1))
        differences += sum(x != y for x, y in zip(there, elsewhere, strict=True))
    assert decisions > 20
    assert differences > 5  # the privileged men would have been the leak
