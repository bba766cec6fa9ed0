"""Points of pairs of games: two games from one start with the colours swapped are one observation.

The start helps whoever has the better side of it in both games, so the results of the two are not
independent, but pairs are. What one side makes of a pair, 0, ½, 1, 1½ or 2 points, is counted in five
classes (a "pentanomial"), and every interval here is by pair. A share of the points is between 0 and 1: the
five classes score 0, ¼, ½, ¾ and 1.

A pair of which one game has not been played or does not count is left out as a whole: its other game alone
would bring the first player's colour in.
"""

from collections.abc import Iterable, Sequence
from typing import Literal

import numpy as np
from scipy.stats import norm

from train.arena.result import GameResult
from train.statistics.score import CONFIDENCE, Interval

SHARES = np.array([0.0, 0.25, 0.5, 0.75, 1.0])  # of the points of a pair, by class
CLASSES = len(SHARES)
RESAMPLES = 2000
HALVINGS = 50  # of a bracket: a root within 2**-50 of its width

Z = float(norm.ppf((1 + CONFIDENCE) / 2))

Method = Literal["score", "normal", "bootstrap"]


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
    order: list[int] = []
    for pair in first_points:
        each = _class_of(pair)
        if each is None:
            break
        order.append(each)
    return np.array(order, dtype=np.int64)


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


def points_interval(counts: np.ndarray, method: Method = "score", seed: int = 0) -> Interval:
    """95 % interval for the first player's expected share of the points, by pair.

    - `score` (the default) contains every mean μ that the score test does not refuse: n (x̄ - μ)² / σ²(μ)
      is at most z², where σ²(μ) is the variance of the most likely distribution over the five classes with
      mean μ. Where all pairs are won or lost it is Wilson's interval for a rate. It does not collapse:
      after n pairs that were all won it ends at 1 and n / (n + z²), and after n pairs that were all drawn
      (or split) it still has a width, since a class that was not seen may have a chance of about z² / n.
    - `normal` is x̄ ± z s / √n, cut at 0 and 1. It has no width where all pairs are alike and is too short
      for some dozens of pairs, or where decisive games are rare.
    - `bootstrap` draws pairs with replacement and takes the middle 95 % of their means. It collapses in the
      same places.

    Args:
        counts: i8[5], pairs by class.
        method: one of the three.
        seed: of the bootstrap.

    Raises:
        ValueError: not five counts, a negative one, no pair, or an unknown method.
    """
    counts = check_counts(counts)
    if method == "score":
        low, high = score_ends(counts)
    elif method == "normal":
        low, high = normal_ends(counts)
    elif method == "bootstrap":
        low, high = bootstrap_ends(counts, np.random.default_rng(seed))
    else:
        raise ValueError(f"method {method!r}; expected 'score', 'normal' or 'bootstrap'")
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
    low, high = -1 / (1 - means), 1 / means
    with np.errstate(divide="ignore", invalid="ignore"):
        for _ in range(HALVINGS):
            middle = (low + high) / 2
            too_low = (shares * distance / (1 + middle[..., None] * distance)).sum(-1) > 0
            low, high = np.where(too_low, middle, low), np.where(too_low, high, middle)
        chances = np.where(shares > 0, shares / (1 + ((low + high) / 2)[..., None] * distance), 0.0)
    rest = np.clip(1 - chances.sum(-1), 0, None)
    raised = means > shares @ SHARES
    chances[..., 0] += np.where(~raised & (shares[..., 0] == 0), rest, 0.0)
    chances[..., -1] += np.where(raised & (shares[..., -1] == 0), rest, 0.0)
    return np.asarray(chances / chances.sum(-1, keepdims=True))


def score_ends(counts: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Ends f8[...] of the score interval for counts f8[..., 5]."""
    return _score_end(counts, 0.0), _score_end(counts, 1.0)


def _score_end(counts: np.ndarray, limit: float) -> np.ndarray:
    """By halving the way from the mean, which the test never refuses, to the limit, which it does."""
    pairs = counts.sum(-1)
    mean = counts @ SHARES / pairs
    kept, refused = mean, np.broadcast_to(limit, mean.shape)
    for _ in range(HALVINGS):
        middle = (kept + refused) / 2
        inside = (middle > 0) & (middle < 1)
        chances = most_likely(counts, np.where(inside, middle, 0.5))
        variance = (chances * (SHARES - middle[..., None]) ** 2).sum(-1)
        fits = ~inside | (pairs * (mean - middle) ** 2 <= Z**2 * variance)
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
