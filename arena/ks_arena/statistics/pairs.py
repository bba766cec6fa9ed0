"""Points of pairs of games: two games from one start with the colours swapped are one observation.

The start helps whoever has the better side of it in both games, so the results of the two are not
independent, but pairs are. What one side makes of a pair, 0, ½, 1, 1½ or 2 points, is counted in five
classes (a "pentanomial"), and every interval here is by pair. A share of the points is between 0 and 1: the
five classes score 0, ¼, ½, ¾ and 1.

A pair of which one game has not been played or does not count is left out as a whole: its other game alone
would bring the first player's colour in.
"""

from collections.abc import Callable, Iterable, Sequence
from itertools import takewhile
from typing import Literal

import numpy as np

from ks_arena.match.result import GameResult
from ks_arena.statistics.score import CONFIDENCE, Interval, quantile_of

SHARES = np.array([0.0, 0.25, 0.5, 0.75, 1.0])  # of the points of a pair, by class
CLASSES = len(SHARES)
RESAMPLES = 2000
HALVINGS = 40  # of a bracket: an end within 2**-40 of its width
NEWTON_STEPS = 100
ROUNDING = 1e-14

Z = quantile_of(CONFIDENCE)

Method = Literal["likelihood", "score", "normal", "bootstrap"]
Statistic = Callable[[np.ndarray, np.ndarray], np.ndarray]


def pentanomial(first_points: Iterable[Sequence[float]]) -> np.ndarray:
    """Pairs of games by the points that the first player made of them.

    Args:
        first_points: for each pair the first player's points, 0, ½ or 1, in its two games. A pair with one
            game, or with a NaN for a game that is missing, is left out.

    Returns:
        i8[5]: how many pairs brought 0, ½, 1, 1½ and 2 points.

    Raises:
        ValueError: points other than 0, ½ and 1, or more than two games.
    """
    classes = [_class_of(pair) for pair in first_points]
    return np.bincount([each for each in classes if each is not None], minlength=CLASSES).astype(np.int64)


def class_order(first_points: Iterable[Sequence[float]]) -> np.ndarray:
    """The class of each pair, 0 to 4, up to the first pair that is incomplete; arguments as above."""
    known = takewhile(lambda each: each is not None, map(_class_of, first_points))
    return np.array(list(known), dtype=np.int64)


def _class_of(pair: Sequence[float]) -> int | None:
    if len(pair) > 2:
        raise ValueError(f"a pair of {len(pair)} games; expected two")
    played = [points for points in pair if not np.isnan(points)]
    if any(points not in (0, 0.5, 1) for points in played):
        raise ValueError(f"points {tuple(pair)} in a pair of games; expected 0, 0.5 or 1 for each")
    return round(2 * sum(played)) if len(played) == 2 else None


def pairs_of(games: Iterable[GameResult]) -> list[tuple[float, ...]]:
    """The first player's points in each pair of games of one pairing, by the number of the pair.

    Between the pairs that are there, a missing one counts as incomplete: `()`.

    Raises:
        ValueError: games of several pairings, or one game twice.
    """
    pairs: dict[int, dict[int, float]] = {}
    pairings = set()
    for game in games:
        pairings.add(game.pairing)
        legs = pairs.setdefault(game.pair, {})
        if game.leg in legs:
            raise ValueError(f"pairing {game.pairing}, pair {game.pair}, leg {game.leg}: there twice")
        legs[game.leg] = game.first_points
    if len(pairings) > 1:
        raise ValueError(f"games of the pairings {sorted(pairings)}; expected those of one pairing")
    return [tuple(pairs.get(number, {}).values()) for number in range(max(pairs, default=-1) + 1)]


def mean_points(counts: np.ndarray) -> float:
    """Share of the points, 0 to 1, that the first player made in pairs counted by class (i8[5]).

    Raises:
        ValueError: not five counts, a negative one, or no pair.
    """
    counts = check_counts(counts)
    return float(counts @ SHARES / counts.sum())


def points_interval(counts: np.ndarray, method: Method = "likelihood", seed: int = 0) -> Interval:
    """95 % interval for the first player's expected share of the points, by pair.

    - `likelihood` (the default) contains every mean that the likelihood-ratio test does not refuse: twice the
      log-likelihood of the counts, at its highest for distributions over the five classes with that mean, is
      not more than z² below that of the observed shares. It is the test of `sprt`. It does not collapse:
      after n pairs that were all won it ends at 1 and exp(-z² / 2n), and after n pairs that were all drawn
      (or split) it still has a width, since a class that was not seen may have a chance of about z² / 2n.
    - `score` contains every mean μ with n (x̄ - μ)² / σ²(μ) <= z², σ²(μ) the variance of the likeliest
      distribution with mean μ. Where all pairs are won or lost it is Wilson's interval for a rate. It does
      not collapse either, and is much too long where decisive games are few.
    - `normal` is x̄ ± z s / √n, cut at 0 and 1. It has no width where all pairs are alike and is too short
      for few pairs, or where decisive games are few.
    - `bootstrap` draws pairs with replacement and takes the middle 95 % of their means. It collapses in the
      same places.

    Args:
        counts: i8[5], pairs by class.
        method: one of the four.
        seed: of the bootstrap.

    Raises:
        ValueError: not five counts, a negative one, no pair, or an unknown method.
    """
    counts = check_counts(counts)
    ends = {"likelihood": likelihood_ends, "score": score_ends, "normal": normal_ends}
    if method == "bootstrap":
        low, high = bootstrap_ends(counts, np.random.default_rng(seed))
    elif method in ends:
        low, high = ends[method](counts)
    else:
        raise ValueError(f"method {method!r}; expected 'likelihood', 'score', 'normal' or 'bootstrap'")
    return float(low), float(high)


def check_counts(counts: np.ndarray) -> np.ndarray:
    """The counts as f8[5].

    Raises:
        ValueError: not five, negative or not finite, or all zero.
    """
    array = np.asarray(counts, dtype=np.float64)
    if array.shape != (CLASSES,):
        raise ValueError(f"counts of shape {array.shape}; expected five: pairs with 0, ½, 1, 1½ and 2 points")
    if not np.isfinite(array).all() or array.min() < 0:
        raise ValueError(f"counts {array.tolist()}; expected numbers of pairs, none negative")
    if not array.sum():
        raise ValueError("no complete pair of games; expected at least one")
    return array


def most_likely(counts: np.ndarray, means: np.ndarray) -> np.ndarray:
    """The distributions with given means that make the counts most likely.

    With p̂ the shares of the classes and d = share of the points - mean, the maximum under the constraint
    Σ p d = 0 is p = p̂ / (1 + λ d) (Van den Bergh, "Comments on Normalized Elo" and the GSPRT of fishtest;
    Owen, "Empirical Likelihood", 2001, §2). λ ends where 1 + λ d would be negative in a class: if even that
    λ does not bring the mean about, the rest of the chance belongs to the outermost class on that side,
    which was not seen.

    Args:
        counts: f8[..., 5], at least one pair each.
        means: f8[...], between 0 and 1, ends excluded.

    Returns:
        f8[..., 5]: probabilities.
    """
    shares = counts / counts.sum(-1, keepdims=True)
    distance = SHARES - means[..., None]
    with np.errstate(divide="ignore", invalid="ignore"):
        tilt = _tilt(shares, distance, -1 / (1 - means), 1 / means)
        chances = np.where(shares > 0, shares / (1 + tilt[..., None] * distance), 0.0)
    rest = np.clip(1 - chances.sum(-1), 0, None)
    raised = means > shares @ SHARES
    chances[..., 0] += np.where(~raised & (shares[..., 0] == 0), rest, 0.0)
    chances[..., -1] += np.where(raised & (shares[..., -1] == 0), rest, 0.0)
    return np.asarray(chances / chances.sum(-1, keepdims=True))


def _tilt(shares: np.ndarray, distance: np.ndarray, low: np.ndarray, high: np.ndarray) -> np.ndarray:
    """The λ with Σ p̂ d / (1 + λ d) = 0, or the end of the bracket that is nearest to it.

    The sum falls in λ. Newton's steps, and where one leaves the bracket half of it: towards an end at which
    the sum is infinite, Newton alone would be slow.
    """
    tilt = np.zeros_like(low)
    for _ in range(NEWTON_STEPS):
        terms = distance / (1 + tilt[..., None] * distance)
        value = (shares * terms).sum(-1)
        low, high = np.where(value > 0, tilt, low), np.where(value > 0, high, tilt)
        newton = tilt + value / (shares * terms**2).sum(-1)
        following = np.where((low < newton) & (newton < high), newton, (low + high) / 2)
        still = np.abs(following - tilt) > ROUNDING * (1 + np.abs(tilt))
        tilt = following
        if not still.any():
            break
    return tilt


def likelihood_ends(counts: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Ends f8[...] of the likelihood-ratio interval for counts f8[..., 5]."""
    return _end(counts, 0.0, deviance), _end(counts, 1.0, deviance)


def score_ends(counts: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Ends f8[...] of the score interval for counts f8[..., 5]."""
    return _end(counts, 0.0, score_statistic), _end(counts, 1.0, score_statistic)


def deviance(counts: np.ndarray, means: np.ndarray) -> np.ndarray:
    """Twice the log-likelihood f8[...] that counts f8[..., 5] lose by a mean f8[...]."""
    likely = most_likely(counts, means)
    with np.errstate(divide="ignore", invalid="ignore"):
        terms = counts * np.log(counts / counts.sum(-1, keepdims=True) / likely)
    return np.asarray(2 * np.where(counts > 0, terms, 0.0).sum(-1))


def score_statistic(counts: np.ndarray, means: np.ndarray) -> np.ndarray:
    """The score test's n (x̄ - μ)² / σ²(μ), f8[...], of counts f8[..., 5] for means f8[...]."""
    pairs = counts.sum(-1)
    variance = (most_likely(counts, means) * (SHARES - means[..., None]) ** 2).sum(-1)
    return np.asarray(pairs * (counts @ SHARES / pairs - means) ** 2 / variance)


def _end(counts: np.ndarray, limit: float, statistic: Statistic) -> np.ndarray:
    """By halving the way from the observed mean, which no test refuses, to the limit."""
    kept = counts @ SHARES / counts.sum(-1)
    refused = np.broadcast_to(limit, kept.shape)
    for _ in range(HALVINGS):
        middle = (kept + refused) / 2
        inside = (middle > 0) & (middle < 1)
        fits = ~inside | (statistic(counts, np.where(inside, middle, 0.5)) <= Z**2)
        kept, refused = np.where(fits, middle, kept), np.where(fits, refused, middle)
    return np.asarray(kept)


def normal_ends(counts: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Ends f8[...] of the normal interval for counts f8[..., 5]."""
    pairs = counts.sum(-1)
    mean = counts @ SHARES / pairs
    squares = (counts * (SHARES - mean[..., None]) ** 2).sum(-1)
    error = np.sqrt(squares / np.maximum(pairs - 1, 1) / pairs)
    return np.clip(mean - Z * error, 0, 1), np.clip(mean + Z * error, 0, 1)


def bootstrap_ends(
    counts: np.ndarray, generator: np.random.Generator, resamples: int = RESAMPLES
) -> tuple[np.ndarray, np.ndarray]:
    """Ends f8[...] of the percentile bootstrap for counts f8[..., 5]."""
    pairs = counts.sum(-1)
    drawn = generator.multinomial(
        pairs.astype(np.int64), counts / pairs[..., None], size=(resamples, *pairs.shape)
    )
    low, high = np.quantile(drawn @ SHARES / pairs, [(1 - CONFIDENCE) / 2, (1 + CONFIDENCE) / 2], axis=0)
    return low, high
