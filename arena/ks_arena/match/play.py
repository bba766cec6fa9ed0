"""One game, played and measured."""

import random
import sys
from dataclasses import replace
from functools import cache
from time import perf_counter
from typing import Any

import chess
import numpy as np

from ks_arena.apart.cage import walls
from ks_arena.apart.player import is_apart
from ks_arena.match.notebook import Notebook
from ks_arena.match.referee import Referee, game_of_job
from ks_arena.match.result import FORFEIT, OUTCOMES, GameResult, SeatWork, reason_name, versions_text
from ks_arena.match.seat import ForfeitError, Seat
from ks_arena.names import fingerprint
from ks_arena.sections import ConfigError
from ks_arena.study.schedule import GameJob
from ks_env.games import GameDefinition, game_named
from ks_env.games.opening import Opening
from ks_env.players.registry import make_player

MEN = "2B"  # hidden in games that hide some
_imported: set[str] = set()  # players that have been made in this process


@cache
def warm_up(game_id: str) -> None:
    """Load or compile the kernels of a game's referee and of the built-in players, so that no game waits."""
    for name in ("random", "capture"):
        first_tries(name, game_named(game_id), 1)


def first_tries(name: str, definition: GameDefinition, tries: int) -> Any:
    """A game after some tries of a player against itself."""
    rules = next(iter(definition.notation.rulesets.values()))
    game: Any = definition.play.for_match(
        chess.STARTING_FEN, rules, hidden_start=False, men=(MEN, MEN), draws=(0, 0)
    )
    seats = {colour: make_player(name) for colour in chess.COLORS}
    for colour, player in seats.items():
        player.begin(Opening.of(game, colour))
    for _ in range(tries):
        if game.to_play is not None:
            game.ask(seats[game.to_play].choose(game.view(game.to_play)))
    return game


def play_game(job: GameJob, notebook: Notebook | None = None) -> GameResult:
    """Play one game to its end, or to a forfeit.

    Args:
        job: the game.
        notebook: where to note who is thinking and what was tried.

    Raises:
        ConfigError: there is no such player here, or the file of one has changed.
    """
    warm_up(job.game)
    notebook = notebook or Notebook()
    notebook.new_game()
    _check_files(job)
    referee = Referee(game_of_job(job))
    begun = perf_counter()
    seats: tuple[Seat, ...] = ()
    fault = None
    try:
        seats = _take_seats(job, notebook)
        begun = perf_counter()
        _play(referee, seats, job, notebook)
    except ForfeitError as forfeit:
        fault = forfeit
    finally:
        for seat in seats:
            seat.close()
    result = result_of(job, referee, notebook, perf_counter() - begun, fault)
    return replace(result, notes=(seats[0].notes, seats[1].notes)) if seats else result


def _check_files(job: GameJob) -> None:
    """Refuse to play with another model than the study began with."""
    for label, name, expected in zip(job.labels, job.players, job.prints, strict=True):
        if expected is not None and fingerprint(name) != expected:
            raise ConfigError(f"the file of player {label!r} has changed since the study began")


def _take_seats(job: GameJob, notebook: Notebook) -> tuple[Seat, Seat]:
    """Make both players, with the same surroundings in a worker's first game and in its last."""
    for number, name in enumerate(job.players):
        # An import may draw from the shared generators, or seed them.
        if name not in _imported and not job.isolated[number]:
            Seat(number, job, notebook).close()
            _imported.add(name)
    _seed_shared_generators(job)
    white = Seat(0, job, notebook)
    try:
        return white, Seat(1, job, notebook)
    except BaseException:
        white.close()
        raise


def _seed_shared_generators(job: GameJob) -> None:
    """For players that draw from the generators that all share: by neither's own seed."""
    first, second, third = np.random.SeedSequence(job.seeds).generate_state(3)
    random.seed(int(first))
    np.random.seed(second)
    if "torch" in sys.modules:
        sys.modules["torch"].manual_seed(int(third))


def _play(referee: Referee, seats: tuple[Seat, ...], job: GameJob, notebook: Notebook) -> None:
    for seat in seats:
        seat.begin(job, referee.view(seat.number))
    listeners = [seat for seat in seats if seat.listens]
    for seat in listeners:
        seat.hear(referee.heard(seat.number))
    while not referee.over:
        mover = seats[referee.mover]
        action = mover.choose(referee.view(mover.number))
        ended = referee.ask(action)
        notebook.answer(action)
        for seat in listeners:
            seat.hear(referee.heard(seat.number))
        if ended:
            mover.note_nodes()
            mover.end_turn()
    for seat in seats:
        seat.note_nodes()


def result_of(
    job: GameJob, referee: Referee, notebook: Notebook, seconds: float, forfeit: ForfeitError | None = None
) -> GameResult:
    """What is known of a game that has ended, or that one player has forfeited.

    Once the rules have ended a game its result stands, whatever a player does on hearing it.
    """
    if referee.over:
        forfeit = None
    truth = referee.truth
    winner = int(truth["winner"]) if forfeit is None else 1 - forfeit.seat
    white, black = (
        SeatWork(
            moves=referee.moves[seat],
            tries=referee.tries[seat],
            seconds=float(notebook.seconds[seat]),
            slowest=float(notebook.slowest[seat]),
            nodes=None if notebook.nodes[seat] < 0 else int(notebook.nodes[seat]),
        )
        for seat in (0, 1)
    )
    return GameResult(
        pairing=job.pairing,
        pair=job.pair,
        leg=job.leg,
        white=job.labels[0],
        black=job.labels[1],
        white_seed=job.seeds[0],
        black_seed=job.seeds[1],
        start_fen=job.fen,
        outcome=OUTCOMES[winner],
        reason=reason_name(int(truth["reason"])) if forfeit is None else FORFEIT,
        fault=None if forfeit is None else forfeit.fault,
        plies=int(truth["plies"]),
        spoken=referee.spoken,
        work=(white, black),
        seconds=seconds,
        actions=np.array(referee.actions, "<i2").tobytes(),
        versions=versions_text(_apart(job)),
    )


def _apart(job: GameJob) -> tuple[str | None, str | None]:
    """What is kept from White's and Black's player; None for one that lives with the referee."""
    white, black = (
        walls().words if isolated or is_apart(name) else None
        for isolated, name in zip(job.isolated, job.players, strict=True)
    )
    return white, black


def result_of_broken(job: GameJob, notebook: Notebook, seconds: float, forfeit: ForfeitError) -> GameResult:
    """The result of a game whose worker is gone: the tries in its notebook are judged once more."""
    referee = Referee(game_of_job(job))
    for action in np.frombuffer(notebook.actions(), "<i2").tolist():
        referee.ask(action)
    return result_of(job, referee, notebook, seconds, forfeit)
