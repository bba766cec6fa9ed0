"""Scores of a series of games and what they say about the true rates: 95 % intervals throughout."""

from dataclasses import dataclass
from math import sqrt
from statistics import NormalDist

CONFIDENCE = 0.95

Interval = tuple[float, float]


@dataclass(frozen=True)
class Estimate:
    """A figure and its 95 % interval; any of the three may be infinite."""

    value: float
    low: float
    high: float

    @property
    def interval(self) -> Interval:
        """Both ends."""
        return self.low, self.high

    def scaled(self, factor: float) -> "Estimate":
        """In another unit."""
        return Estimate(factor * self.value, factor * self.low, factor * self.high)


@dataclass(frozen=True)
class Score:
    """Wins, draws and losses of one side.

    Attributes:
        wins: games won.
        draws: games drawn, or cut short by the limit on plies.
        losses: games lost.
    """

    wins: int
    draws: int
    losses: int

    def __post_init__(self) -> None:
        if min(self.wins, self.draws, self.losses) < 0 or not self.games:
            raise ValueError(f"expected counts of at least one game, found {self}")

    @property
    def games(self) -> int:
        """All games."""
        return self.wins + self.draws + self.losses

    @property
    def points(self) -> float:
        """Points a game: a win 1, a draw ½."""
        return (self.wins + self.draws / 2) / self.games

    @property
    def win_rate(self) -> float:
        """Share of the games won."""
        return self.wins / self.games

    @property
    def margin(self) -> float:
        """Share won minus share lost."""
        return (self.wins - self.losses) / self.games

    def win_interval(self) -> Interval:
        """Wilson's interval for the chance to win."""
        return wilson(self.win_rate, self.games)

    def margin_interval(self) -> Interval:
        """Interval for the chance to win minus the chance to lose.

        Newcombe's hybrid score interval (Statistics in Medicine 17, 1998: 2635–2650, method 10) with the
        correlation that two shares of one multinomial have. It keeps its coverage where normal theory and
        the bootstrap collapse: no wins, no losses, no draws.
        """
        win, win_interval = self.win_rate, self.win_interval()
        loss = self.losses / self.games
        loss_interval = wilson(loss, self.games)
        spread = sqrt(win * (1 - win) * loss * (1 - loss))
        correlation = -win * loss / spread if spread else 0.0
        return _difference(win, win_interval, loss, loss_interval, correlation)


def quantile_of(confidence: float) -> float:
    """The normal quantile of a two-sided interval."""
    return NormalDist().inv_cdf((1 + confidence) / 2)


def wilson(share: float, trials: float, quantile: float | None = None) -> Interval:
    """Wilson's score interval for a rate, also for a number of trials that is not whole.

    Args:
        share: of the trials that were hits.
        trials: how many.
        quantile: of the standard normal distribution, or of what is taken in its place.
    """
    z = quantile_of(CONFIDENCE) if quantile is None else quantile
    middle = (share + z**2 / (2 * trials)) / (1 + z**2 / trials)
    half = z / (1 + z**2 / trials) * sqrt(share * (1 - share) / trials + z**2 / (4 * trials**2))
    low = 0.0 if share == 0 else max(0.0, middle - half)
    return low, 1.0 if share == 1 else min(1.0, middle + half)


def win_rate_difference(first: Score, second: Score) -> Interval:
    """Interval for the chance of `first` to win minus that of `second`, from separate games.

    Newcombe's hybrid score interval for independent rates (Statistics in Medicine 17, 1998: 873–890).
    """
    return _difference(first.win_rate, first.win_interval(), second.win_rate, second.win_interval(), 0.0)


def _difference(
    first: float, first_interval: Interval, second: float, second_interval: Interval, correlation: float
) -> Interval:
    """The difference of two rates from their own intervals and the correlation of their estimates."""
    first_down, first_up = first - first_interval[0], first_interval[1] - first
    second_down, second_up = second - second_interval[0], second_interval[1] - second
    down = first_down**2 - 2 * correlation * first_down * second_up + second_up**2
    up = first_up**2 - 2 * correlation * first_up * second_down + second_down**2
    difference = first - second
    return difference - sqrt(max(down, 0.0)), difference + sqrt(max(up, 0.0))
