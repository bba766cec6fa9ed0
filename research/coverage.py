"""How often 95 % intervals contain the truth, and how often the sequential test errs, in simulated studies.

    python -m research.coverage --studies 1000 --result docs/results/coverage.json

Each scenario of `scenarios` is drawn many times and every interval made for each study, as a user would get
it. What is covered in ratings is the difference of two players, which does not depend on where zero is.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from math import sqrt
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import scipy
import typer
from ks_arena.match.result import versions_text
from ks_arena.statistics.davidson import hessian_covariance, maximise, resample, sandwich_covariance
from ks_arena.statistics.elo import elo_of, points_of
from ks_arena.statistics.evidence import reach_of
from ks_arena.statistics.pairs import SHARES, Z, bootstrap_ends, likelihood_ends, normal_ends, score_ends
from ks_arena.statistics.ratings import (
    PRIOR,
    contrast,
    elo_of_parameters,
    elo_slope,
    fit_evidence,
)
from ks_arena.statistics.score import CONFIDENCE, wilson
from ks_arena.statistics.sprt import Sprt
from ks_train.commands.plain import plainly
from rich.console import Console
from rich.table import Table

from ks_env.core.files import write_aside
from research.scenarios import KINDS, SCENARIOS, Scenario, classes_of, pair_law

RESAMPLES = 400
CHUNK = 50  # studies that are resampled at once
BAND = (0.93, 0.97)
BLOCK = 100  # pairs of games that a simulated test goes on by
LONGEST = 20_000  # pairs of games of a simulated test
SLACK = 1e-9  # an end on the truth, but for rounding, covers it

Ends = tuple[np.ndarray, np.ndarray]


@dataclass(frozen=True)
class SprtScenario:
    """A test and the games that it is given.

    Attributes:
        name: in words.
        test: the test.
        nu: draw parameter of the games.
        correlation: of the two games of a pair.
    """

    name: str
    test: Sprt
    nu: float = 1.0
    correlation: float = 0.0


SPRT_SCENARIOS = (
    SprtScenario("0 or 20 Elo, a third drawn", Sprt(0, 20)),
    SprtScenario("-10 or 10 Elo, a third drawn", Sprt(-10, 10)),
    SprtScenario("0 or 50 Elo, a third drawn", Sprt(0, 50)),
    SprtScenario("0 or 20 Elo, 89 % drawn", Sprt(0, 20), 16.0),
    SprtScenario("0 or 50 Elo, 89 % drawn", Sprt(0, 50), 16.0),
    SprtScenario("0 or 20 Elo, the start favours a colour", Sprt(0, 20), 1.0, -0.7),
    SprtScenario("0 or 20 Elo, the start suits a player", Sprt(0, 20), 1.0, 0.7),
    SprtScenario("0 or 150 Elo, a third drawn", Sprt(0, 150)),
)


def judge(scenario: Scenario, studies: int, generator: np.random.Generator) -> list[dict[str, Any]]:
    """The coverage of all intervals in studies of one scenario, a row for each kind of interval."""
    times = scenario.draw(studies, generator)
    rows = [*_judge_wins(scenario, times), *_judge_points(scenario, times, generator)]
    rows += _judge_ratings(scenario, times, generator)
    return [{"scenario": scenario.name, **row} for row in rows]


def _row(method: str, low: np.ndarray, high: np.ndarray, truth: np.ndarray, default: bool) -> dict[str, Any]:
    """Coverage of intervals [studies, quantities] of quantities whose truth is known."""
    covered = ((low <= truth + SLACK) & (truth <= high + SLACK)).mean(0)
    return {
        "method": method,
        "default": default,
        "coverage": round(float(covered.mean()), 4),
        "lowest": round(float(covered.min()), 4),
        "highest": round(float(covered.max()), 4),
        "quantities": len(covered),
        "width": round(float(np.median(high - low)), 4),
        "holds": bool(BAND[0] <= covered.mean() <= BAND[1]),
    }


def _judge_wins(scenario: Scenario, times: np.ndarray) -> Iterator[dict[str, Any]]:
    kinds = np.arange(KINDS)
    won_first, won_second = kinds // 3 == 0, kinds % 3 == 2  # by the pairing's first player
    seen, law = times.reshape(len(times), -1, KINDS), scenario.kinds()
    numbers = seen.sum(-1)
    for name, wins, games in (
        ("wins with White: Wilson", won_first.astype(int), 1),
        ("wins with both colours: Wilson, pairs ignored", won_first.astype(int) + won_second, 2),
    ):
        ends = [
            [wilson(won / (games * number), games * number) for won, number in zip(*row, strict=True)]
            for row in zip(seen @ wins, numbers, strict=True)
        ]
        low, high = np.moveaxis(np.array(ends), -1, 0)
        yield _row(name, low, high, law @ wins / games, games == 1)


def _judge_points(
    scenario: Scenario, times: np.ndarray, generator: np.random.Generator
) -> Iterator[dict[str, Any]]:
    counts = classes_of(times.reshape(len(times), -1, KINDS)).astype(float)
    truth = classes_of(scenario.kinds()) @ SHARES
    low, high = likelihood_ends(counts)
    yield _row("points by pair: likelihood", low, high, truth, True)
    to_elo = np.vectorize(elo_of, otypes=[float])
    yield _row("Elo by pair: likelihood", to_elo(low), to_elo(high), to_elo(truth), True)
    yield _row("points by pair: score", *score_ends(counts), truth, False)
    yield _row("points by pair: normal", *normal_ends(counts), truth, False)
    chunks = [bootstrap_ends(counts[each], generator, RESAMPLES) for each in _chunks(len(times))]
    low, high = (np.concatenate(ends) for ends in zip(*chunks, strict=True))
    yield _row("points by pair: bootstrap", low, high, truth, False)


def _chunks(studies: int) -> Iterator[slice]:
    for start in range(0, studies, CHUNK):
        yield slice(start, start + CHUNK)


def _judge_ratings(
    scenario: Scenario, times: np.ndarray, generator: np.random.Generator
) -> Iterator[dict[str, Any]]:
    design = scenario.design
    players = design.players
    precision = np.full(players + 2, PRIOR**-2.0)
    fitted = maximise(design, design.counts(times), precision)
    weights = [contrast(players, i, j) for i, j in combinations(range(players), 2)]
    white = np.eye(players + 1)[-1]
    truth = [elo_of_parameters(scenario.parameters[None], each)[0] for each in (*weights, white)]
    one_sided = _one_sided(scenario, times)
    for name in ("sandwich", "hessian", "bootstrap"):
        if name == "bootstrap":
            low, high = _bootstrap(scenario, times, fitted, precision, generator, [*weights, white])
        else:
            covariance = sandwich_covariance if name == "sandwich" else hessian_covariance
            spread = covariance(design, times, fitted, precision)
            low, high = _normal(fitted, spread, [*weights, white])
        for (study, quantity), (lower, upper) in one_sided.items():
            low[study, quantity], high[study, quantity] = lower, upper
        default = name == "sandwich"
        yield _row(f"ratings: {name}", low[:, :-1], high[:, :-1], np.array(truth[:-1]), default)
        yield _row(f"White's advantage: {name}", low[:, -1:], high[:, -1:], np.array(truth[-1:]), default)


def _normal(fitted: np.ndarray, spread: np.ndarray, weights: list[np.ndarray]) -> Ends:
    middle = np.stack([elo_of_parameters(fitted, each) for each in weights], axis=1)
    slopes = np.stack([elo_slope(fitted, each) for each in weights], axis=1)
    reach = Z * np.sqrt(np.einsum("bqi,bij,bqj->bq", slopes, spread, slopes))
    return middle - reach, middle + reach


def _bootstrap(
    scenario: Scenario,
    times: np.ndarray,
    fitted: np.ndarray,
    precision: np.ndarray,
    generator: np.random.Generator,
    weights: list[np.ndarray],
) -> Ends:
    design, ends = scenario.design, []
    for chunk in _chunks(len(times)):
        drawn = resample(times[chunk], scenario.strata, RESAMPLES, generator)
        start = np.repeat(fitted[chunk], RESAMPLES, axis=0)
        samples = maximise(design, design.counts(drawn.reshape(len(start), -1)), precision, start=start)
        elo = np.stack([elo_of_parameters(samples, each) for each in weights], axis=1)
        elo = elo.reshape(len(drawn), RESAMPLES, -1)
        ends.append(np.quantile(elo, [(1 - CONFIDENCE) / 2, (1 + CONFIDENCE) / 2], axis=1))
    low, high = np.concatenate(ends, axis=1)
    return low, high


def _one_sided(scenario: Scenario, times: np.ndarray) -> dict[tuple[int, int], tuple[float, float]]:
    """Intervals of differences that the games of a study do not bound on both sides, as `fit` gives them."""
    design = scenario.design
    scored = design.counts(times)
    labels = [str(each) for each in range(design.players)]
    found = {}
    for study, counts in enumerate(scored):
        reach = reach_of(design, counts)
        if reach.all():
            continue
        ratings = fit_evidence(labels, scenario.evidence(times[study]))
        for quantity, (i, j) in enumerate(combinations(range(design.players), 2)):
            if not (reach[i, j] and reach[j, i]):
                found[study, quantity] = ratings.difference(labels[i], labels[j]).interval
    return found


def judge_sprt(scenario: SprtScenario, studies: int, generator: np.random.Generator) -> dict[str, Any]:
    """How often a test ends wrongly under each of its hypotheses, and after how many pairs of games."""
    row: dict[str, Any] = {"scenario": scenario.name}
    test = scenario.test
    for truth, elo, allowed in (("H0", test.elo0, test.alpha), ("H1", test.elo1, test.beta)):
        law = pair_law(points_of(elo), scenario.nu, 0.2, scenario.correlation)
        accepted, lengths = run_tests(test, law, studies, generator)
        wrong = float(((accepted != 0) & (accepted != (1 if truth == "H1" else -1))).mean())
        row |= {
            f"wrong under {truth}": round(wrong, 4),
            f"allowed under {truth}": allowed,
            f"mean pairs under {truth}": round(float(lengths.mean()), 1),
            f"undecided under {truth}": int((accepted == 0).sum()),
            f"holds under {truth}": bool(wrong <= allowed + 2 * sqrt(allowed * (1 - allowed) / studies)),
        }
    return row


def run_tests(
    test: Sprt, law: np.ndarray, studies: int, generator: np.random.Generator
) -> tuple[np.ndarray, np.ndarray]:
    """Run a test many times on pairs of games drawn from f8[5].

    Returns:
        i8[studies]: +1 where it ended with H1, -1 with H0, 0 where it did not end; i8[studies]: pairs played.
    """
    accepted, lengths = np.zeros(studies, dtype=np.int64), np.full(studies, LONGEST)
    counts, alive = np.zeros((studies, len(law))), np.arange(studies)
    for played in range(0, LONGEST, BLOCK):
        drawn = generator.multinomial(1, law, size=(len(alive), BLOCK))
        path = counts[alive, None] + drawn.cumsum(axis=1)
        llrs = test.llrs(path.reshape(-1, len(law))).reshape(len(alive), BLOCK)
        ended = (llrs >= test.upper) | (llrs <= test.lower)
        at = ended.argmax(axis=1)
        over = ended.any(axis=1)
        accepted[alive[over]] = np.sign(llrs[over, at[over]])
        lengths[alive[over]] = played + at[over] + 1
        counts[alive] = path[:, -1]
        alive = alive[~over]
        if not len(alive):
            break
    return accepted, lengths


def coverage(
    studies: Annotated[int, typer.Option(min=10, help="of each scenario")] = 1000,
    seed: Annotated[int, typer.Option(min=0, help="of all draws")] = 1,
    result: Annotated[Path | None, typer.Option(help="JSON file for the figures")] = None,
) -> None:
    """Simulate studies: how often 95 % intervals hold the truth, and how often the sequential test errs."""
    console = Console()
    generator = np.random.default_rng(seed)
    intervals, tests = [], []
    for number, scenario in enumerate(SCENARIOS, 1):
        console.print(f"{number} of {len(SCENARIOS)}: {scenario.name}", style="dim")
        intervals += judge(scenario, studies, generator)
    for number, sprt in enumerate(SPRT_SCENARIOS, 1):
        console.print(f"sequential test {number} of {len(SPRT_SCENARIOS)}: {sprt.name}", style="dim")
        tests.append(judge_sprt(sprt, studies, generator))
    console.print(_table(intervals, True), _table(intervals, False), _sprt_table(tests))
    if result is not None:
        command = f"python -m research.coverage --studies {studies} --seed {seed} --result {result}"
        write_aside(result, json.dumps(_summary(command, studies, seed, intervals, tests), indent=1) + "\n")
        console.print(f"written: {result}")


def _summary(
    command: str, studies: int, seed: int, intervals: list[dict[str, Any]], tests: list[dict[str, Any]]
) -> dict[str, Any]:
    return {
        "what": "how often 95 % intervals contain the truth in simulated studies, and how often the "
        "sequential test errs; `holds`: the mean coverage is between 93 and 97 %, the errors are not above "
        "what is allowed by more than two standard errors of the simulation",
        "command": command,
        "studies": studies,
        "seed": seed,
        "resamples": RESAMPLES,
        "versions": json.loads(versions_text()) | {"scipy": scipy.__version__},
        "scenarios": [
            {
                "name": each.name,
                "theta": each.theta,
                "pairs": each.pairs,
                "delta": each.delta,
                "nu": each.nu,
                "correlation": each.correlation,
                "beyond": each.beyond,
            }
            for each in SCENARIOS
        ],
        "intervals": intervals,
        "sprt": tests,
    }


def _table(rows: list[dict[str, Any]], default: bool) -> Table:
    chosen = [row for row in rows if row["default"] is default]
    title = "how often 95 % intervals contain the truth: " + ("the defaults" if default else "the others")
    table = Table("scenario", title=title, caption="* outside 93 to 97 %")
    for method in dict.fromkeys(row["method"] for row in chosen):
        table.add_column(method, justify="right")
    for scenario in dict.fromkeys(row["scenario"] for row in chosen):
        cells = [row for row in chosen if row["scenario"] == scenario]
        table.add_row(scenario, *(f"{row['coverage']:.1%}" + "*" * (not row["holds"]) for row in cells))
    return table


def _sprt_table(rows: list[dict[str, Any]]) -> Table:
    table = Table("test", title="the sequential test")
    for truth in ("H0", "H1"):
        for heading in (f"wrong under {truth}", "mean pairs", "holds"):
            table.add_column(heading, justify="right")
    for row in rows:
        cells = (
            (
                f"{row[f'wrong under {t}']:.1%}",
                f"{row[f'mean pairs under {t}']:.0f}",
                f"{row[f'holds under {t}']}",
            )
            for t in ("H0", "H1")
        )
        table.add_row(row["scenario"], *(cell for group in cells for cell in group))
    return table


app = typer.Typer(pretty_exceptions_enable=False)
app.command()(plainly(coverage))

if __name__ == "__main__":
    app()
