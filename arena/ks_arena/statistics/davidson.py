"""Maximum likelihood for paired comparisons with ties and an order effect, for many studies at once.

With d = θ_w - θ_b + δ, where w has White and b has Black,

    P(White wins) = exp(d / 2) / Z,   P(draw) = exp(κ) / Z,   P(Black wins) = exp(-d / 2) / Z

and Z their sum: R. R. Davidson's ties (JASA 65, 1970: 317-328; his nu is exp(κ)) with the order effect of
R. R. Davidson and R. J. Beaver (Biometrics 33, 1977: 693-702; their gamma is exp(-δ), their nu is
exp(κ - δ / 2)). Without draws it is R. A. Bradley and M. E. Terry's model (Biometrika 39, 1952: 324-345). It
is log-linear: the chances are an exponential family in the parameters (θ_1 ... θ_P, δ, κ), the log-likelihood
is concave, and the information that is observed is the expected one.

All arrays are over B studies that share a design, so that a bootstrap or a simulation is one call.
"""

from dataclasses import dataclass

import numpy as np

STEPS = 200
LONGEST = 2.0  # of a Newton step, in any parameter
CLOSE = 1e-9


@dataclass(frozen=True)
class Design:
    """What can be seen in a study: kinds of pairs of games.

    Attributes:
        players: how many, P.
        white: i8[C], player with White in each cell. A cell is two players with their colours.
        black: i8[C], player with Black.
        patterns: f8[M, C, 3], for each kind of cluster how often White won, nobody won and Black won in
            each cell. A cluster, a pair of games, is what is independent of the others.
    """

    players: int
    white: np.ndarray
    black: np.ndarray
    patterns: np.ndarray

    @property
    def effects(self) -> np.ndarray:
        """f8[C, P + 1]: how θ and δ enter d in each cell."""
        rows = np.zeros((len(self.white), self.players + 1))
        cells = np.arange(len(rows))
        rows[cells, self.white] += 1
        rows[cells, self.black] -= 1
        rows[:, -1] = 1
        return rows

    def counts(self, times: np.ndarray) -> np.ndarray:
        """f8[B, C, 3] games by cell and outcome, from how often each pattern occurred, [B, M]."""
        games = times @ self.patterns.reshape(len(self.patterns), -1)
        return np.asarray(games).reshape(len(times), -1, 3)


def chances(design: Design, parameters: np.ndarray) -> np.ndarray:
    """Chances f8[B, C, 3] that White wins, nobody, Black, for parameters f8[B, P + 2]."""
    half = parameters[:, :-1] @ design.effects.T / 2
    logits = np.stack([half, np.broadcast_to(parameters[:, -1:], half.shape), -half], axis=-1)
    logits -= logits.max(axis=-1, keepdims=True)
    weights = np.exp(logits)
    return np.asarray(weights / weights.sum(-1, keepdims=True))


def maximise(
    design: Design,
    counts: np.ndarray,
    precision: np.ndarray,
    tilt: np.ndarray | float = 0.0,
    start: np.ndarray | float = 0.0,
) -> np.ndarray:
    """The parameters of highest penalised likelihood, by Newton's method.

    Args:
        design: players and cells.
        counts: f8[B, C, 3], games by cell and outcome.
        precision: f8[P + 2], of the Gaussian prior of each parameter about 0; 0 for none. Without a prior
            the θ are those of least norm, so that their mean is 0.
        tilt: f8[P + 2], subtract this times the parameters from the log-likelihood. What is found is then
            the maximum among all parameters with the same value of `tilt @ parameters`.
        start: f8[P + 2] or f8[B, P + 2], where to begin.

    Returns:
        f8[B, P + 2].

    Raises:
        ValueError: Newton's method has not come to an end.
    """
    parameters = np.zeros((len(counts), design.players + 2)) + start
    effects = design.effects
    for _ in range(STEPS):
        likely = chances(design, parameters)
        slope = _gradient(effects, residuals(counts, likely)) - precision * parameters - tilt
        curve = information(effects, counts.sum(-1), likely) + np.diag(precision)
        step = np.einsum("bij,bj->bi", _inverse(curve, precision), slope)
        longest = np.abs(step).max(axis=-1, keepdims=True)
        parameters += step * np.minimum(1, LONGEST / np.maximum(longest, CLOSE))
        if longest.max() < CLOSE:
            return parameters
    raise ValueError(f"no maximum of the likelihood after {STEPS} steps; expected a prior to keep it finite")


def log_likelihood(
    design: Design, counts: np.ndarray, parameters: np.ndarray, precision: np.ndarray
) -> np.ndarray:
    """Penalised log-likelihood f8[B]; arguments as for `maximise`."""
    likely = np.log(np.maximum(chances(design, parameters), np.finfo(float).tiny))
    return np.asarray((counts * likely).sum((-2, -1)) - (precision * parameters**2).sum(-1) / 2)


def residuals(counts: np.ndarray, likely: np.ndarray) -> np.ndarray:
    """Derivatives f8[..., 2] of the log-likelihood by d and κ, for counts and chances f8[..., 3]."""
    excess = counts - counts.sum(-1, keepdims=True) * likely
    return np.stack([(excess[..., 0] - excess[..., 2]) / 2, excess[..., 1]], axis=-1)


def _gradient(effects: np.ndarray, rests: np.ndarray) -> np.ndarray:
    """Derivatives f8[..., P + 2] by the parameters, from those by d and κ in each cell, f8[..., C, 2]."""
    return np.concatenate([rests[..., 0] @ effects, rests[..., 1].sum(-1, keepdims=True)], axis=-1)


def information(effects: np.ndarray, games: np.ndarray, likely: np.ndarray) -> np.ndarray:
    """Fisher's information f8[B, P + 2, P + 2] of games f8[B, C] with chances f8[B, C, 3]."""
    win, draw, loss = likely[..., 0], likely[..., 1], likely[..., 2]
    margin = (win - loss) / 2
    matrix = np.empty((len(games), effects.shape[1] + 1, effects.shape[1] + 1))
    matrix[:, :-1, :-1] = np.einsum(
        "bc,ci,cj->bij", games * ((win + loss) / 4 - margin**2), effects, effects, optimize=True
    )
    matrix[:, -1, -1] = (games * draw * (1 - draw)).sum(-1)
    matrix[:, :-1, -1] = matrix[:, -1, :-1] = (games * -margin * draw) @ effects
    return matrix


def _inverse(curve: np.ndarray, precision: np.ndarray) -> np.ndarray:
    """Inverse f8[B, P + 2, P + 2]; without a prior that of Moore and Penrose, as all θ may move together."""
    if precision.all():
        return np.asarray(np.linalg.inv(curve))
    return np.asarray(np.linalg.pinv(curve, hermitian=True))


def hessian_covariance(
    design: Design, times: np.ndarray, parameters: np.ndarray, precision: np.ndarray
) -> np.ndarray:
    """Covariance f8[B, P + 2, P + 2] of the estimates if all games are independent."""
    counts = design.counts(times)
    curve = information(design.effects, counts.sum(-1), chances(design, parameters)) + np.diag(precision)
    return _inverse(curve, precision)


def sandwich_covariance(
    design: Design, times: np.ndarray, parameters: np.ndarray, precision: np.ndarray
) -> np.ndarray:
    """Covariance f8[B, P + 2, P + 2] of the estimates if clusters are independent, games in them need not be.

    H⁻¹ (Σ u uᵀ · C / (C - 1) + Λ) H⁻¹, with u the derivatives of the log-likelihood of one cluster by the
    parameters, and C clusters (K.-Y. Liang and S. L. Zeger, Biometrika 73, 1986: 13-22). The prior counts as
    one more observation with its precision Λ: otherwise a direction of which the games say nothing, and only
    the prior something, would seem to be known for certain.
    """
    bread = hessian_covariance(design, times, parameters, precision)
    likely = chances(design, parameters)
    clusters = times.sum(-1)
    meat = np.zeros_like(bread)
    for pattern, often in zip(design.patterns, times.T, strict=True):
        slope = _gradient(design.effects, residuals(pattern, likely))
        meat += often[:, None, None] * slope[:, :, None] * slope[:, None, :]
    meat *= (clusters / np.maximum(clusters - 1, 1))[:, None, None]
    return np.asarray(bread @ (meat + np.diag(precision)) @ bread)


def resample(times: np.ndarray, strata: np.ndarray, size: int, generator: np.random.Generator) -> np.ndarray:
    """Draw clusters with replacement, as many in each stratum as there are.

    Args:
        times: i8[B, M], how often each pattern occurred.
        strata: i8[M], to which stratum (two players) each pattern belongs.
        size: how many resamples of each study.
        generator: of the draws.

    Returns:
        i8[B, size, M].
    """
    drawn = np.zeros((len(times), size, times.shape[1]), dtype=np.int64)
    for stratum in np.unique(strata):
        columns = np.flatnonzero(strata == stratum)
        columns = columns[times[:, columns].any(axis=0)]
        clusters = times[:, columns].sum(-1)
        shares = times[:, columns] / np.maximum(clusters, 1)[:, None]
        shares[clusters == 0, 0] = 1.0
        drawn[:, :, columns] = generator.multinomial(
            clusters[:, None], shares[:, None, :], size=(len(times), size)
        )
    return drawn
