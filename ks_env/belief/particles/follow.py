"""A population of boards brought up to date with what its seat has been told."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from ks_env.belief.particles.boards import after_own_move, lay_out, passed_square, shared_board
from ks_env.belief.particles.layout import KINDS, Moves, Population, Work, population_of
from ks_env.belief.particles.models import OpponentModel
from ks_env.belief.particles.population import (
    FULL,
    copy_rows,
    effective_size,
    gather_all,
    gather_drawn,
    keep_after_own_move,
    keep_fitting,
    list_all,
    mark_fitting,
    normalise,
    pick_rows,
    resample,
)
from ks_env.belief.particles.rejuvenation import (
    ANY_BOARD,
    MOVING,
    WAITING,
    accept_boards,
    accept_origins,
    keep_boards,
    propose,
    redraw,
    scatter,
    without_captured,
)
from ks_env.belief.particles.turns import LOST_TRACK, NEWS, OWN, THEIRS, happened_since
from ks_env.core.start import parse_fen, rights_of
from ks_env.games.opening import Opening

Record = Any  # a record of `layout.particles_dtype`
# Men of a contradicted board that a new beginning moves
SET_ANYWHERE = (0, 1, 2, 3, 4, 6, 8, 12, 16)
ENOUGH = 1 / 32  # of the room, for a new beginning
ATTEMPTS = 4  # rounds of it with each number
THEIR_MOVE = 3  # a moment, beside those of `rejuvenation`


@dataclass(frozen=True)
class Care:
    """How a population is cared for.

    Attributes:
        threshold: boards are drawn anew when the effective sample size falls below this share of the room.
        steps: displacements that are proposed for each board then.
        stir: share of the boards for which one is proposed in every turn; none while the population is exact.

    Raises:
        ValueError: shares that are not from 0 to 1, or a negative number.
    """

    threshold: float = 0.5
    steps: int = 1
    stir: float = 0.3

    def __post_init__(self) -> None:
        """Refuse what is no share or number."""
        for name in ("threshold", "stir"):
            if not 0 <= getattr(self, name) <= 1:
                raise ValueError(f"{name} is {getattr(self, name)!r}; expected 0 to 1")
        if self.steps < 0:
            raise ValueError(f"steps is {self.steps!r}; expected 0 or more")


@dataclass(frozen=True)
class Following:
    """What a population is followed with.

    Attributes:
        rules: RULES record.
        model: of the opponent.
        care: see there.
        work: working memory for as many boards as there is room.
    """

    rules: Any
    model: OpponentModel
    care: Care
    work: Work


def begin_particles(record: Record, opening: Opening, seed: int = 0) -> None:
    """The population at the start: the placements that the seat deems possible, equally probable.

    Args:
        record: of `layout.particles_dtype`, in place.
        opening: of the game.
        seed: of the random numbers.

    Raises:
        ValueError: the start is hidden, and no placements were declared.
    """
    if not opening.fens:
        raise ValueError("particles begin with the start positions; none is given")
    boards = population_of(record)
    room, fens = len(boards.weight), list(opening.fens)
    record["exact"] = len(fens) <= room
    if len(fens) > room:
        fens = [fens[i] for i in np.random.default_rng(seed).choice(len(fens), room, replace=False)]
    for i, fen in enumerate(fens):
        _begin_row(boards, i, parse_fen(fen), opening.colour)
        boards.weight[i] = 1 / len(fens)
    record["known"] = opening.view
    record["count"] = len(fens)
    record["random"][0] = np.uint64(seed)
    record["mine"] = opening.view["men"]
    record["mine_rights"] = opening.view["rights"]
    record["consistent"] = record["begun"] = 1
    record["dry"] = record["resampled"] = 0


def _begin_row(boards: Population, i: int, board: Any, colour: bool) -> None:
    turn = 0 if colour else 56
    boards.men[i] = 0
    for square, piece in board.piece_map().items():
        if piece.color != colour:
            boards.men[i, piece.piece_type] |= np.uint64(1 << (square ^ turn))
    boards.rights[i] = rights_of(board, not colour) << 2
    passes = board.ep_square is not None and board.turn == colour
    boards.ep[i] = board.ep_square ^ turn if passes else -1
    boards.moved[i] = -1


def follow_particles(record: Record, view: Any, following: Following) -> bool:
    """Bring a population up to date; doing so again with the same view changes nothing.

    Following after every answer misses nothing; following once in each own turn misses the tries refused
    before the move that was accepted.

    Args:
        record: of `layout.particles_dtype`, in place.
        following: rules, model, care and memory.

    Returns:
        False if the view is of another game, more than an own move and an answer ahead, or lies behind.
    """
    if view["over"]:
        return True
    what = int(happened_since(record["known"], view))
    if what == LOST_TRACK:
        return False
    if what & OWN:
        _hear_own_move(record, view, following)
    if what & THEIRS:
        _hear_their_move(record, view, following)
    if what & NEWS:
        _hear_news(record, view, following)
    if what:
        _care(record, view, following, bool(what & THEIRS))
        record["known"] = view
    return True


def _hear_own_move(record: Record, view: Any, following: Following) -> None:
    known, work, boards = record["known"], following.work, population_of(record)
    shared_board(known["men"], int(known["rights"]), 0, work.truths[0])
    count = int(record["count"])
    copy_rows(boards, count, work.kept)
    kept = keep_after_own_move(boards, count, work.truths[0], view, following.rules, work.truths)
    record["mine_rights"] = after_own_move(
        known["men"], int(known["rights"]), view, work.truths[1:], record["mine"]
    )
    if kept:
        record["count"] = kept
        record["consistent"] = 1
        normalise(boards.weight, kept)
        return
    if view["took_kind"]:
        for row in work.kept.men[:count]:
            square = int(view["passed"] if view["passed"] >= 0 else view["took"])
            without_captured(row, square, int(view["took_kind"]), record["random"])
    _begin_anew(record, count, view, following, WAITING)


def _hear_their_move(record: Record, view: Any, following: Following) -> None:
    work, boards, count = following.work, population_of(record), int(record["count"])
    shared_board(record["mine"], int(record["mine_rights"]), 1, work.truths[0])
    lay_out(boards, count, False, work.truths[0], passed_square(view), work.moves)
    _weigh(work.moves, count, view, following)
    copy_rows(boards, count, work.kept)
    if work.moves.fit[:count].any():
        _gather(record, count, work.kept.weight, following)
        record["consistent"] = 1
    else:
        _begin_anew(record, count, view, following, THEIR_MOVE)


def _weigh(moves: Moves, count: int, view: Any, following: Following) -> None:
    """List the tries of the opponent on the first boards, and how likely those are that fit the view."""
    list_all(moves, count, view, following.rules)
    _ask_model(moves, count, view, following)


def _ask_model(moves: Moves, count: int, view: Any, following: Following) -> None:
    boards, tries, number, chance = (array[:count] for array in moves[:4])
    following.model.weigh(boards, view, tries, number, chance)
    mark_fitting(moves, count, view, following.rules, following.work.truths)


def _gather(record: Record, count: int, weights: Any, following: Following) -> None:
    """Replace the population by what follows the boards of `work.moves`."""
    boards, random = population_of(record), record["random"]
    found = gather_all(following.work, count, weights, boards, random)
    if found == FULL:
        found = gather_drawn(following.work, count, weights, boards, random)
        record["exact"] = 0
        record["resampled"] += 1
    record["count"] = found
    normalise(boards.weight, found)


def _hear_news(record: Record, view: Any, following: Following) -> None:
    work, boards, count = following.work, population_of(record), int(record["count"])
    copy_rows(boards, count, work.kept)
    shared_board(view["men"], int(view["rights"]), 0 if view["turn"] else 1, work.truths[0])
    kept = keep_fitting(boards, count, work.truths[0], view, work.truths)
    if kept:
        record["count"] = kept
        normalise(boards.weight, kept)
        return
    if not view["turn"]:
        _begin_anew(record, count, view, following, WAITING)
    elif work.kept.moved[0] >= 0:
        work.kept.men[:count] = work.kept.origin[:count]
        work.kept.rights[:count] = work.kept.origin_rights[:count]
        _begin_anew(record, count, view, following, THEIR_MOVE)
    else:
        _begin_anew(record, count, view, following, MOVING)


# -- care ------------------------------------------------------------------------------------------------


def _care(record: Record, view: Any, following: Following, turn: bool) -> None:
    """Draw anew by weight and rejuvenate, if the effective sample size is low; else stir, once in a turn."""
    boards, count, care = population_of(record), int(record["count"]), following.care
    room = len(boards.weight)
    if record["exact"] or not record["consistent"]:
        return
    if effective_size(boards.weight, count) < care.threshold * room:
        copy_rows(boards, count, following.work.kept)
        resample(following.work.kept, count, boards, record["random"])
        record["count"] = room
        record["resampled"] += 1
        _rejuvenate(record, view, following, care.steps, 1.0)
    elif turn and care.stir > 0:
        _rejuvenate(record, view, following, 1, care.stir)


def _rejuvenate(record: Record, view: Any, following: Following, steps: int, chosen: float) -> None:
    """Propose displacements for a share of the boards, so many times; the others are not looked at."""
    work, boards = following.work, population_of(record)
    count = int(pick_rows(boards, int(record["count"]), chosen, work.kept, work.rows, record["random"]))
    if count == 0:
        return
    if view["turn"] and record["moved"][0] >= 0:
        _rejuvenate_origins(record, count, view, following, steps)
    else:
        _rejuvenate_boards(record, count, view, following, steps)
    for array, picked in zip(boards, work.kept, strict=True):
        array[work.rows[:count]] = picked[:count]


def _rejuvenate_boards(record: Record, count: int, view: Any, following: Following, steps: int) -> None:
    work, random = following.work, record["random"]
    moment = MOVING if view["turn"] else WAITING
    passed = -1 if view["turn"] else passed_square(view)
    shared_board(view["men"], int(view["rights"]), 0 if view["turn"] else 1, work.truths[0])
    lay_out(work.kept, count, False, work.truths[0], passed, work.moves)
    for _ in range(steps):
        propose(work, count, view, following.rules, moment, passed, random)
        accept_boards(work, count, work.kept, random)


def _rejuvenate_origins(record: Record, count: int, view: Any, following: Following, steps: int) -> None:
    work, random, passed = following.work, record["random"], passed_square(view)
    shared_board(record["mine"], int(record["mine_rights"]), 1, work.truths[0])
    lay_out(work.kept, count, True, work.truths[0], passed, work.moves)
    _weigh(work.moves, count, view, following)
    redraw(work, count, work.kept, random)
    for _ in range(steps):
        propose(work, count, view, following.rules, WAITING, passed, random)
        list_all(work.others, count, view, following.rules)
        work.others.number[:count][work.ratio[:count] == 0] = 0  # no chances are asked for
        _ask_model(work.others, count, view, following)
        accept_origins(work, count, work.kept, random)


# -- a new beginning -------------------------------------------------------------------------------------


def _begin_anew(record: Record, count: int, view: Any, following: Following, moment: int) -> None:
    """All boards of `work.kept` are contradicted: others that fit the last observation.

    Args:
        record: in place.
        count: how many boards were contradicted.
        following: see there.
        moment: WAITING after an own move; THEIR_MOVE for boards before a move of the opponent's, which is
            then summed over; MOVING for those of a first turn, which have no origin.
    """
    record["dry"] += 1
    record["exact"] = 0
    record["consistent"] = 1
    room = len(record["weight"])
    if moment == MOVING:
        shared_board(view["men"], int(view["rights"]), 0, following.work.truths[0])
    else:
        shared_board(record["mine"], int(record["mine_rights"]), 1, following.work.truths[0])
        following.work.truths[0]["ep"] = passed_square(view)
    for enough in (max(1, int(room * ENOUGH)), 1):
        for number in SET_ANYWHERE:
            for _ in range(ATTEMPTS):
                if _try_anew(record, count, view, following, moment, number) >= enough:
                    return
    _give_up(record, count, view, following)


def _try_anew(record: Record, count: int, view: Any, following: Following, moment: int, number: int) -> int:
    """Boards with so many men set anywhere; how many were found, and kept as the population."""
    work, homeless = following.work, np.zeros(KINDS, np.int64)
    test = MOVING if moment == MOVING else WAITING
    arguments = (view, following.rules, test, number, homeless, record["random"], work.moves)
    found = int(scatter(work.kept, count, work.truths[0], *arguments))
    if moment == THEIR_MOVE and found:
        _weigh(work.moves, found, view, following)
        likely = int((work.moves.fit[:found] > 0).sum())
        if likely:
            _gather(record, found, np.full(found, 1 / found), following)
        return likely
    if found:
        keep_boards(work.moves, found, population_of(record))
        record["count"] = found
    return found


def _give_up(record: Record, count: int, view: Any, following: Following) -> None:
    """No board was found that fits: the men anywhere, until the next turn."""
    work, homeless = following.work, np.zeros(KINDS, np.int64)
    shared_board(view["men"], int(view["rights"]), 0 if view["turn"] else 1, work.truths[0])
    arguments = (view, following.rules, ANY_BOARD, 16, homeless, record["random"], work.moves)
    found = int(scatter(work.kept, count, work.truths[0], *arguments))
    keep_boards(work.moves, found, population_of(record))
    record["count"] = found
    record["consistent"] = 0
