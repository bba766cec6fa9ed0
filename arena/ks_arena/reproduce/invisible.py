"""Invisible chess beside its paper as a whole: what single rows do not show (Bud et al. 2001, §5, §6).

- Table 1 as a matrix, ours and theirs; on which side of 50 % each cell is, and the cells' rank correlation;
- Table 2: the share of wins over the weights;
- how often the winner was the less uncertain player, by winner and configuration, and Figure 3 redrawn.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from matplotlib.figure import Figure
from rich.console import Console
from rich.progress import track
from scipy.stats import spearmanr

from ks_arena.report.style import WIDTH, Paper
from ks_arena.report.words import table
from ks_arena.report.write import write_png
from ks_arena.reproduce.outcome import Outcome
from ks_arena.reproduce.published import PublishedTable
from ks_arena.reproduce.seats import SeatGame, flat, pairs_of
from ks_arena.reproduce.uncertainty import uncertainty
from ks_arena.study.schedule import field_of
from ks_arena.study.study import Study
from ks_env.core.files import write_aside

EVEN = 50.0
SAMPLED = 50  # pairs of games of a pairing that the survey of uncertainty looks at
NAME = "comparison"


@dataclass(frozen=True)
class Cell:
    """One figure of a table of win percentages.

    Attributes:
        player: label of the row.
        against: label of the column.
        theirs: %.
        ours: %.
    """

    player: str
    against: str
    theirs: float
    ours: float

    @property
    def same_side(self) -> bool:
        """Whether both are above, or both below, 50 %."""
        return (self.ours - EVEN) * (self.theirs - EVEN) > 0


def cells_of(outcomes: Sequence[Outcome], study: str) -> list[Cell]:
    """The figures of a study that were measured."""
    found = []
    for outcome in outcomes:
        row, ours = outcome.row, outcome.measured
        if row.study != study or row.measure is None or row.measure.kind != "decisive_wins":
            continue
        if ours is not None and ours.estimate is not None:
            measure = row.measure
            found.append(Cell(measure.player, measure.against, row.published.value, ours.estimate.value))
    return found


def same_cells(study: Study, cells: Sequence[Cell]) -> list[Cell]:
    """The same figures in another study of the same players, or of some of them."""
    met = [{each.first, each.second} for each in field_of(study.config).pairings]
    found = []
    for cell in cells:
        if {cell.player, cell.against} not in met:
            continue
        outcomes = [each.outcome for each in flat(pairs_of(study, cell.player, cell.against, None))]
        won, lost = outcomes.count(1), outcomes.count(-1)
        if won + lost:
            found.append(replace(cell, ours=100 * won / (won + lost)))
    return found


def matrix(cells: Sequence[Cell]) -> str:
    """Table 1 as Markdown: `ours (theirs)` of the row against the column."""
    labels = list(dict.fromkeys([cell.player for cell in cells] + [cell.against for cell in cells]))
    known = {(cell.player, cell.against): (cell.ours, cell.theirs) for cell in cells}
    known |= {(b, a): (100 - ours, 100 - theirs) for (a, b), (ours, theirs) in known.items()}
    texts = {pair: f"{ours:.1f} ({theirs:.1f})" for pair, (ours, theirs) in known.items()}
    rows = [[f"**{row}**", *(texts.get((row, column), "") for column in labels)] for row in labels]
    return table(["", *labels], rows)


def agreement(cells: Sequence[Cell]) -> str:
    """On which side of 50 % the cells are, how far from the paper's, how their ranks correlate; in words."""
    same = sum(cell.same_side for cell in cells)
    found = spearmanr([cell.theirs for cell in cells], [cell.ours for cell in cells])
    closer = sum(abs(cell.ours - EVEN) < abs(cell.theirs - EVEN) for cell in cells)
    apart = sum(abs(cell.ours - cell.theirs) for cell in cells) / len(cells)
    return (
        f"{same} of {len(cells)} cells are on the paper's side of 50 %; {closer} are closer to it than the"
        f" paper's. They are {apart:.1f} points apart on average. Spearman's rank correlation is"
        f" {found.statistic:.2f} (p = {found.pvalue:.1g})."
    )


@dataclass(frozen=True)
class Survey:
    """How often the winner was the less uncertain, in the games of one side that somebody won.

    Attributes:
        white: label of White's player; `black` of Black's.
        black: see `white`.
        winner: "White" or "Black".
        hits: games in which the winner's entropy, summed over the game, was the lower.
        games: of how many.
    """

    white: str
    black: str
    winner: str
    hits: int
    games: int


def survey(study: Study, player: str, against: str, most: int) -> list[Survey]:
    """By colours and winner, over the first pairs of games of a pairing.

    Args:
        study: the games.
        player: label of the pairing's one player.
        against: label of the other.
        most: how many pairs of games.
    """
    counts: dict[tuple[str, str, str], list[bool]] = {}
    for each in flat(pairs_of(study, player, against, None)[:most]):
        if each.outcome == 0:
            continue
        white_won = each.game.outcome > 0
        white, black = uncertainty(each.game, study.config, 0)
        key = each.game.white, each.game.black, "White" if white_won else "Black"
        counts.setdefault(key, []).append(white < black if white_won else black < white)
    return [Survey(*key, sum(hits), len(hits)) for key, hits in counts.items()]


def survey_table(surveys: Sequence[Survey]) -> str:
    """The surveys in Markdown."""
    headings = ("White", "Black", "won by", "less uncertain", "games", "share")
    rows = [
        (s.white, s.black, s.winner, str(s.hits), str(s.games), f"{100 * s.hits / s.games:.0f} %")
        for s in surveys
    ]
    return table(headings, rows, left=3)


def figure_3(games: Sequence[SeatGame], study: Study, paper: Paper) -> Figure:
    """Both players' entropies in the games that White won, sorted by Black's (Bud et al. 2001, Fig. 3)."""
    found = sorted(uncertainty(each.game, study.config, 1) for each in games)
    figure = Figure(figsize=(WIDTH, 4.0), layout="constrained")
    axes = figure.subplots()
    axes.plot([black for black, _ in found], label="Black", color=paper.series[0])
    axes.plot([white for _, white in found], label="White", color=paper.series[1], linestyle="--")
    axes.set_xlabel("games won by White (2 bishops v 1 bishop), by Black's uncertainty")
    axes.set_ylabel("entropy summed over the game, bits")
    axes.legend()
    return figure


def write_comparison(
    folder: Path, paper: PublishedTable, outcomes: Sequence[Outcome], studies: Mapping[str, Study], cut: str
) -> list[Path]:
    """Write `comparison.md` and `figure-3.png`, where there are games; the files.

    Args:
        folder: where they go.
        paper: its table.
        outcomes: of its rows.
        studies: what has been played, by key.
        cut: what the files' names end in where the studies are cut short.
    """
    lines = [f"# {paper.title}: as a whole", ""]
    first = cells_of(outcomes, "table-1")
    if first:
        lines += ["## Table 1: ours (the paper's), % of decisive games won by the row", "", matrix(first)]
        lines += ["", agreement(first), "", fewest_decisive(studies["table-1"], first), ""]
        lines += _otherwise(studies, first)
    for key in ("table-2-queens", "table-2-bishops"):
        cells = cells_of(outcomes, key)
        if cells:
            lines += [f"## {key}: ours beside the paper's", ""]
            rows = [(cell.player, f"{cell.ours:.1f}", f"{cell.theirs:.1f}") for cell in cells]
            lines += [table(("advisor", "ours", "the paper's"), rows), ""]
    lines += _lighter(studies)
    written = []
    if "table-1" in studies:
        study = studies["table-1"]
        told = track(first, "uncertainty of both players", console=Console(stderr=True), transient=True)
        surveys = [s for c in told for s in survey(study, c.player, c.against, SAMPLED)]
        lines += [f"## The less uncertain player won: the first {SAMPLED} pairs of games of a pairing", ""]
        lines += [survey_table(surveys), ""]
        written += _write_figure(folder / f"figure-3{cut}.png", study)
    file = folder / f"{NAME}{cut}.md"
    write_aside(file, "\n".join(lines))
    return [file, *written]


def fewest_decisive(study: Study, cells: Sequence[Cell]) -> str:
    """How many decisive games the cells have at least with either colour, in words."""
    counts = [
        (sum(g.outcome != 0 and g.seat == seat for g in flat(pairs_of(study, c.player, c.against, None))), c)
        for c in cells
        for seat in (0, 1)
    ]
    fewest, cell = min(counts, key=lambda each: each[0])
    return f"Decisive games of a cell with one colour: at least {fewest} ({cell.player} v {cell.against})."


OTHERWISE = {  # studies of Table 1 anew: when
    "captures-told": "a hidden man's capture tells where it stands",
    "gnu-chess": "the strategic advisor is GNU Chess",
    "gnu-chess-told": "it is GNU Chess, and a hidden man's capture tells where it stands",
    "sixteen-boards": "both look at sixteen boards, two plies deep",
}


def _otherwise(studies: Mapping[str, Study], cells: Sequence[Cell]) -> list[str]:
    """Table 1 by other readings."""
    lines = []
    for key, when in OTHERWISE.items():
        found = same_cells(studies[key], cells) if key in studies else []
        if found:
            lines += [f"## Table 1 when {when}", "", matrix(found), "", agreement(found), ""]
    return lines


def _lighter(studies: Mapping[str, Study]) -> list[str]:
    """Lighter weights than the paper's, in studies whose keys begin with "centipawns"."""
    lines = []
    for key in (key for key in studies if key.startswith("centipawns")):
        study = studies[key]
        pairings = field_of(study.config).pairings
        cells = same_cells(study, [Cell(each.first, each.second, EVEN, EVEN) for each in pairings])
        rows = [(cell.player, f"{cell.ours:.1f}") for cell in cells]
        title = f"## {key}: from a hundredth of the paper's weights"
        lines += [title, "", table(("advisor", "ours"), rows), ""]
    return lines


def _write_figure(file: Path, study: Study) -> list[Path]:
    games = [each for each in flat(pairs_of(study, "2B", "1B", None)) if each.seat == 0 and each.outcome > 0]
    return [write_png(file, partial(figure_3, games, study))] if games else []
