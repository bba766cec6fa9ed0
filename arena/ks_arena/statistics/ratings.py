"""Ratings of several players from all their games together, with White's advantage and the draws.

The model, Bradley-Terry with Davidson's ties and Davidson and Beaver's order effect, is in `davidson`:

    d = θ_w - θ_b + δ;  P(White wins) : P(draw) : P(Black wins) = exp(d / 2) : nu : exp(-d / 2)

**Scale.** Elo = θ · 800 / (ln 10 · (2 + nu)). Of two players who are nearly equal the expected share of the
points is ½ + d / (2 (2 + nu)); logistic Elo gives ½ + elo · ln 10 / 1600; the factor makes the two agree, as
that of R. Coulom's BayesElo does. Without draws it is the usual 400 / ln 10. Where players are far apart and
draws frequent, the model's share of the points is another one than logistic Elo says: `expected_points`
has the model's. White's advantage δ is on the same scale. Zero is the mean of the players or one of them.

**Prior.** Each θ, δ and κ = log nu has a Gaussian prior about 0 with a standard deviation of 10: some 1,700
Elo without draws, the information of a twenty-fifth of a decisive game. It keeps the ratings of undefeated
players finite and is otherwise not to be felt. Which ends the games themselves do not bound is worked out
from who scored against whom: θ_i - θ_j has an upper bound only if there is a chain of players from j to i of
whom each has scored against the next (L. R. Ford, Amer. Math. Monthly 64, 1957: 28-33). Such ends are
infinite, and the other end is that of the profile likelihood, as normal theory says nothing there.

**Intervals.** Three covariances: `sandwich` (the default) by pair of games, which holds whether or not the
two games of a pair hang together; `hessian`, which takes all games as independent; `bootstrap`, pairs drawn
with replacement within each pairing. How often each covers the truth is measured by `coverage`. All three
fail where a player has scored a handful of points in all: with two such players alone, draws and strength
cannot be told apart. The points by pair (`pairs`, `elo`) are the figure to go by there.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import inf, log
from typing import Any, Literal

import numpy as np
from scipy.optimize import brentq
from scipy.stats import chi2

from ks_arena.match.result import GameResult
from ks_arena.statistics.davidson import (
    Design,
    chances,
    hessian_covariance,
    log_likelihood,
    maximise,
    resample,
    sandwich_covariance,
)
from ks_arena.statistics.evidence import Evidence, check_games, connected_groups, evidence_of, is_determined
from ks_arena.statistics.pairs import Z
from ks_arena.statistics.score import CONFIDENCE, Estimate, Interval

PRIOR = 10.0  # standard deviation, in θ, δ and κ
RESAMPLES = 1000
FLAT = 1e-3  # a slope of the likelihood at which it is still near its maximum
DEVIANCE = float(chi2.ppf(CONFIDENCE, 1))

Intervals = Literal["sandwich", "hessian", "bootstrap"]


@dataclass(frozen=True)
class Ratings:
    """Ratings that were fitted.

    Attributes:
        labels: the players.
        players: their Elo with intervals, relative to zero, in the same order.
        white_advantage: in Elo.
        draw: chance of a draw between equal players without White's advantage, nu / (2 + nu).
        nu: the draw parameter.
        games: i8[P], games of each player.
        intervals: how the intervals were made.
        anchor: the player whose rating is zero; None where the mean is.
        parameters: f8[P + 2], θ, δ and κ.
        evidence: the games.
        spread: covariance or bootstrap samples of the parameters.
    """

    labels: tuple[str, ...]
    players: tuple[Estimate, ...]
    white_advantage: Estimate
    draw: Estimate
    nu: float
    games: np.ndarray
    intervals: Intervals
    anchor: str | None
    parameters: np.ndarray
    evidence: Evidence
    spread: "_Spread"

    def __getitem__(self, label: str) -> Estimate:
        """A player's rating.

        Raises:
            KeyError: no such player.
        """
        return self.players[self._number(label)]

    @cached_property
    def determined(self) -> bool:
        """Whether the games alone bound all parameters; if not, the prior makes the ratings what they are."""
        return is_determined(self.evidence)

    @property
    def decisive(self) -> int:
        """Games that somebody won."""
        return int(self.evidence.design.counts(self.evidence.times)[0][:, [0, 2]].sum())

    def _number(self, label: str) -> int:
        if label not in self.labels:
            raise KeyError(f"no player {label!r} in these ratings; expected one of {', '.join(self.labels)}")
        return self.labels.index(label)

    def difference(self, first: str, second: str) -> Estimate:
        """Elo of one player over another; unlike a rating it does not depend on where zero is.

        Raises:
            KeyError: no such player.
        """
        i, j = self._number(first), self._number(second)
        bounded = bool(self.evidence.reach[i, j]), bool(self.evidence.reach[j, i])
        return self.spread.elo(contrast(len(self.labels), i, j), bounded)

    def expected_points(self, first: str, second: str) -> float:
        """The model's expected share of the points of one player against another, colours alternating.

        Raises:
            KeyError: no such player.
        """
        i, j = self._number(first), self._number(second)
        design = Design(len(self.labels), np.array([i, j]), np.array([j, i]), np.zeros((0, 2, 3)))
        likely = chances(design, self.parameters[None])[0] @ [1, 0.5, 0]
        return float((likely[0] + 1 - likely[1]) / 2)

    def one_sided(self) -> dict[str, str]:
        """Players whose rating the games bound from one side only, or from none: "below", "above", "no"."""
        words = {(True, False): "below", (False, True): "above", (False, False): "no"}
        reach = self.evidence.reach
        sides = {
            label: (bool(reach[number].all()), bool(reach[:, number].all()))
            for number, label in enumerate(self.labels)
        }
        return {label: words[side] for label, side in sides.items() if side in words}


def fit_games(labels: Sequence[str], games: Iterable[GameResult], **options: Any) -> Ratings:
    """Ratings from the games of a study; options and errors as for `fit`."""
    numbers = {label: number for number, label in enumerate(labels)}
    rows = [(numbers[g.white], numbers[g.black], g.outcome, g.pairing, g.pair) for g in games]
    columns = np.array(rows, dtype=np.int64).reshape(-1, 5)
    clusters = np.unique(columns[:, 3:], axis=0, return_inverse=True)[1]
    return fit(labels, columns[:, 0], columns[:, 1], columns[:, 2], clusters.reshape(-1), **options)


def groups_of(
    labels: Sequence[str], games: Iterable[GameResult]
) -> Iterator[tuple[list[str], list[GameResult]]]:
    """Groups of players with chains of games between them, and their games; none of players without games."""
    games = list(games)
    numbers = {label: number for number, label in enumerate(labels)}
    white = np.array([numbers[game.white] for game in games], np.int64)
    black = np.array([numbers[game.black] for game in games], np.int64)
    for group in connected_groups(len(labels), white, black):
        names = [labels[number] for number in group]
        if len(names) > 1:
            yield names, [game for game in games if game.white in names]


def fit_groups(labels: Sequence[str], games: Iterable[GameResult], **options: Any) -> list[Ratings]:
    """Ratings of each group of players with chains of games between them; options as for `fit`.

    A zero is a group's own, and ratings of two groups cannot be compared. Who has not played is in none.
    """
    return [fit_games(names, theirs, **options) for names, theirs in groups_of(labels, games)]


def fit(
    labels: Sequence[str],
    white: np.ndarray,
    black: np.ndarray,
    outcome: np.ndarray,
    pair: np.ndarray,
    *,
    intervals: Intervals = "sandwich",
    anchor: str | None = None,
    prior: float | None = PRIOR,
    seed: int = 0,
) -> Ratings:
    """Ratings of players from their games.

    Args:
        labels: the players, P.
        white: i8[N], number of the player with White.
        black: i8[N], number of the player with Black.
        outcome: i8[N], +1 White won, 0 draw, -1 Black won.
        pair: i8[N], which pair of games this one belongs to: any numbers, the same for both games of a pair
            and for no other. A game alone is a cluster of its own.
        intervals: covariance of the estimates, see above.
        anchor: the player whose rating is zero; None for the mean of all.
        prior: standard deviation of the prior; None for plain maximum likelihood.
        seed: of the bootstrap.

    Raises:
        ValueError: no games, arrays of different lengths, a number or outcome out of range, a player against
            itself, an unknown anchor or kind of intervals, players of whom there is no chain of games from
            one to another (no common scale can be had for them: see `fit_groups`), a prior that is not above
            0, or no maximum without a prior.
    """
    names = tuple(labels)
    check_games(names, white, black, outcome, pair)
    evidence = evidence_of(len(names), white, black, outcome, pair)
    return fit_evidence(names, evidence, intervals=intervals, anchor=anchor, prior=prior, seed=seed)


def fit_evidence(
    labels: Sequence[str],
    evidence: Evidence,
    *,
    intervals: Intervals = "sandwich",
    anchor: str | None = None,
    prior: float | None = PRIOR,
    seed: int = 0,
) -> Ratings:
    """Ratings from games that have been counted; arguments and errors as for `fit`."""
    names = tuple(labels)
    if intervals not in ("sandwich", "hessian", "bootstrap"):
        raise ValueError(f"intervals {intervals!r}; expected 'sandwich', 'hessian' or 'bootstrap'")
    if anchor is not None and anchor not in names:
        raise ValueError(f"anchor {anchor!r}; expected one of {', '.join(names)}")
    if prior is not None and not prior > 0:
        raise ValueError(f"a prior of {prior}; expected a standard deviation above 0, or None")
    if prior is None and not is_determined(evidence):
        raise ValueError("no finite ratings fit these games best; expected a prior")
    precision = np.full(len(names) + 2, 0.0 if prior is None else prior**-2.0)
    spread = _spread(evidence, precision, intervals, seed)
    zero = None if anchor is None else names.index(anchor)
    return Ratings(
        labels=names,
        players=tuple(_rating(spread, evidence.reach, number, zero) for number in range(len(names))),
        white_advantage=spread.elo(np.eye(len(names) + 1)[-1]),
        draw=spread.draw(),
        nu=float(np.exp(spread.parameters[-1])),
        games=evidence.games,
        intervals=intervals,
        anchor=anchor,
        parameters=spread.parameters,
        evidence=evidence,
        spread=spread,
    )


def scale_of(kappa: np.ndarray) -> np.ndarray:
    """Elo for one unit of θ, at a draw parameter exp(kappa)."""
    return np.asarray(800 / (log(10) * (2 + np.exp(kappa))))


def contrast(players: int, first: int, second: int | None) -> np.ndarray:
    """f8[P + 1]: weights of θ and δ in a difference of two players, or of one and the mean."""
    weights = np.zeros(players + 1)
    weights[first] += 1
    if second is None:
        weights[:-1] -= 1 / players
    else:
        weights[second] -= 1
    return weights


def _rating(spread: "_Spread", reach: np.ndarray, player: int, zero: int | None) -> Estimate:
    weights = contrast(len(reach), player, zero)
    if zero is None:
        return spread.elo(weights, (bool(reach[player].all()), bool(reach[:, player].all())))
    return spread.elo(weights, (bool(reach[player, zero]), bool(reach[zero, player])))


def _spread(evidence: Evidence, precision: np.ndarray, intervals: Intervals, seed: int) -> "_Spread":
    design, times = evidence.design, evidence.times
    parameters = maximise(design, design.counts(times), precision)
    covariance = samples = None
    if intervals == "hessian":
        covariance = hessian_covariance(design, times, parameters, precision)[0]
    elif intervals == "sandwich":
        covariance = sandwich_covariance(design, times, parameters, precision)[0]
    else:
        drawn = resample(times, evidence.strata, RESAMPLES, np.random.default_rng(seed))[0]
        samples = maximise(design, design.counts(drawn), precision, start=parameters)
    return _Spread(evidence, precision, parameters[0], covariance, samples)


@dataclass(frozen=True)
class _Spread:
    """Parameters f8[P + 2] with their covariance f8[P + 2, P + 2] or bootstrap samples f8[R, P + 2]."""

    evidence: Evidence
    precision: np.ndarray
    parameters: np.ndarray
    covariance: np.ndarray | None
    samples: np.ndarray | None

    def elo(self, weights: np.ndarray, bounded: tuple[bool, bool] = (True, True)) -> Estimate:
        """Elo for weights f8[P + 1] of θ and δ; whether the games bound it from below and above."""
        value = float(elo_of_parameters(self.parameters[None], weights)[0])
        if not weights.any():
            return Estimate(0.0, 0.0, 0.0)
        if all(bounded):
            low, high = self._ends(value, weights)
            return Estimate(value, low, high)
        low = self._profile(weights, -1) if bounded[0] else -inf
        high = self._profile(weights, 1) if bounded[1] else inf
        return Estimate(value, low, high)

    def draw(self) -> Estimate:
        """Chance of a draw between equals, whose interval is normal in κ."""
        kappa = self.parameters[-1]
        if self.covariance is not None:
            reach = Z * float(np.sqrt(self.covariance[-1, -1]))
            low, high = kappa - reach, kappa + reach
        else:
            low, high = _middle(self._drawn()[:, -1])
        nu = np.exp([kappa, low, high])
        return Estimate(*(nu / (2 + nu)).tolist())

    def _drawn(self) -> np.ndarray:
        assert self.samples is not None
        return self.samples

    def _ends(self, value: float, weights: np.ndarray) -> Interval:
        if self.covariance is None:
            return _middle(elo_of_parameters(self._drawn(), weights))
        slope = elo_slope(self.parameters[None], weights)[0]
        reach = Z * float(np.sqrt(slope @ self.covariance @ slope))
        return value - reach, value + reach

    def _profile(self, weights: np.ndarray, side: int) -> float:
        """Where the likelihood, at its highest for a given difference, has fallen by half of `DEVIANCE`."""
        design, counts = self.evidence.design, self.evidence.design.counts(self.evidence.times)
        best = log_likelihood(design, counts, self.parameters[None], self.precision)[0]

        def fallen(tilt: float) -> tuple[float, float]:
            at = maximise(design, counts, self.precision, -side * tilt * np.append(weights, 0.0))
            fall = best - log_likelihood(design, counts, at, self.precision)[0]
            return 2 * float(fall), float(elo_of_parameters(at, weights)[0])

        far = FLAT
        while fallen(far)[0] < DEVIANCE:
            far *= 2
        tilt = brentq(lambda each: fallen(each)[0] - DEVIANCE, 0, far, rtol=1e-6)
        return fallen(tilt)[1]


def elo_of_parameters(parameters: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Elo f8[B] for weights f8[P + 1] of θ and δ, from parameters f8[B, P + 2]."""
    return np.asarray(scale_of(parameters[:, -1]) * (parameters[:, :-1] @ weights))


def elo_slope(parameters: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Derivatives f8[B, P + 2] of that Elo by the parameters: the scale depends on κ."""
    nu = np.exp(parameters[:, -1])
    elo = elo_of_parameters(parameters, weights)
    return np.concatenate(
        [scale_of(parameters[:, -1])[:, None] * weights, (-elo * nu / (2 + nu))[:, None]], axis=1
    )


def _middle(values: np.ndarray) -> Interval:
    low, high = np.quantile(values, [(1 - CONFIDENCE) / 2, (1 + CONFIDENCE) / 2])
    return float(low), float(high)
