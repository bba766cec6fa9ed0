"""Games of kernel players in which every metaposition is held against the truth after every answer."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ks_env.belief.metaposition import METAPOSITION, follow, opening
from ks_env.belief.metaposition.follow import stamp_of
from ks_env.core.bits import bit, has
from ks_env.core.jit import kernel
from ks_env.core.referee import judge
from ks_env.core.ruleset import Ruleset
from ks_env.core.setup import start_rows
from ks_env.core.tries import MOST_TRIES
from ks_env.players.kernel import choose

# What contradicts the truth, by number
FINE, MISSED, OWN_MEN, GHOST, EMPTY, MEN_LEFT, KIND_LEFT, FILE_PAWNS, RIGHTS, BEHIND = range(10)
FAULTS = ("fine", "missed", "own men", "ghost", "empty", "men left", "kind left", "file pawns", "rights", "behind")


@kernel
def contradiction(m: np.void, truth: np.void) -> int:
    """In what the metaposition of a seat excludes the true position: one of the numbers above."""
    seat = np.int64(m.seat)
    counts = np.zeros(7, np.int64)
    files = np.zeros(8, np.int64)
    for square in range(64):
        here = square ^ (56 * seat)
        man = np.int64(truth.men[square])
        kind = man & 7
        if kind == 0:
            if not has(m.ghosts[0], here):
                return EMPTY
        elif man >> 3 == seat:
            if not has(m.own[kind], here) or not has(m.own[0], here):
                return OWN_MEN
        else:
            if not has(m.ghosts[kind], here):
                return GHOST
            counts[kind] += 1
            counts[0] += 1
            files[here & 7] += kind == 1
    if counts[0] != m.most[0]:
        return MEN_LEFT
    for kind in range(1, 7):
        if counts[kind] > m.most[kind]:
            return KIND_LEFT
    for file in range(8):
        if files[file] > m.file_pawns[file]:
            return FILE_PAWNS
    theirs = (truth.rights >> (2 * (1 - seat))) & 3
    if theirs & ~m.their_rights:
        return RIGHTS
    return FINE


@kernel
def play_and_check(
    game: np.void, history: np.ndarray, rules: np.void, players: np.ndarray, records: np.ndarray,
    often: bool, scratch: np.ndarray, found: np.ndarray,
) -> int:
    """Play one game out; the first contradiction of a seat's metaposition, 0 for none.

    Args:
        game: GAME, begun.
        history: u8[H].
        rules: RULES.
        players: i8[2], the kernel player of each seat.
        records: METAPOSITION[2], the openings; overwritten.
        often: follow after every answer, else only when the seat is to move.
        scratch: i2[MOST_TRIES].
        found: i8[3]: the seat, the plies and the action at the contradiction; plies played in any case.
    """
    truth = game.truth
    while truth.reason == 0:
        mover = np.int64(truth.side)
        for seat in range(2):
            if (often or seat == mover) and not follow(records[seat], game.views[seat], rules):
                found[0] = seat
                return MISSED
            if often or seat == mover:
                if records[seat].stamp != stamp_of(game.views[seat]):
                    return BEHIND
                fault = contradiction(records[seat], truth)
                if fault != FINE:
                    found[0] = seat
                    found[1] = truth.plies
                    return fault
        action = choose(players[mover], game.views[mover], rules, truth.random, mover, scratch)
        found[2] = action
        judge(game, history, rules, action)
    found[1] = truth.plies
    return FINE


def check_games(
    ruleset: Ruleset, players: tuple[int, int], seeds: Sequence[int], fens: list[str], *, often: bool,
    hidden: bool = False,
) -> int:
    """Play a game for each seed from a start drawn by it; how many plies were checked.

    Raises:
        AssertionError: a metaposition does not contain the truth; with seed and ply.
    """
    rules = ruleset.record()
    starts = start_rows(fens, ruleset, hidden=hidden)
    plies = 0
    scratch, found = np.zeros(MOST_TRIES, np.int16), np.zeros(3, np.int64)
    for seed in seeds:
        rng = np.random.default_rng(seed)
        k = int(rng.integers(len(fens)))
        game = starts[k : k + 1].copy()
        game["truth"]["random"] = rng.integers(0, 2**63, (1, 3)).astype(np.uint64)
        history = np.zeros(ruleset.history, np.uint64)
        history[0] = game["truth"]["key"][0]
        game["truth"]["past"] = 1
        records = np.zeros(2, METAPOSITION)
        for seat in (0, 1):
            known = [f for i, f in enumerate(fens) if (hidden and alike(starts, i, k, seat)) or i == k]
            records[seat] = opening(known, seat == 0)
        fault = play_and_check(
            game[0], history, rules[0], np.array(players), records, often, scratch, found
        )
        assert fault == FINE, (
            f"{ruleset.name}, seed {seed}: seat {found[0]}, ply {found[1]}: {FAULTS[fault]} is contradicted"
        )
        plies += int(found[1])
    return plies


def alike(starts: np.ndarray, i: int, k: int, seat: int) -> bool:
    """Whether two starts look the same to a seat."""
    return starts["views"][i, seat].tobytes() == starts["views"][k, seat].tobytes()


__all__ = ["FAULTS", "bit", "check_games", "contradiction", "play_and_check"]
