"""Fitting the belief network to replayed games: told what seats knew, it learns where the men truly stood."""

import json
from math import cos, pi
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from ks_arena.match.result import versions_text
from ks_arena.sections import ConfigError, Section, dump_section
from pydantic import Field
from rich.console import Console
from rich.progress import Progress, track
from torch import nn
from torch.nn import functional

from ks_env.belief.location.layout import KINGS, PAWNS, PIECES, SORTS
from ks_env.belief.network.inputs import (
    BOARDS,
    MEMORY_FIRST,
    ROOTS_TOLD,
    SHARES_TOLD,
    TERMS,
    VALUES,
    InputsEncoder,
)
from ks_env.belief.network.network import LOGITS, Network, write_network
from ks_env.belief.network.sampled import SampledInputsEncoder
from ks_env.belief.particles.layout import MOST_BOARDS
from ks_env.core.files import write_aside
from ks_env.core.tables import KING, PAWN
from ks_env.games.kriegspiel.planes import CHANNEL
from ks_train.data.replay import Batch, replay

WEIGHTS, SUMMARY = "weights.npz", "summary.json"
HELD_OUT = 10  # one game in so many is judged instead of learnt
READ = 4096  # decisions replayed at once
CUT = 1024  # decisions judged at once
NEVER = -1e9  # logit of a king where none may be
MAY_BE = MEMORY_FIRST + 1  # plane "pawn possible"; the other kinds follow
REFUSED = CHANNEL["refused from"]
OF_BOTH = 0.5  # share of the map in the first logits of a network that is told of particles, too


class BeliefTraining(Section):
    """The config of a belief network.

    Attributes:
        seed: of the weights, of the decisions drawn and of their order.
        share: of the decisions at the beginning of a turn that are learnt from.
        share_refused: likewise of those after a refusal.
        particles: boards of the particle filter that the network is told of, too; 0 for none.
        hidden: size of the hidden layer over the whole board.
        channels: of each square.
        dropout: share of the inputs, and of the hidden layer, that is left out in each step.
        epochs: passes over the decisions.
        batch_size: decisions in a step.
        learning_rate: at the start; it goes down by a cosine.
        weight_decay: of AdamW.
    """

    seed: int = Field(ge=0)
    share: float = Field(default=0.4, gt=0, le=1)
    share_refused: float = Field(default=0.08, ge=0, le=1)
    particles: int = Field(default=0, ge=0, le=MOST_BOARDS)
    hidden: int = Field(default=48, ge=1, le=512)
    channels: int = Field(default=16, ge=1, le=128)
    dropout: float = Field(default=0.2, ge=0, lt=1)
    epochs: int = Field(default=2, ge=1)
    batch_size: int = Field(default=256, ge=1)
    learning_rate: float = Field(default=2e-3, gt=0)
    weight_decay: float = Field(default=0.01, ge=0)


class Known(NamedTuple):
    """What seats knew at N decisions, and where the opponents' men were.

    Attributes:
        boards: u1[N, B, 64], planes by square.
        terms: u1[N, T].
        truth: bool[N, 3, 64], king, pawns, pieces.
        games: i8[N], numbers of the games.
    """

    boards: torch.Tensor
    terms: torch.Tensor
    truth: torch.Tensor
    games: np.ndarray[Any, Any]

    def chosen(self, rows: Any) -> "Known":
        """Some of the decisions."""
        return Known(self.boards[rows], self.terms[rows], self.truth[rows], self.games[rows])


class BeliefNet(nn.Module):
    """The network of `ks_env.belief.network.network`, to be fitted.

    Args:
        config: sizes and dropout.
    """

    values: torch.Tensor
    of_map: torch.Tensor

    def __init__(self, config: BeliefTraining) -> None:
        super().__init__()
        hidden, channels = config.hidden, config.channels
        self.boards = nn.Linear(len(BOARDS) * 64, hidden)
        self.terms = nn.Linear(len(TERMS), hidden, bias=False)
        self.last = nn.Linear(hidden, SORTS * 64)
        self.local = nn.Conv2d(len(BOARDS), channels, 3, padding=1, bias=False)
        self.places = nn.Parameter(torch.zeros(channels, 64))
        self.context = nn.Linear(hidden, channels, bias=False)
        self.heads = nn.Parameter(torch.randn(SORTS, channels) * 0.05)
        told = config.particles > 0
        self.scale = nn.Parameter(torch.full((SORTS,), OF_BOTH if told else 1.0))
        self.shares = nn.Parameter(torch.full((SORTS,), 1 - OF_BOTH if told else 0.0), requires_grad=told)
        self.dropout = nn.Dropout(config.dropout)
        nn.init.zeros_(self.last.weight)  # at first the map's own chances
        nn.init.zeros_(self.last.bias)
        if not told:  # what is never told has no weight
            with torch.no_grad():
                self.boards.weight.view(hidden, len(BOARDS), 64)[:, BOARDS >= SHARES_TOLD] = 0
                self.local.weight[:, BOARDS >= SHARES_TOLD] = 0
                self.terms.weight[:, TERMS >= SHARES_TOLD] = 0
        self.register_buffer("values", torch.from_numpy(VALUES))
        self.register_buffer("of_map", torch.from_numpy(LOGITS))

    def forward(self, boards: torch.Tensor, terms: torch.Tensor) -> torch.Tensor:
        """Logits f4[N, 3, 64] from u1[N, B, 64] and u1[N, T]."""
        number = len(boards)
        values = _looked_up(self.values[BOARDS], boards.flatten(2)).view(boards.shape)
        told = _looked_up(self.values[TERMS], terms[:, :, None])[:, :, 0]
        hidden = torch.relu(self.boards(self.dropout(values.flatten(1))) + self.terms(told))
        hidden = self.dropout(hidden)
        near = self.local(values.view(number, -1, 8, 8)).flatten(2) + self.places
        near = torch.relu(near + self.context(hidden)[:, :, None])
        first = int(np.searchsorted(BOARDS, ROOTS_TOLD))
        of_map: torch.Tensor = self.of_map[boards[:, first : first + SORTS].long()] * self.scale[:, None]
        first = int(np.searchsorted(BOARDS, SHARES_TOLD))
        of_map = of_map + self.of_map[boards[:, first : first + SORTS].long()] * self.shares[:, None]
        added: torch.Tensor = self.last(hidden).view(-1, SORTS, 64)
        return of_map + torch.einsum("kc,ncs->nks", self.heads, near) + added

    def weights(self) -> Network:
        """The same as numpy arrays."""
        hidden, channels = self.context.in_features, self.context.out_features
        parts = {
            "first": self.boards.weight.T.reshape(len(BOARDS), 64, hidden),
            "terms": self.terms.weight.T,
            "first_bias": self.boards.bias,
            "last": self.last.weight.T.reshape(hidden, SORTS, 64),
            "last_bias": self.last.bias.reshape(SORTS, 64),
            "local": self.local.weight.permute(1, 2, 3, 0).reshape(len(BOARDS), 9, channels),
            "places": self.places.T,
            "context": self.context.weight.T,
            "heads": self.heads,
            "scale": self.scale,
            "shares": self.shares,
        }
        arrays = {name: part.detach().numpy() for name, part in parts.items()}
        return Network(**{name: np.ascontiguousarray(array, np.float32) for name, array in arrays.items()})


def _looked_up(values: torch.Tensor, told: torch.Tensor) -> torch.Tensor:
    """What the bytes u1[N, P, S] count as, by the table f4[P, 256] of their planes."""
    start = torch.arange(len(values))[:, None] * 256
    return values.flatten()[told.int() + start]


def gather(source: Path | str, config: BeliefTraining, console: Console) -> Known:
    """What is drawn of a data set's decisions.

    Raises:
        DataError: a file is damaged.
        ValueError: there are no games to learn from.
    """
    rng = np.random.default_rng(config.seed)
    parts = []
    encoder = SampledInputsEncoder(config.particles) if config.particles else InputsEncoder()
    with Progress(console=console, transient=True) as progress:
        line = progress.add_task("replaying", total=None)
        for batch in replay(source, decisions="all", encoder=encoder, privileged=True, batch=READ):
            parts.append(_drawn(batch, config, rng))
            progress.update(line, advance=len(batch), description=f"replaying: {len(parts) * READ:,} tries")
    if not parts:
        raise ValueError(f"{source}: holds no games; expected a data set of ks generate")
    boards, terms, truth, games = map(np.concatenate, zip(*parts, strict=True))
    return Known(torch.from_numpy(boards), torch.from_numpy(terms), torch.from_numpy(truth), games)


def _drawn(batch: Batch, config: BeliefTraining, rng: np.random.Generator) -> tuple[Any, ...]:
    assert batch.men is not None, "privileged"
    planes = batch.inputs.observations
    refused = planes[:, REFUSED].any((1, 2))
    kept = rng.random(len(batch)) < np.where(refused, config.share_refused, config.share)
    planes, men = planes[kept], batch.men[kept]
    kings, pawns = men == KING, men == PAWN
    truth = np.stack([kings, pawns, (men != 0) & ~kings & ~pawns], axis=1)
    return planes[:, BOARDS].reshape(len(planes), -1, 64), planes[:, TERMS, 0, 0], truth, batch.games[kept]


def allowed_squares(boards: torch.Tensor) -> torch.Tensor:
    """Where the metaposition has a ghost of king, pawns, pieces: bool[N, 3, 64]."""
    first = int(np.searchsorted(BOARDS, MAY_BE))
    ghosts = boards[:, first : first + KING] > 0
    return torch.stack([ghosts[:, KING - 1], ghosts[:, PAWN - 1], ghosts[:, PAWN : KING - 1].any(1)], 1)


def losses(logits: torch.Tensor, known: Known) -> torch.Tensor:
    """f4[3, N]: −log of the chance of the king's square; of pawns and pieces the sum over squares."""
    allowed = allowed_squares(known.boards)
    kings = logits[:, KINGS].masked_fill(~allowed[:, KINGS], NEVER)
    king = functional.cross_entropy(kings, known.truth[:, KINGS].int().argmax(1), reduction="none")
    truth = known.truth[:, PAWNS:].float()
    others = functional.binary_cross_entropy_with_logits(logits[:, PAWNS:], truth, reduction="none")
    return torch.stack([king, *(others * allowed[:, PAWNS:]).sum(2).T])


def fit(net: BeliefNet, known: Known, config: BeliefTraining, console: Console) -> None:
    """AdamW with a step that goes down by a cosine."""
    rng = np.random.default_rng(config.seed)
    batches = max(1, len(known.games) // config.batch_size)
    optimiser = torch.optim.AdamW(net.parameters(), weight_decay=config.weight_decay)
    steps = config.epochs * batches
    net.train()
    for step in track(range(steps), "fitting", console=console, transient=True):
        if step % batches == 0:
            parts = np.array_split(rng.permutation(len(known.games)), batches)
        for group in optimiser.param_groups:
            group["lr"] = config.learning_rate * (0.5 * (1 + cos(pi * step / steps)) + 0.01)
        some = known.chosen(parts[step % batches])
        optimiser.zero_grad()
        losses(net(some.boards, some.terms), some).mean(1).sum().backward()
        nn.utils.clip_grad_norm_(net.parameters(), 5.0)
        optimiser.step()
    net.eval()


@torch.no_grad()
def judged(net: BeliefNet, known: Known) -> dict[str, float]:
    """Mean log losses: of the king's square, and of pawns and pieces by possible square."""
    total, squares = torch.zeros(SORTS), torch.zeros(SORTS)
    for first in range(0, len(known.games), CUT):
        some = known.chosen(slice(first, first + CUT))
        total += losses(net(some.boards, some.terms), some).sum(1)
        squares += allowed_squares(some.boards).sum((0, 2))
    squares[KINGS] = len(known.games)
    names = ("king", "pawn", "piece")
    return {name: round(float(total[i] / squares[i]), 4) for i, name in enumerate(names)}


def train_belief(config: BeliefTraining, source: Path, folder: Path, console: Console) -> Path:
    """Fit a belief network and write it with what it predicts of games that it did not learn from.

    Args:
        config: sizes and steps.
        source: a data set, or a folder of them.
        folder: for the weights, the config and what came of it.
        console: where progress and results are shown.

    Raises:
        ConfigError: the folder holds a network.
        DataError: the data set is damaged.
        ValueError: there are too few games.
    """
    if (folder / WEIGHTS).exists():
        raise ConfigError(f"{folder} holds a belief network; choose another folder")
    torch.manual_seed(config.seed)
    torch.set_num_threads(1)
    known = gather(source, config, console)
    held_out = known.games % HELD_OUT == 0
    if held_out.all() or not held_out.any() or len(np.unique(known.games)) <= HELD_OUT:
        raise ValueError(f"{source}: has too few games; expected at least {HELD_OUT + 1}")
    net = BeliefNet(config)
    fit(net, known.chosen(~held_out), config, console)
    found = judged(net, known.chosen(held_out))
    folder.mkdir(parents=True, exist_ok=True)
    summary = {"decisions": len(known.games), "held_out": found, "versions": json.loads(versions_text())}
    write_aside(folder / "config.yaml", dump_section(config))
    write_aside(folder / SUMMARY, json.dumps(summary, indent=1) + "\n")
    write_network(net.weights(), folder / WEIGHTS)
    told = ", ".join(f"{name} {loss:.3f}" for name, loss in found.items())
    console.print(f"{len(known.games):,} decisions; log losses in games held out: {told}")
    return folder / WEIGHTS


assert PIECES == SORTS - 1
