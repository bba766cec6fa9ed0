"""The config of a study: who plays whom, how often, from where, under which rules and limits."""

from collections.abc import Callable, Iterable
from itertools import combinations, product
from pathlib import Path
from typing import Annotated, Any, Literal, Self

import chess
from pydantic import AfterValidator, BeforeValidator, Field, ValidationInfo, field_validator, model_validator

from ks_arena.apart.cage import Cage, walls
from ks_arena.apart.player import is_apart
from ks_arena.names import absolute, label_of, names_a_model, resolve
from ks_arena.sections import (
    SEEDS,
    ConfigError,
    Section,
    Starts,
    load_section,
)
from ks_arena.shipped import find_shipped
from ks_env.core.hints import hint
from ks_env.core.ruleset import Ruleset
from ks_env.core.start import parse_fen
from ks_env.games import DEFAULT_GAME, game_named
from ks_env.players.registry import is_ours, make_player
from ks_env.players.trust import check_named_in_file

BUDGET = "{budget}"  # stands in a ladder's players for the budget


GameId = Annotated[str, AfterValidator(lambda name: game_named(name).id)]


def _of_the_game(name: str, info: ValidationInfo) -> str:
    """The game's first ruleset where none is named."""
    if "game" not in info.data:  # that is the fault
        return name
    known = list(game_named(info.data["game"]).notation.rulesets)
    if not name:
        return known[0]
    if name not in known:
        expected = f"{info.data['game']} has {', '.join(known)}"
        raise ValueError(f"unknown ruleset {name!r}{hint(name, known)}; {expected}")
    return name


def _of_the_ruleset(options: dict[str, Any], info: ValidationInfo) -> dict[str, Any]:
    if info.data.get("ruleset"):  # otherwise that is the fault
        Ruleset.named(game_named(info.data["game"]).notation.rulesets[info.data["ruleset"]], **options)
    return options


class PlayerEntry(Section):
    """A player of the study; plain text is its `player`.

    Attributes:
        player: a name of the registry, `package.module:factory`, a model file or a run's folder. Looked up
            when the study is run, not before.
        label: how tables call it; by default made from `player`.
        hidden: in invisible chess, the men that this player has hidden: "2B", "c1 f1", "none".
        per_unit: in a ladder, what one unit of the budget is for this player: the nodes it makes in the time
            that is the unit, say.
        isolated: whether it lives in a process of its own, which holds no referee; see `GamesConfig`.
    """

    player: str = Field(min_length=1)
    label: str = ""
    hidden: str = ""
    per_unit: float = Field(default=1.0, gt=0)
    isolated: bool | None = None

    @model_validator(mode="before")
    @classmethod
    def _plain(cls, value: Any) -> Any:
        if isinstance(value, str):
            value = {"player": value}
        if isinstance(value, dict) and isinstance(value.get("player"), str) and not value.get("label"):
            value = value | {"label": label_of(value["player"])}
        return value


def _one_or_many(value: Any) -> Any:
    return [value] if isinstance(value, str | dict) else value


def without_budget(entries: tuple[PlayerEntry, ...]) -> tuple[PlayerEntry, ...]:
    """The players, none of which may have a `per_unit`."""
    for entry in entries:
        if entry.per_unit != 1.0:
            raise ValueError(
                f"{entry.player!r} has no budget here: per_unit goes with the players of a ladder"
            )
    return entries


def different_labels(entries: tuple[PlayerEntry, ...]) -> tuple[PlayerEntry, ...]:
    """The players, no two of whom may have one label."""
    labels = [entry.label for entry in entries]
    for label in labels:
        if labels.count(label) > 1:
            raise ValueError(f"two players are called {label!r}; give one of them a label of its own")
    return entries


Players = Annotated[tuple[PlayerEntry, ...], BeforeValidator(_one_or_many), Field(min_length=1)]
Unmeasured = Annotated[tuple[PlayerEntry, ...], AfterValidator(without_budget)]
UnmeasuredPlayers = Annotated[Players, AfterValidator(without_budget)]


Meetings = Iterable[tuple[PlayerEntry, PlayerEntry]]


class RoundRobin(Section):
    """Everybody against everybody.

    Attributes:
        players: two or more.
    """

    kind: Literal["round-robin"] = "round-robin"
    players: Annotated[Unmeasured, Field(min_length=2)]

    @property
    def entries(self) -> tuple[PlayerEntry, ...]:
        """All players."""
        return self.players

    @property
    def meetings(self) -> Meetings:
        """Who meets whom."""
        return combinations(self.players, 2)


class Gauntlet(Section):
    """Some against all others.

    Attributes:
        challengers: who are to be judged.
        against: by whom.
    """

    kind: Literal["gauntlet"] = "gauntlet"
    challengers: UnmeasuredPlayers
    against: UnmeasuredPlayers

    @property
    def entries(self) -> tuple[PlayerEntry, ...]:
        """All players."""
        return self.challengers + self.against

    @property
    def meetings(self) -> Meetings:
        """Who meets whom."""
        return product(self.challengers, self.against)


class Ladder(Section):
    """Players with growing budgets, each against the same opponents.

    Attributes:
        players: names with `{budget}` in them, such as `mcts-c:nodes={budget}`.
        budgets: times the player's `per_unit`, what is put there; in growing order.
        unit: of the budgets, such as nodes.
        against: the opponents.
    """

    kind: Literal["ladder"] = "ladder"
    players: Players
    budgets: Annotated[tuple[Annotated[float, Field(gt=0)], ...], Field(min_length=1)]
    unit: str
    against: UnmeasuredPlayers

    @property
    def entries(self) -> tuple[PlayerEntry, ...]:
        """All players."""
        return self.players + self.against

    @field_validator("players")
    @classmethod
    def _budget_named(cls, players: tuple[PlayerEntry, ...]) -> tuple[PlayerEntry, ...]:
        for entry in players:
            if BUDGET not in entry.player:
                raise ValueError(f"{entry.player!r} has no {BUDGET} in it")
        return players

    @field_validator("budgets")
    @classmethod
    def _growing(cls, budgets: tuple[float, ...]) -> tuple[float, ...]:
        if list(budgets) != sorted(set(budgets)):
            raise ValueError("expected budgets in growing order, each once")
        return budgets


Tournament = Annotated[RoundRobin | Gauntlet | Ladder, Field(discriminator="kind")]


class Limits(Section):
    """What a player forfeits by.

    Attributes:
        seconds_a_move: wall clock for one turn, all of its tries together; None for no limit. A player
            that has not returned shortly after it is stopped by force.
        deaths: a player loses the game once it has brought down this many worker processes.
        memory: MiB that the process of an isolated player may use.
        processes: how many processes and threads an isolated player may have; root's are not counted.
        answer: bytes of an isolated player's longest answer.
    """

    seconds_a_move: float | None = Field(default=300.0, gt=0)
    deaths: int = Field(default=3, ge=1)
    memory: int = Field(default=Cage.memory, ge=16)
    processes: int = Field(default=Cage.processes, ge=1)
    answer: int = Field(default=Cage.answer, ge=256)

    @property
    def cage(self) -> Cage:
        """The limits of an isolated player's process."""
        return Cage(self.memory, self.processes, self.answer)


class SprtRule(Section):
    """A sequential test of every pairing, fixed before the first game.

    Attributes:
        elo0: the first player's advantage under the null hypothesis.
        elo1: under the alternative.
        alpha: chance of accepting the alternative where the null hypothesis holds.
        beta: chance of accepting the null hypothesis where the alternative holds.
    """

    elo0: float
    elo1: float
    alpha: float = Field(default=0.05, gt=0, lt=0.5)
    beta: float = Field(default=0.05, gt=0, lt=0.5)

    @model_validator(mode="after")
    def _apart(self) -> "SprtRule":
        if self.elo0 >= self.elo1:
            raise ValueError(f"sprt: elo0 {self.elo0} is not below elo1 {self.elo1}")
        return self


class GamesConfig(Section):
    """Which game is played, from where, under which rules and limits: what configs of games have in common.

    Attributes:
        name: letters, digits, "-", "_" and "."; by default the games live in `runs/<name>`.
        seed: from which all games' seeds are made.
        game: id of the game, such as "InvisibleChess", in which every player has its own hidden men.
        ruleset: name of one of the game's rulesets; by default its first.
        ruleset_options: fields of the ruleset to replace, such as `{max_plies: 400}`.
        start: FENs; games take them in turn. None for the initial position.
        start_file: a file with a FEN or EPD a line, instead of `start`. What it holds becomes a part of
            the config.
        hidden_start: the players are not told the position.
        limits: what a player forfeits by.
        isolated: whether players live in processes of their own, which hold no referee; None for all those
            that this package does not bring. A player's own key comes first.
    """

    name: str = Field(min_length=1, pattern=r"^[\w.-]*\w[\w.-]*$")
    seed: int = Field(default=1, ge=0, lt=SEEDS)
    game: GameId = DEFAULT_GAME
    ruleset: Annotated[str, AfterValidator(_of_the_game)] = Field(default="", validate_default=True)
    ruleset_options: Annotated[dict[str, Any], AfterValidator(_of_the_ruleset)] = Field(default_factory=dict)
    start: Starts | None = None
    start_file: Path | None = None
    hidden_start: bool = False
    limits: Limits = Limits()
    isolated: bool | None = None

    @model_validator(mode="before")
    @classmethod
    def _read_starts(cls, data: Any) -> Any:
        if not isinstance(data, dict) or data.get("start_file") is None:
            return data
        if data.get("start") is not None:
            raise ValueError("start and start_file are both given; expected one of them")
        if not isinstance(data["start_file"], (str, Path)):
            raise ValueError(f"start_file is {data['start_file']!r}; expected the name of a file")
        return data | {"start": read_starts(find_shipped(data["start_file"])), "start_file": None}

    @property
    def entries(self) -> tuple[PlayerEntry, ...]:
        """All players."""
        return ()

    @model_validator(mode="after")
    def _keys_of_the_game(self) -> Self:
        game, men = game_named(self.game), [entry.hidden for entry in self.entries]
        if game.own_men is not None:
            game.own_men.check(men, self.starts)
        elif any(men):
            raise ValueError(f"players have hidden men; those of {game.id} have none of their own")
        return self

    @model_validator(mode="after")
    def _starts_that_can_be_hidden(self) -> Self:
        if self.hidden_start:
            try:
                game_named(self.game).hidden_rows(self.starts)
            except ValueError as error:
                raise ValueError(f"hidden_start: {error}") from error
        return self

    @model_validator(mode="after")
    def _players_that_may_run(self, info: ValidationInfo) -> Self:
        """Players of a file run what the user allows, and places also where walls are all around them."""
        for entry in self.entries if info.context is not None else ():
            for text in (entry.player, getattr(entry, "teacher", "")):
                if text and not self._walled(entry, text):
                    check_named_in_file(resolve(text) if names_a_model(text) else text)
        return self

    def _walled(self, entry: PlayerEntry, text: str) -> bool:
        """Whether a player is made within complete walls only."""
        return is_isolated(entry, text, self.isolated) and not is_apart(text) and walls().complete

    @property
    def rules(self) -> Ruleset:
        """The ruleset with its options."""
        return Ruleset.named(game_named(self.game).notation.rulesets[self.ruleset], **self.ruleset_options)

    @property
    def starts(self) -> tuple[str, ...]:
        """The start positions."""
        return self.start or (chess.STARTING_FEN,)


class StudyConfig(GamesConfig):
    """A whole study; see also `GamesConfig`. Pairs of games take the start positions in turn.

    Attributes:
        tournament: who plays whom.
        games: of each pairing, in pairs with colours swapped; the most, where there is an `sprt`.
        sprt: stop a pairing early.
    """

    tournament: Tournament
    games: int = Field(ge=2, multiple_of=2)
    sprt: SprtRule | None = None

    @property
    def entries(self) -> tuple[PlayerEntry, ...]:
        """All players."""
        return self.tournament.entries


def read_starts(path: Path) -> list[str]:
    """Start positions from a file: a FEN or EPD a line; empty lines and those from a "#" on do not count.

    Raises:
        ConfigError: it cannot be read, or one of its lines is not a position to start from.
    """
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path}: cannot be read: {error}; expected a FEN a line") from error
    fens = []
    for number, line in enumerate(lines, 1):
        text = line.split("#")[0].strip()
        if text:
            fens.append(_fen_of(text, f"{path}, line {number}"))
    if not fens:
        raise ConfigError(f"{path}: holds no position; expected a FEN a line")
    return fens


def _fen_of(text: str, where: str) -> str:
    try:
        if len(text.split()) == 6 and ";" not in text:
            return parse_fen(text).fen()
        board = chess.Board(None)
        board.set_epd(text)
        return parse_fen(board.fen()).fen()
    except ValueError as error:
        raise ConfigError(f"{where}: {error}") from error


def load_study(path: Path | str) -> StudyConfig:
    """Read a study's config.

    Raises:
        ConfigError: no such file, no YAML, an unknown key or a wrong value.
    """
    return load_section(StudyConfig, path)


def is_isolated(entry: PlayerEntry, name: str, default: bool | None) -> bool:
    """Whether a player lives in a process of its own.

    Args:
        entry: the player.
        name: as `check_player` gives it.
        default: what the study says of all players.
    """
    for said in (entry.isolated, default):
        if said is not None:
            return said
    return not is_ours(name)


def check_player(entry: PlayerEntry, check: Callable[[str], object] = make_player) -> str:
    """The name by which `make_player` makes this player.

    Args:
        entry: the player.
        check: makes it, or only looks for its factory (`find_factory`).

    Raises:
        ConfigError: it cannot be made, as far as was checked.
    """
    try:
        name = absolute(resolve(entry.player))
        check(name)
    except (ConfigError, KeyboardInterrupt):
        raise
    except ValueError as error:
        raise ConfigError(f"player {entry.player!r}: {error}") from error
    except BaseException as error:  # a player from anywhere may raise anything
        raise ConfigError(f"player {entry.player!r}: {type(error).__name__}: {error}") from error
    return name
