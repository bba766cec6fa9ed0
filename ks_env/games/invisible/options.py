"""What an environment of invisible chess can be asked for."""

from dataclasses import dataclass
from typing import Any

from ks_env.core.record import Array
from ks_env.core.ruleset import Ruleset
from ks_env.games.invisible.game import INVISIBLE
from ks_env.games.invisible.hidden import HiddenMen, parse_both
from ks_env.games.invisible.start import start_rows
from ks_env.games.options import GameKeywords, GameOptions, only_draws_and_limits


class InvisibleKeywords(GameKeywords, total=False):
    """The fields of `InvisibleOptions` as keywords."""

    hidden: str | tuple[HiddenMen, HiddenMen]
    white: str | None
    black: str | None


@dataclass(frozen=True, kw_only=True)
class InvisibleOptions(GameOptions):
    """Arguments common to all environments of invisible chess; see also `GameOptions`.

    Where fewer men are hidden than there are of a kind, the referee draws a start position and a choice of
    men together, all of them alike probable. `ruleset_options` may change draws and limits.

    Attributes:
        hidden: White's and Black's hidden men, such as `"2B v 1R"`; see
            `ks_env.games.invisible.hidden.HiddenMen.parse`.
        white: White's alone, such as `"BB"`, overriding `hidden`.
        black: Black's alone, overriding `hidden`.
    """

    hidden: str | tuple[HiddenMen, HiddenMen] = "2B v 2B"
    white: str | None = None
    black: str | None = None

    def rules(self) -> Ruleset:
        """See `GameOptions.rules`."""
        return only_draws_and_limits(INVISIBLE, self.ruleset_options, "invisible chess")

    def starts(self) -> tuple[Array, list[str]]:
        """See `GameOptions.starts`."""
        hidden: Any = parse_both(self.hidden) if isinstance(self.hidden, str) else self.hidden
        if not isinstance(hidden, tuple) or [type(men) for men in hidden] != [HiddenMen, HiddenMen]:
            raise ValueError(f"hidden is {self.hidden!r}; expected words such as '2B v 1R', or two HiddenMen")
        for side, text in (("white", self.white), ("black", self.black)):
            if text is not None and not isinstance(text, str):
                raise ValueError(f"{side} is {text!r}; expected words such as 'BB'")
        men = [
            own if text is None else HiddenMen.parse(text)
            for own, text in zip(hidden, (self.white, self.black), strict=True)
        ]
        return start_rows(self.fens(), *men)
