"""Load or compile the kernels of the games before anybody has to wait for them."""

from collections.abc import Callable
from time import monotonic

from ks_env.games import game_ids
from ks_env.games.opening import opening_of
from ks_env.players.registry import make_player
from ks_play.setup import Wish, settle
from ks_play.told import Believer, told


def warm_up(say: Callable[[str], None]) -> None:
    """Play a move of every game; the first time, its kernels are compiled.

    Args:
        say: called with a line before and after each game.
    """
    for game_id in game_ids():
        began = monotonic()
        setup, _ = settle(Wish(game=game_id, colour="white"))
        say(f"Making {setup.definition.name} ready (the first time, this compiles for half a minute) ...")
        game = setup.begin()
        player = make_player("random")
        player.begin(opening_of(game, True))
        game.ask(player.choose(game.view(True)))
        told(game, True, 0, None)
        if setup.definition.has_metapositions:
            Believer(setup.begin(), True).values()
        say(f"  ready in {monotonic() - began:.1f} s")
