"""The settings of a training experiment, read from YAML and checked before anything runs.

One file is one experiment: the sections below are its sections, the attributes its keys. An unknown key or
a wrong value is a `ConfigError` that names the key, the file and what was expected.
"""

from pathlib import Path
from typing import Annotated, Any, Literal

from ks_arena.sections import (
    SEEDS,
    PlayerName,
    RulesetName,
    RulesetOptions,
    Section,
    Starts,
    accepted_by,
    load_section,
    one_of,
)
from pydantic import Field, field_validator, model_validator

from ks_env.belief.encoders import make_encoder
from ks_env.belief.terms import terms_names
from ks_env.envs.options import MATERIAL
from ks_env.games import DEFAULT_GAME, game_named


class Schedule(Section):
    """A number that moves in a straight line with the share of the budget spent. A plain number is constant.

    Attributes:
        start: the value when training starts.
        end: the value when the budget is spent.
    """

    start: float
    end: float

    @model_validator(mode="before")
    @classmethod
    def _constant(cls, value: Any) -> Any:
        if isinstance(value, int | float) and not isinstance(value, bool):
            return {"start": value, "end": value}
        return value

    def at(self, progress: float) -> float:
        """The value after a share `progress` (0 to 1) of the budget."""
        return self.start + (self.end - self.start) * min(max(progress, 0.0), 1.0)


class Shaping(Section):
    """Potential-based shaping from announced captures; the word "material" stands for the usual values.

    Attributes:
        pawn: potential of a pawn.
        piece: potential of a piece.
    """

    pawn: float = MATERIAL["pawn"]
    piece: float = MATERIAL["piece"]

    @model_validator(mode="before")
    @classmethod
    def _usual(cls, value: Any) -> Any:
        return {} if value == "material" else value


class Environment(Section):
    """The vector environment, as `ks_env.envs.sb3.GameVecEnv` takes it.

    Attributes:
        ruleset: name of the ruleset.
        ruleset_options: fields of the ruleset to replace, such as `{max_plies: 400}`.
        mask: which closed mask the learner is given.
        shaping: None, "material", or the potentials themselves.
        encoder: None, or the name of an encoder that adds planes.
        terms: None, or the name of the terms that describe tries; the network then rests on these alone.
        seat: the learner's colour.
        start: FENs to draw from, each game its own; None for the initial position.
        hidden_start: neither side is told which of them was drawn.
        num_envs: games played at once.
        threads: threads that step them.
    """

    ruleset: RulesetName = "icc"
    ruleset_options: RulesetOptions = Field(default_factory=dict)
    mask: Literal["informed", "own-board"] = "informed"
    shaping: Shaping | None = None
    encoder: Annotated[str, accepted_by(make_encoder)] | None = None
    terms: Annotated[str, one_of("terms", terms_names)] | None = None
    seat: Literal["random", "white", "black"] = "random"
    start: Starts | None = None
    hidden_start: bool = False
    num_envs: int = Field(default=128, ge=1)
    threads: int = Field(default=1, ge=1)

    def options(self) -> dict[str, Any]:
        """What every environment of the experiment shares: its keywords."""
        return {
            "ruleset": self.ruleset,
            "ruleset_options": self.ruleset_options,
            "start": list(self.start) if self.start else None,
            "hidden_start": self.hidden_start,
            "mask": self.mask,
            "encoder": self.encoder,
            "terms": self.terms,
        }


class Stage(Section):
    """A part of the training against one opponent.

    Attributes:
        opponent: name of the player to train against.
        share: weight of this stage; the budget is divided among the stages in proportion.
        seat: the learner's colour in this stage; None for that of the environment.
        start: FENs of this stage; None for those of the environment.
    """

    opponent: PlayerName
    seat: Literal["random", "white", "black"] | None = None
    share: float = Field(default=1.0, gt=0)
    start: Starts | None = None


class Games(Section):
    """How many games of each kind are played at once; see `League`."""

    itself: int
    past: int
    players: dict[str, int]


class League(Section):
    """Games against itself, past selves and other players, at once; instead of stages of opponents.

    Attributes:
        itself: weight of the games in which the policy has both seats and learns from both.
        past: weight of those against one of its past selves; against itself as long as it has no past.
        players: weights of those against players, by name.
        every: tries of the learner between two snapshots, each a past self to come; None for none.
        keep: how many past selves there are; a new one takes the place of a random one.
        fixed: model files that are among the past selves from the start, and stay.
        temperature: at which past selves play.
        draw: what a drawn game brings either side; below 0 the policy takes risks to avoid draws.
        magnet: weight of the divergence from the magnet, which keeps self-play from running in circles.
        magnet_every: tries after which the magnet becomes the policy of that moment.
        starts: how many positions games begin from, where the environment names none.
        quiet_plies: these are up to so many random quiet moves after the initial position.
        ray: workers of a Ray cluster that play the games, each its share; 0 plays them in this process.
    """

    itself: float = Field(default=0.6, ge=0)
    past: float = Field(default=0.4, ge=0)
    players: dict[PlayerName, Annotated[float, Field(gt=0)]] = Field(default_factory=dict)
    every: int | None = Field(default=250_000, ge=1)
    keep: int = Field(default=8, ge=1)
    fixed: tuple[str, ...] = ()
    temperature: float = Field(default=1.0, ge=0)
    draw: float = Field(default=0.0, gt=-1, lt=1)
    magnet: float = Field(default=0.03, ge=0)
    magnet_every: int = Field(default=250_000, ge=1)
    starts: int = Field(default=1000, ge=1)
    quiet_plies: int = Field(default=8, ge=0, le=100)
    ray: int = Field(default=0, ge=0)

    @model_validator(mode="after")
    def _some_games(self) -> "League":
        if not self.itself + self.past + sum(self.players.values()):
            raise ValueError("all weights are 0; expected some games")
        if self.fixed and not self.past:
            raise ValueError("fixed: past is 0; expected some weight for games against them")
        return self

    def divided(self, games: int) -> Games:
        """So many games, divided by the weights; each kind that has a weight gets one at least.

        Raises:
            ValueError: there are fewer games than kinds.
        """
        weights = [self.itself, self.past, *self.players.values()]
        kinds = sum(weight > 0 for weight in weights)
        if games < kinds:
            raise ValueError(f"{games} games for {kinds} kinds of them; expected at least {kinds}")
        shares = [weight / sum(weights) for weight in weights]
        counts = [1 + int(share * (games - kinds)) if share else 0 for share in shares]
        counts[max(range(len(counts)), key=counts.__getitem__)] += games - sum(counts)
        return Games(
            itself=counts[0], past=counts[1], players=dict(zip(self.players, counts[2:], strict=True))
        )


class Learner(Section):
    """`sb3_contrib.MaskablePPO`.

    Attributes:
        steps: tries each game is played for between two updates; a rollout holds `num_envs * steps` tries.
        batch_size: tries in a minibatch.
        epochs: passes over a rollout.
        gamma: discount *a try*, of the shaping too. Below 1 it would make a refused try cost something,
            which it does not.
        gae_lambda: decay of generalised advantage estimation.
        learning_rate: of Adam; above 0, though it may end there.
        entropy: coefficient of the entropy bonus.
        clip: how far the ratio of new to old probability may move.
        value: coefficient of the value loss.
        max_grad_norm: longest gradient.
        target_kl: stop an update early beyond 1.5 times this divergence; None never stops.
    """

    steps: int = Field(default=64, ge=1)
    batch_size: int = Field(default=512, ge=2)
    epochs: int = Field(default=3, ge=1)
    gamma: float = Field(default=1.0, gt=0, le=1)
    gae_lambda: float = Field(default=0.95, ge=0, le=1)
    learning_rate: Schedule = Schedule(start=1e-3, end=1e-4)
    entropy: Schedule = Schedule(start=0.01, end=0.001)
    clip: float = Field(default=0.2, gt=0)
    value: float = Field(default=0.5, ge=0)
    max_grad_norm: float = Field(default=0.5, gt=0)
    target_kl: float | None = Field(default=None, gt=0)

    @field_validator("learning_rate")
    @classmethod
    def _downhill(cls, rate: Schedule) -> Schedule:
        if rate.start <= 0 or rate.end < 0:
            raise ValueError(
                f"goes from {rate.start} to {rate.end}; expected a start above 0, no end below 0"
            )
        return rate


class Network(Section):
    """The sizes of the network: of `ks_train.policy.terms` where tries are described by terms, else of
    `ks_train.policy.network`.

    Attributes:
        channels: features of a square.
        layers: 3 × 3 convolutions.
        embedding: length of the vectors whose product is the logit of a move.
        value_hidden: width of the value head.
        width: of the hidden layers over terms.
    """  # noqa: D205

    channels: int = Field(default=32, ge=1)
    layers: int = Field(default=2, ge=1)
    embedding: int = Field(default=32, ge=1)
    value_hidden: int = Field(default=64, ge=1)
    width: int = Field(default=64, ge=1)

    def over_planes(self) -> dict[str, int]:
        """The sizes that count where the network reads planes."""
        return self.model_dump(exclude={"width"})

    def over_terms(self) -> dict[str, int]:
        """The sizes that count where it reads terms."""
        return self.model_dump(include={"width", "value_hidden"})


class Budget(Section):
    """When training ends: at the first limit reached.

    Attributes:
        timesteps: tries of the learner. With this limit alone a run is the same each time.
        minutes: of wall clock, evaluations while training included.
        cpu_minutes: of processor time, evaluations included; the same on a busy machine.
    """

    timesteps: int | None = Field(default=None, ge=1)
    minutes: float | None = Field(default=None, gt=0)
    cpu_minutes: float | None = Field(default=None, gt=0)

    @model_validator(mode="after")
    def _some_limit(self) -> "Budget":
        if self.timesteps is None and self.minutes is None and self.cpu_minutes is None:
            raise ValueError("expected timesteps, minutes or cpu_minutes")
        return self

    def progress(self, timesteps: int, seconds: float, cpu_seconds: float = 0.0) -> float:
        """The share spent, 0 to 1: of the limit that is closer."""
        shares = [0.0]
        if self.timesteps is not None:
            shares.append(timesteps / self.timesteps)
        if self.minutes is not None:
            shares.append(seconds / (60 * self.minutes))
        if self.cpu_minutes is not None:
            shares.append(cpu_seconds / (60 * self.cpu_minutes))
        return min(max(shares), 1.0)


class Evaluation(Section):
    """How a policy is judged: half of the games with each colour, from the environment's start.

    Attributes:
        against: opponents, one at least.
        games: games per opponent at the end; even.
        seed: of the games, apart from the seed of the training.
        temperature: the policy's logits are divided by it before a try is drawn; 0 takes the likeliest.
        reference: players that are judged the same way for comparison.
        every: tries between two evaluations while training; None for none.
        games_while_training: games per opponent in those; even.
    """

    against: Annotated[tuple[PlayerName, ...], Field(min_length=1)] = ("random", "capture")
    games: int = Field(default=400, ge=2, multiple_of=2)
    seed: int = Field(default=10_000, ge=0, lt=SEEDS)
    temperature: float = Field(default=1.0, ge=0)
    reference: tuple[PlayerName, ...] = ()
    every: int | None = Field(default=None, ge=1)
    games_while_training: int = Field(default=100, ge=2, multiple_of=2)


class Checkpoints(Section):
    """When the state of a run is saved.

    Attributes:
        every: tries between two checkpoints.
        keep: how many of the latest stay.
    """

    every: int = Field(default=100_000, ge=1)
    keep: int = Field(default=2, ge=1)


class Experiment(Section):
    """A whole training experiment.

    Attributes:
        name: of the run: letters, digits, "-", "_" and "."; its folder is `runs/<name>` unless `folder`
            says otherwise.
        folder: where everything the run makes is put.
        seed: of parameters, games and minibatches.
        init: file or folder of a model whose weights training begins with, such as one of `ks clone`.
        torch_threads: threads of the learner.
        device: where the network learns; "auto" is a GPU where there is one. Games stay on the processor.
        opponents: stages, one after another; or none, and `league`.
        league: games against itself and many others at once.
    """

    name: str = Field(min_length=1, pattern=r"^[\w.-]+$")
    folder: Path | None = None
    seed: int = Field(default=1, ge=0, lt=SEEDS)
    init: str | None = None
    torch_threads: int = Field(default=2, ge=1)
    device: Literal["auto", "cpu", "cuda"] = "auto"
    env: Environment = Environment()
    opponents: tuple[Stage, ...] = ()
    league: League | None = None
    learner: Learner = Learner()
    network: Network = Network()
    budget: Budget
    evaluation: Evaluation = Evaluation()
    checkpoints: Checkpoints = Checkpoints()

    @field_validator("name")
    @classmethod
    def _a_folder_of_its_own(cls, name: str) -> str:
        if not name.strip("."):
            raise ValueError("expected a name with a letter or a digit")
        return name

    @model_validator(mode="after")
    def _stages_or_a_league(self) -> "Experiment":
        if bool(self.opponents) == (self.league is not None):
            raise ValueError("opponents, league: expected one of the two")
        if self.league is None:
            return self
        if self.env.terms is None:
            raise ValueError("env.terms: is not set; a league's policy rests on terms, such as raw")
        for name, value, expected in (
            ("env.shaping", self.env.shaping, None),
            ("env.seat", self.env.seat, "random"),
            ("env.hidden_start", self.env.hidden_start, False),
            ("learner.gamma", self.learner.gamma, 1.0),
            ("learner.target_kl", self.learner.target_kl, None),
        ):
            if value != expected:
                raise ValueError(f"{name}: is {value}; a league expects {expected}")
        if self.league.ray and self.budget.cpu_minutes is not None:
            raise ValueError("budget.cpu_minutes: leaves out the workers of league.ray; expected minutes")
        try:
            self.league.divided(self.env.num_envs)
        except ValueError as error:
            raise ValueError(f"env.num_envs: {error}") from error
        return self

    @model_validator(mode="after")
    def _starts_that_can_be_hidden(self) -> "Experiment":
        for stage in self.opponents if self.env.hidden_start else ():
            try:
                game_named(DEFAULT_GAME).hidden_rows(stage.start or self.env.start)
            except ValueError as error:
                raise ValueError(f"env.hidden_start: {error}") from error
        return self

    @model_validator(mode="after")
    def _whole_batches(self) -> "Experiment":
        if self.league is None and self.rollout % self.learner.batch_size:
            raise ValueError(
                f"learner.batch_size {self.learner.batch_size} does not divide the rollout of "
                f"env.num_envs × learner.steps = {self.rollout} tries"
            )
        return self

    @property
    def rollout(self) -> int:
        """Tries between two updates; in a league those of past selves are among them."""
        return self.env.num_envs * self.learner.steps

    @property
    def run_folder(self) -> Path:
        """The folder of the run."""
        return self.folder or Path("runs") / self.name

    def stage(self, progress: float) -> int:
        """The index of the stage after a share `progress` (0 to 1) of the budget."""
        total = sum(stage.share for stage in self.opponents)
        spent = 0.0
        for index, stage in enumerate(self.opponents):
            spent += stage.share / total
            if progress < spent:
                return index
        return len(self.opponents) - 1


def load_config(path: Path | str) -> Experiment:
    """Read an experiment.

    Raises:
        ConfigError: no such file, no YAML, an unknown key or a wrong value.
    """
    return load_section(Experiment, path)
