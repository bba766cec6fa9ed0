"""The config of a data set: who plays whom, how often, who is asked for labels, and how starts are drawn."""

from itertools import combinations
from typing import Annotated, Self

from ks_arena.sections import Section
from ks_arena.study.config import GamesConfig, PlayerEntry, different_labels, without_budget
from pydantic import AfterValidator, Field, model_validator

from ks_env.games import game_named

ITSELF = "itself"


class DataPlayer(PlayerEntry):
    """A player of the data set; plain text is its `player`. See also `PlayerEntry`.

    Attributes:
        noise: share of its tries that are replaced by one drawn evenly from the informed mask.
        teacher: who is asked in each of its turns what to try: a player, "itself", or nobody if empty.
    """

    noise: float = Field(default=0.0, ge=0, lt=1)
    teacher: str = ""


class Meeting(Section):
    """Two players who meet.

    Attributes:
        players: their labels, which may be the same; who has White is drawn for each game.
        share: of the games, in proportion to the other meetings' shares.
    """

    players: tuple[str, str]
    share: float = Field(default=1.0, gt=0)


class DataConfig(GamesConfig):
    """A whole data set; see also `GamesConfig`.

    What a game depends on is this config, without `games`, and the game's number: a larger `games` goes on
    where a smaller one ended.

    Attributes:
        players: who take part.
        meetings: who meet; by default everybody meets everybody else, in equal shares.
        games: how many.
        quiet_plies: games begin up to so many random quiet moves after the start position.
    """

    players: Annotated[
        tuple[DataPlayer, ...],
        Field(min_length=1),
        AfterValidator(without_budget),
        AfterValidator(different_labels),
    ]
    meetings: tuple[Meeting, ...] = ()
    games: int = Field(ge=1)
    quiet_plies: int = Field(default=0, ge=0, le=100)

    @property
    def entries(self) -> tuple[PlayerEntry, ...]:
        """All players."""
        return self.players

    @model_validator(mode="after")
    def _labels_that_are_known(self) -> Self:
        labels = [player.label for player in self.players]
        for meeting in self.meetings:
            for label in meeting.players:
                if label not in labels:
                    raise ValueError(
                        f"meetings: unknown player {label!r}; expected one of {', '.join(labels)}"
                    )
        if not self.meetings and len(labels) < 2:
            raise ValueError("one player and no meetings; expected two players, or a meeting with itself")
        return self

    @model_validator(mode="after")
    def _starts_that_can_be_drawn(self) -> Self:
        if self.quiet_plies and self.hidden_start:
            raise ValueError("quiet_plies goes with starts that the players are told; hidden_start is true")
        own = game_named(self.game).own_men
        if self.quiet_plies and own is not None and any(own.on_squares(p.hidden) for p in self.players):
            raise ValueError("quiet_plies moves men away from their squares; name hidden men by kind")
        return self

    @property
    def all_meetings(self) -> tuple[Meeting, ...]:
        """Who meet, the default written out."""
        labels = [player.label for player in self.players]
        return self.meetings or tuple(Meeting(players=pair) for pair in combinations(labels, 2))

    def player(self, label: str) -> DataPlayer:
        """The player of that label."""
        return next(player for player in self.players if player.label == label)
