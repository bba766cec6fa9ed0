"""A published table as a file: each figure with its place in the paper, and the study that measures it."""

from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, field_validator, model_validator

from ks_arena.sections import ConfigError, Section, check_section, one_of, read_yaml
from ks_arena.shipped import FOLDER, configs_folder
from ks_arena.study.config import StudyConfig
from ks_arena.study.schedule import Pairing, field_of
from ks_env.belief.joint.encoder import JointEncoder
from ks_env.belief.metaposition.encoder import MetapositionEncoder
from ks_env.core.answers import Reason
from ks_env.games import game_named, serves

ENDING = ".yaml"

UNITS: dict[str, str] = {  # by kind of measure
    "wins": "%",
    "losses": "%",
    "draws": "%",
    "decisive_wins": "%",
    "points": "%",
    "elo": "Elo",
    "wins_per_loss": "wins a loss",
    "lead": "Elo",
    "tries_a_move": "tries a move",
    "spoken": "% of moves",
    "nodes_ratio": "×",
    "less_uncertain": "% of wins",
    "less_entropy": "% of wins",
}
RIVALS = ("lead", "nodes_ratio")  # kinds that compare the player with others
SHARES = ("wins", "losses", "draws", "decisive_wins", "points")  # as exact as their number of games says
ENTROPIES = {"less_uncertain": JointEncoder, "less_entropy": MetapositionEncoder}  # of what, by kind


class Published(Section):
    """The figure as it was published.

    Attributes:
        relation: "=" for a value, "<" and ">" for a bound, "range" for two.
        value: in the unit of the measure; the lower end of a range.
        to: the upper end of a range.
        games: how many games it comes from; None where the paper does not say.
        words: the paper's own.
    """

    relation: Literal["=", "<", ">", "range"] = "="
    value: float
    to: float | None = None
    games: int | None = Field(default=None, ge=1)
    words: str = ""

    @model_validator(mode="after")
    def _ends(self) -> "Published":
        if (self.relation == "range") != (self.to is not None):
            raise ValueError('the key "to" goes with the relation "range", and with no other')
        if self.to is not None and self.to <= self.value:
            raise ValueError(f"the range ends at {self.to:g}; expected more than {self.value:g}")
        return self


class Rival(Section):
    """Another player that the measured one is compared with; plain text is its `player`.

    Attributes:
        player: its label; in a ladder, without the budget.
        study: where it plays; by default the row's.
        budget: in a ladder; by default that of the measured player.
    """

    player: str
    study: str | None = None
    budget: float | None = None


def _plain_rival(value: Any) -> Any:
    return {"player": value} if isinstance(value, str) else value


class Measure(Section):
    """What is computed from the games.

    Attributes:
        kind: one of

            ==============  ==========================================================================
            wins, losses    share of the games, %
            draws           the same; of those that ended by `reasons`, if there are any
            decisive_wins   share of the games that somebody won, %
            points          a win 1, a draw ½: share of what can be had, %
            elo             logistic Elo difference from the points
            wins_per_loss   wins for each loss
            lead            Elo against the opponent minus that of the best rival
            tries_a_move    tries for each accepted move
            spoken          share of the player's moves after which the referee said something, %
            nodes_ratio     nodes a second of its own time, divided by those of the rival
            less_uncertain  of the games that `winner` won, those in which it was the less uncertain of the
                            hidden men, over the whole game, %: in invisible chess
            less_entropy    of the games that `winner` won, those in which its chessboard had the less
                            entropy, in the last ten moves, %: in Kriegspiel
            ==============  ==========================================================================
        player: label of the player; in a ladder, without its budget.
        against: label of the opponent.
        budget: in a ladder, the player's.
        rivals: for `lead` one or more, for `nodes_ratio` one.
        reasons: for `draws`, such as STALEMATE; none for all.
        moves: for `spoken`, the first and last of the player's moves that count; None for all.
        colour: for the last two, of the player; None for either.
        winner: for the last two, "player" or "opponent".
    """

    kind: Annotated[str, one_of("kind", lambda: UNITS)]
    player: str
    against: str
    budget: float | None = None
    rivals: tuple[Annotated[Rival, BeforeValidator(_plain_rival)], ...] = ()
    reasons: tuple[Annotated[str, one_of("reason", lambda: Reason.__members__)], ...] = ()
    moves: tuple[int, int] | None = None
    colour: Literal["white", "black"] | None = None
    winner: Literal["player", "opponent"] = "player"

    @model_validator(mode="after")
    def _fitting(self) -> "Measure":
        if bool(self.rivals) != (self.kind in RIVALS):
            raise ValueError(f"rivals go with {' and '.join(RIVALS)}, and with no other kind")
        if self.kind == "nodes_ratio" and len(self.rivals) != 1:
            raise ValueError(f"nodes_ratio compares with one rival, found {len(self.rivals)}")
        if self.reasons and self.kind != "draws":
            raise ValueError('reasons go with the kind "draws"')
        if self.moves is not None and (self.kind != "spoken" or not 1 <= self.moves[0] <= self.moves[1]):
            raise ValueError('moves are two numbers in order, from 1 on, and go with the kind "spoken"')
        if self.kind not in ENTROPIES and (self.colour is not None or self.winner != "player"):
            raise ValueError(f"colour and winner go with {' and '.join(ENTROPIES)}, and with no other kind")
        return self


class Row(Section):
    """One published figure.

    Attributes:
        what: in words.
        section: where in the paper.
        published: the figure.
        study: key of the study that measures it; None if nothing does.
        measure: what is computed from the games.
        unmeasured: why nothing can be computed, instead of `measure`.
        unit: of a figure that is not measured.
        note: the reading of the paper, and in what our conditions differ.
    """

    what: str
    section: str
    published: Published
    study: str | None = None
    measure: Measure | None = None
    unmeasured: str = ""
    unit: str = ""
    note: str = ""

    @model_validator(mode="after")
    def _measured_or_not(self) -> "Row":
        if (self.measure is None) != bool(self.unmeasured):
            raise ValueError("expected either a measure or, under unmeasured, why there is no measure")
        if self.measure is not None and self.study is None:
            raise ValueError("expected the study that is measured")
        if self.measure is None and (self.study is not None or not self.unit):
            raise ValueError("a figure that is not measured has a unit, and no study")
        if self.measure is not None and self.unit:
            raise ValueError(f"the unit is that of the measure: {UNITS[self.measure.kind]}")
        return self

    @property
    def words_and_note(self) -> str:
        """The paper's words in quotes and the note, where there are any."""
        words = f"“{self.published.words}”" if self.published.words else ""
        return ". ".join(filter(None, [words, self.note]))

    @property
    def measure_dict(self) -> dict[str, Any] | None:
        """What is computed, for JSON."""
        return None if self.measure is None else self.measure.model_dump(mode="json")

    @property
    def sides(self) -> tuple[tuple[str, str, float | None], ...]:
        """Study, label and budget of the measured player and of its rivals; empty without a study."""
        measure = self.measure
        if measure is None or self.study is None:
            return ()
        rivals = [
            (rival.study or self.study, rival.player, rival.budget or measure.budget)
            for rival in measure.rivals
        ]
        return ((self.study, measure.player, measure.budget), *rivals)


class Picture(Section):
    """A figure of the paper that is redrawn from ladders.

    Attributes:
        name: of the file, without its ending.
        studies: keys of the ladders.
        unit: of their budgets.
    """

    name: str = Field(pattern=r"^[\w-]+$")
    studies: Annotated[tuple[str, ...], Field(min_length=1)]
    unit: str


class PublishedTable(Section):
    """The figures of one paper.

    Attributes:
        title: of the table.
        source: the paper.
        note: conditions that hold for all of it.
        studies: by key; a study's name, if not given, is made from the table's and the key.
        rows: the figures.
        pictures: of the paper, redrawn.
        comparison: whose `comparison.md` holds what single rows do not show, "invisible" or "metapositions".
    """

    title: str
    source: str
    note: str = ""
    pictures: tuple[Picture, ...] = ()
    comparison: Literal["invisible", "metapositions"] | None = None
    studies: dict[Annotated[str, Field(pattern=r"^[\w-]+$")], StudyConfig] = Field(default_factory=dict)
    rows: Annotated[tuple[Row, ...], Field(min_length=1)]

    @field_validator("studies")
    @classmethod
    def _played_whole(cls, studies: dict[str, StudyConfig]) -> dict[str, StudyConfig]:
        for key, config in studies.items():
            if config.sprt is not None:
                raise ValueError(
                    f"study {key!r} has an sprt: of games that stop when they look well no interval holds"
                )
        return studies

    @model_validator(mode="after")
    def _pictures_are_of_ladders(self) -> "PublishedTable":
        for picture in self.pictures:
            for key in picture.studies:
                if key not in self.studies or self.studies[key].tournament.kind != "ladder":
                    ladders = ", ".join(k for k, c in self.studies.items() if c.tournament.kind == "ladder")
                    raise ValueError(
                        f"picture {picture.name!r}: {key!r} is not a ladder of the table; expected some of"
                        f" {ladders or 'none'}"
                    )
        return self

    @model_validator(mode="after")
    def _rows_find_their_games(self) -> "PublishedTable":
        for row in self.rows:
            for study, player, budget in row.sides:
                if study not in self.studies:
                    known = ", ".join(self.studies)
                    raise ValueError(
                        f"row {row.what!r}: there is no study {study!r}; expected one of {known}"
                    )
                assert row.measure is not None
                try:
                    find_pairing(self.studies[study], player, row.measure.against, budget)
                except ConfigError as error:
                    raise ValueError(f"row {row.what!r}: {error}") from error
                kind, game = row.measure.kind, game_named(self.studies[study].game)
                if kind in ENTROPIES and not serves(ENTROPIES[kind], game):
                    raise ValueError(
                        f"row {row.what!r}: {kind} is no measure of {game.name}; expected another kind"
                    )
        return self


def find_pairing(
    config: StudyConfig, player: str, against: str, budget: float | None
) -> tuple[Pairing, bool]:
    """Where a player meets another, and whether it is the first of the pairing.

    Raises:
        ConfigError: nowhere in this study.
    """
    pairings = field_of(config).pairings
    for pairing in pairings:
        label = pairing.first if pairing.budget is None else pairing.series
        if (label, pairing.budget, pairing.second) == (player, budget, against):
            return pairing, True
        if budget is None and (pairing.second, pairing.first) == (player, against):
            return pairing, False
    at = "" if budget is None else f" at {budget:g}"
    raise ConfigError(
        f"{player!r}{at} does not meet {against!r} in this study; expected one of "
        + "; ".join(
            f"{pairing.series} at {pairing.budget:g} v {pairing.second}"
            if pairing.budget is not None
            else f"{pairing.first} v {pairing.second}"
            for pairing in pairings
        )
    )


def load_table(path: Path) -> PublishedTable:
    """Read a published table.

    Raises:
        ConfigError: no such file, no YAML, an unknown key, a wrong value, or a row without games.
    """
    data = read_yaml(path)
    studies = data.get("studies")
    if isinstance(studies, dict):
        named = {
            key: {"name": f"{path.stem}-{key}"} | config if isinstance(config, dict) else config
            for key, config in studies.items()
        }
        data = data | {"studies": named}
    return check_section(PublishedTable, data, str(path), from_file=True)


def tables_folder() -> Path:
    """Where the tables are: under the working folder, or else where those of the package are.

    Raises:
        ConfigError: in neither.
    """
    own, folder = FOLDER / "reproduce", configs_folder()
    if own.is_dir():
        return own
    if folder is None:
        raise ConfigError("there are no configs beside this package; expected the tables among them")
    return folder / "reproduce"


def all_tables() -> list[Path]:
    """The files of all tables, sorted.

    Raises:
        ConfigError: there is no folder of tables.
    """
    return sorted(tables_folder().glob(f"*{ENDING}"))


def find_table(name: str) -> Path:
    """The file of the table with this name; a path that ends in .yaml is its own.

    Raises:
        ConfigError: there is no such table.
    """
    if name.endswith(ENDING):
        return Path(name)
    known = {path.stem: path for path in all_tables()}
    if name not in known:
        raise ConfigError(
            f"unknown table {name!r}; expected one of {', '.join(known)}, or a path that ends in {ENDING}"
        )
    return known[name]
