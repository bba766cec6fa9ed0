"""Load or compile kernels before anybody waits for them: the first game's, then the others' in a thread."""

import threading
from collections.abc import Callable
from functools import partial
from time import monotonic

from ks_arena.match.play import first_tries

from ks_env.games import DEFAULT_GAME, game_ids, game_named
from ks_env.games.definition import GameDefinition
from ks_env.render.following import Follower, can_follow
from ks_play.refusals import Refusal
from ks_play.told import belief, told

POSSIBLE = "what is possible"  # the metapositions that are shown
Say = Callable[[str], None]

_missing: set[str] = set()  # what the thread has still to make ready


def check_ready(what: str) -> None:
    """Refuse what would have to wait for the compiler, and all others with it.

    Args:
        what: the name of a game, or `POSSIBLE`.

    Raises:
        Refusal: it is not ready.
    """
    if what in _missing:
        raise Refusal(f"{what} is being made ready, which takes a minute the first time; try again soon")


def warm_up(say: Say) -> threading.Thread:
    """Make the first game ready, and begin a thread that goes on with the rest.

    Args:
        say: called with a line before and after each part.
    """
    games = [game_named(game_id) for game_id in game_ids()]
    first = game_named(DEFAULT_GAME)
    games.remove(first)
    _missing.update([POSSIBLE, *(game.name for game in games)])
    _timed(first.name, partial(_play, first), say)

    def rest() -> None:
        for game in games:
            _timed(game.name, partial(_play, game), say)
        for game in (first, *games):
            if can_follow(game):
                _timed(POSSIBLE, partial(_believe, game), say)

    thread = threading.Thread(target=rest, name="warm", daemon=True)
    thread.start()
    return thread


def _timed(what: str, run: Callable[[], None], say: Say) -> None:
    began = monotonic()
    say(f"Making {what} ready (the first time, this compiles for a while) ...")
    try:
        run()
    finally:
        _missing.discard(what)
    say(f"  {what} is ready after {monotonic() - began:.1f} s")


def _play(definition: GameDefinition) -> None:
    """A move of the game, and what its seat is told."""
    told(first_tries("random", definition, 1), True, 0, None)


def _believe(definition: GameDefinition) -> None:
    belief(Follower(first_tries("random", definition, 0)).ghosts(True))
