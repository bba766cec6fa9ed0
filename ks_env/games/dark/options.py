"""What an environment of dark chess can be asked for."""

from dataclasses import dataclass

from ks_env.core.record import Array
from ks_env.core.ruleset import Ruleset
from ks_env.games.dark.game import DARK
from ks_env.games.dark.start import start_rows
from ks_env.games.options import GameOptions, only_draws_and_limits


@dataclass(frozen=True, kw_only=True)
class DarkOptions(GameOptions):
    """Arguments common to all environments of dark chess: those of `GameOptions`.

    `ruleset_options` may change draws and limits.
    """

    def rules(self) -> Ruleset:
        """See `GameOptions.rules`."""
        return only_draws_and_limits(DARK, self.ruleset_options, "dark chess")

    def starts(self) -> tuple[Array, list[str]]:
        """See `GameOptions.starts`."""
        fens = self.fens()
        return start_rows(fens), fens
