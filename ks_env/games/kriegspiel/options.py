"""What an environment of Kriegspiel can be asked for."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

from ks_env.core.record import Array
from ks_env.core.ruleset import Ruleset
from ks_env.games.kriegspiel.start import start_rows
from ks_env.games.options import GameKeywords, GameOptions


class KriegspielKeywords(GameKeywords, total=False):
    """The fields of `Options` as keywords."""

    ruleset: str | Ruleset
    hidden_start: bool


@dataclass(frozen=True, kw_only=True)
class Options(GameOptions):
    """Arguments common to all environments of Kriegspiel; see also `GameOptions`.

    Attributes:
        ruleset: a name, or a `Ruleset`.
        hidden_start: the seats know only their own men; the list is the declared set of placements.
    """

    ruleset: str | Ruleset = "icc"
    hidden_start: bool = False

    @classmethod
    def under(cls, ruleset: str, options: Mapping[str, Any]) -> Self:
        """See `GameOptions.under`."""
        return cls.made_of({"ruleset": ruleset, "ruleset_options": options})

    @property
    def starts_hidden(self) -> bool:
        """See `GameOptions.starts_hidden`."""
        return self.hidden_start

    def rules(self) -> Ruleset:
        """See `GameOptions.rules`."""
        return Ruleset.named(self.ruleset, **self.ruleset_options)

    def starts(self) -> tuple[Array, list[str]]:
        """See `GameOptions.starts`."""
        if not isinstance(self.hidden_start, bool):
            raise ValueError(f"hidden_start is {self.hidden_start!r}; expected True or False")
        fens = self.fens()
        return start_rows(fens, self.rules(), hidden=self.hidden_start), fens
