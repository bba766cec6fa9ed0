"""What a game on the page is made of: which game, by which rules, from where, and who sits where."""

from typing import Any, Literal

import chess
import numpy as np
from pydantic import BaseModel, ConfigDict, Field

from ks_env.core.ruleset import Ruleset
from ks_env.games import DEFAULT_GAME, GameDefinition, game_ids, game_named, serves
from ks_env.games.record import seat_index
from ks_env.games.under_way import GameUnderWay
from ks_env.players.registry import class_of, find_factory, parse_name, player_names, players_of
from ks_env.record import Record
from ks_play.clock import Control
from ks_play.rules import offered

PERSON = "person"
Colour = Literal["white", "black", "random"]


class Place(BaseModel):
    """Which game the page asks for.

    Attributes:
        game: id of the game.
        ruleset: one of the game's rulesets; its first where none is named.
        men: the hidden men of either side, in games that have them, such as "2B", or White's and Black's,
            such as "2B v 1R".
        start: FEN of the start.
    """

    model_config = ConfigDict(extra="forbid")

    game: str = Field(DEFAULT_GAME, max_length=40)
    ruleset: str | None = Field(None, max_length=40)
    men: str = Field("2B", max_length=60)
    start: str = Field(chess.STARTING_FEN, max_length=100)


class Wish(Place):
    """A game to be played.

    Attributes:
        options: fields of the ruleset to replace, such as `{"fifty_moves": False}`.
        colour: of the one who asks.
        opponent: name of a player with parameters, or `person`.
        clock: how much time each seat has; None for no clock.
    """

    options: dict[str, bool | int | str] = {}
    colour: Colour = "random"
    opponent: str = Field("random", max_length=200)
    clock: Control | None = None


class Setup(BaseModel):
    """A game that can be begun: the same setup gives the same game.

    Attributes:
        game, ruleset, men, start, options, clock: as in `Wish`.
        engines: by colour the player's name with parameters; None for a person.
        seeds: of either side.
    """

    game: str
    ruleset: str
    options: dict[str, bool | int | str]
    men: str
    start: str
    engines: tuple[str | None, str | None]
    seeds: tuple[int, int]
    clock: Control | None = None

    @property
    def definition(self) -> GameDefinition:
        """The game."""
        return game_named(self.game)

    def rules(self) -> Ruleset:
        """The rules."""
        return self.definition.options.under(self.ruleset, self.options).rules()

    def begin(self) -> GameUnderWay[Any]:
        """The game at its start.

        Raises:
            ValueError: no game can begin so.
        """
        own = self.definition.own_men
        men = ("", "") if own is None else own.read_both(self.men)
        return self.definition.play.for_match(
            self.start, self.rules(), hidden_start=False, men=men, draws=self.seeds
        )

    def engine(self, seat: bool) -> str | None:
        """The player of a seat; None for a person."""
        return self.engines[seat_index(seat)]

    def record(self, game: GameUnderWay[Any], **more: Any) -> Record:
        """The record of a game so far; `more` as for `AnyRecord.from_game`."""
        kind: Any = self.definition.notation.record
        names = [name or "Person" for name in self.engines]
        made: Record = kind.from_game(game, *names, event="ks play", **more)
        return made


def settle(wish: Wish, *, strangers: bool = False) -> tuple[Setup, bool]:
    """The game that was asked for, and the colour of the one who asked.

    Args:
        wish: what was asked for.
        strangers: whether others than who started the server may ask: then an opponent is one of the
            registry, with parameters that are numbers, since any other may name a program, a file or code.

    Raises:
        ValueError: there is no such game, ruleset or player, or no game can begin so.
    """
    definition = game_named(wish.game)
    rulesets = definition.notation.rulesets
    ruleset = wish.ruleset or next(iter(rulesets))
    if ruleset not in rulesets:
        raise ValueError(f"unknown ruleset {ruleset!r}; expected one of {', '.join(rulesets)}")
    known = [option["name"] for option in offered(definition)]
    for name in wish.options:
        if name not in known:
            raise ValueError(f"options: unknown option {name!r}; expected one of {', '.join(known)}")
    entropy = np.random.SeedSequence().generate_state(3)
    colour = bool(entropy[2] & 1) if wish.colour == "random" else wish.colour == "white"
    engine = None if wish.opponent == PERSON else checked(wish.opponent, definition, strangers)
    setup = Setup(
        game=definition.id,
        ruleset=ruleset,
        options=wish.options,
        men=wish.men,
        start=wish.start,
        engines=(None, engine) if colour else (engine, None),
        seeds=(int(entropy[0]), int(entropy[1])),
        clock=wish.clock,
    )
    if setup.begin().to_play is None:
        raise ValueError(f"the game is over at its start {wish.start!r}; expected a position to play on")
    return setup, colour


def checked(name: str, definition: GameDefinition, strangers: bool) -> str:
    """The name of a player of this game, whom the one who asks may name; see `settle`.

    Raises:
        ValueError: there is no such player, or not for the one who asks.
    """
    known, parameters = parse_name(name)
    if strangers:  # before anything of that name is imported
        if known not in player_names():
            raise ValueError(
                f"player {known!r} is not announced here; expected one of {', '.join(player_names())}"
            )
        for key, value in parameters.items():
            if not isinstance(value, (bool, int, float)):
                raise ValueError(
                    f"player {name!r}: {key} is {value!r}; expected a number on a server for others"
                )
    find_factory(name)
    player = class_of(known)
    if player is not None and not serves(player, definition):
        raise ValueError(f"player {name!r} does not play {definition.name}")
    return name


def catalogue() -> dict[str, Any]:
    """What there is to choose from: games, their rulesets, and the players of each."""
    games = [game_named(name) for name in game_ids()]
    return {
        "games": [
            {
                "id": game.id,
                "name": game.name[:1].upper() + game.name[1:],
                "about": game.about,
                "rulesets": list(game.notation.rulesets),
                "options": offered(game),
                "men": game.own_men is not None,
                "players": [name for name in players_of(game) if _is_ready(name)],
            }
            for game in games
        ]
    }


def _is_ready(name: str) -> bool:
    """Whether a player can be made without a parameter."""
    try:
        find_factory(name)
    except (ValueError, ImportError):  # it needs a file, or a package that is not installed
        return False
    return True
