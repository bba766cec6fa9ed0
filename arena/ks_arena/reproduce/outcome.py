"""A published table beside our figures: for the terminal, as Markdown and as JSON."""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from pathlib import Path
from typing import Any

from rich.markup import escape
from rich.table import Table

from ks_arena.reproduce.measures import Measured, Work, measure_row
from ks_arena.reproduce.published import UNITS, Published, PublishedTable, Row
from ks_arena.reproduce.state import StudyState, row_state
from ks_arena.reproduce.verdict import Judgement, judge_figure
from ks_arena.statistics.score import Estimate
from ks_arena.study.config import Ladder
from ks_arena.study.scores import ladder_of
from ks_arena.study.study import Study
from ks_env.core.files import write_aside

DECIMALS = {"elo": 0, "lead": 0, "tries_a_move": 3, "wins_per_loss": 2}
PLURAL = {"agrees": "agree", "agrees (not settled)": "agree (not settled)", "differs": "differ"}
HEADINGS = ("what", "published", "ours [95 %]", "games", "work a move", "verdict")
NUMERIC = ("published", "ours [95 %]", "games")


@dataclass(frozen=True)
class Outcome:
    """One figure, theirs and ours.

    Attributes:
        row: the published one.
        measured: ours; None where it was not played.
        planned: games that the table's study plays of the pairing; 0 without a study.
        budget: the measured player's, with its unit; empty outside ladders.
        judgement: None without a figure of ours.
        state: how far it has been reproduced, in words.
    """

    row: Row
    measured: Measured | None
    planned: int
    budget: str
    judgement: Judgement | None
    state: str


def outcome_of(
    row: Row,
    table: PublishedTable,
    studies: Mapping[str, Study],
    states: dict[str, StudyState],
    earlier: Mapping[str, Measured],
) -> Outcome:
    """Compare one row with the studies that have been played, by key; else with what was measured earlier.

    An earlier figure of several studies does not count where one of them alone has been played since.
    """
    measured = measure_row(row, studies)
    there = {study in studies for study, _, _ in row.sides}
    if measured is None and len(there) < 2:
        measured = earlier.get(row.what)
    judgement = None
    if measured is not None and measured.estimate is not None and row.measure is not None:
        judgement = judge_figure(measured.estimate, row.published, row.measure)
    planned = 0 if row.study is None else table.studies[row.study].games
    if measured is None:
        state = row_state(row, states)
    else:
        state = f"{measured.games:,} games played{', which do not tell' if judgement is None else ''}"
    return Outcome(row, measured, planned, _budget(row, table), judgement, state)


def _budget(row: Row, table: PublishedTable) -> str:
    if row.study is None or row.measure is None or row.measure.budget is None:
        return ""
    tournament = table.studies[row.study].tournament
    assert isinstance(tournament, Ladder)  # otherwise the row's games would not have been found
    return f"{row.measure.budget:g} {tournament.unit}"


def unit_of(row: Row) -> str:
    """The unit of a row's figures."""
    return row.unit if row.measure is None else UNITS[row.measure.kind]


def published_text(row: Row) -> str:
    """The published figure as it is shown, such as `> 100 Elo` or `75 % (8 games)`."""
    published = row.published
    games = "" if published.games is None else f" ({published.games:,} games)"
    return f"{_figure(published, _places(row))} {unit_of(row)}{games}"


def _places(row: Row) -> int:
    return 0 if row.measure is None else DECIMALS.get(row.measure.kind, 1)


def _figure(published: Published, places: int) -> str:
    if published.to is not None:
        return f"{published.value:g} to {published.to:g}"
    if published.relation == "=":
        text = f"{published.value:.{places}f}"
        return text if float(text) == published.value else f"{published.value:g}"
    return f"{published.relation} {published.value:g}"


def ours_text(outcome: Outcome) -> str:
    """Our figure with its interval; a dash without one."""
    if outcome.measured is None or outcome.measured.estimate is None:
        return "–"
    estimate, places = outcome.measured.estimate, _places(outcome.row)
    value, low, high = (_number(each, places) for each in (estimate.value, estimate.low, estimate.high))
    return f"{value} [{low}, {high}]"


def _number(value: float, places: int) -> str:
    if not isfinite(value):
        return "∞" if value > 0 else "−∞"
    return f"{round(value, places) + 0.0:.{places}f}".replace("-", "−")  # + 0.0: no minus before nothing


def _games_text(outcome: Outcome) -> str:
    if outcome.measured is None:
        return "0"
    played, forfeits = outcome.measured.games, outcome.measured.forfeits
    text = f"{played:,}" if played >= outcome.planned else f"{played:,} of {outcome.planned:,}"
    return f"{text}, {forfeits:,} forfeited" if forfeits else text


def _work_text(outcome: Outcome) -> str:
    budget = f"budget {outcome.budget}" if outcome.budget else ""
    if outcome.measured is None:
        return budget
    return "; ".join(filter(None, [_spent(outcome.measured.work), budget]))


def _spent(work: Work) -> str:
    nodes = "nodes not counted" if work.nodes is None else f"{work.nodes:,.0f} nodes"
    seconds = "under 1 ms" if work.seconds < 0.001 else f"{work.seconds:.3g} s"
    return f"{seconds}, {nodes}"


def _verdict_text(outcome: Outcome) -> str:
    return outcome.state if outcome.judgement is None else str(outcome.judgement)


def cells(outcome: Outcome) -> list[str]:
    """The row's cells under `HEADINGS`."""
    return [
        outcome.row.what,
        published_text(outcome.row),
        ours_text(outcome),
        _games_text(outcome),
        _work_text(outcome),
        _verdict_text(outcome),
    ]


def summary_line(outcomes: Sequence[Outcome]) -> str:
    """How many figures agree, and how many would not by chance alone."""
    judged = [each for each in outcomes if each.judgement is not None]
    verdicts = Counter(str(each.judgement) for each in judged)
    compared = verdicts.total()
    if not compared:
        return f"none of {len(outcomes)} figures compared"
    counts = ", ".join(f"{count} {PLURAL.get(each, each)}" for each, count in verdicts.most_common())
    text = f"{compared} of {len(outcomes)} figures compared: {counts}"
    if any(not each.startswith("agrees") for each in verdicts):
        text += (
            "; were all of them equal, about 1 in 20 would not agree by chance, and more of those for which"
            " the paper gives no number of games, as they are taken as exact"
        )
    return text


def terminal_table(table: PublishedTable, outcomes: Sequence[Outcome]) -> Table:
    """The outcomes for the terminal."""
    shown = Table(title=escape(f"{table.title}\n{table.source}"), caption=summary_line(outcomes))
    for heading in HEADINGS:
        shown.add_column(heading, justify="right" if heading in NUMERIC else "left", overflow="fold")
    for outcome in outcomes:
        shown.add_row(*(escape(cell) for cell in cells(outcome)))
    return shown


def write_outcomes(
    folder: Path,
    name: str,
    table: PublishedTable,
    outcomes: Sequence[Outcome],
    studies: Mapping[str, Study],
    earlier: Mapping[str, Any],
) -> None:
    """Write `name`.md and `name`.json to the table's folder; `earlier` is told of studies not played here."""
    write_aside(folder / f"{name}.md", markdown(table, outcomes))
    kept = {
        "title": table.title,
        "source": table.source,
        "note": table.note,
        "rows": [as_dict(outcome) for outcome in outcomes],
        "studies": dict(earlier) | {key: _study_dict(study) for key, study in studies.items()},
    }
    text = json.dumps(kept, indent=1, ensure_ascii=False, allow_nan=False)
    write_aside(folder / f"{name}.json", text)


def markdown(table: PublishedTable, outcomes: Sequence[Outcome]) -> str:
    """The outcomes as a Markdown page, with the papers' words and the notes."""
    lines = [f"# {table.title}", ""]
    for text in (table.source, table.note, f"{summary_line(outcomes)}."):
        lines += [text, ""] if text else []
    lines += ["| " + " | ".join(HEADINGS) + " |"]
    lines += ["| " + " | ".join("---:" if each in NUMERIC else "---" for each in HEADINGS) + " |"]
    lines += ["| " + " | ".join(cell.replace("|", "\\|") for cell in cells(each)) + " |" for each in outcomes]
    notes = [each.row for each in outcomes if each.row.words_and_note]
    lines += ["", *(f"- {row.what} ({row.section}): {row.words_and_note}" for row in notes)]
    return "\n".join(lines) + "\n"


def as_dict(outcome: Outcome) -> dict[str, Any]:
    """One outcome for JSON; an end without bound is null."""
    row, measured, judgement = outcome.row, outcome.measured, outcome.judgement
    return {
        "what": row.what,
        "section": row.section,
        "unit": unit_of(row),
        "measure": row.measure_dict,
        "published": row.published.model_dump(exclude_none=True),
        "ours": None if measured is None else _estimate_dict(measured.estimate),
        "games": 0 if measured is None else measured.games,
        "games_planned": outcome.planned,
        "forfeits": 0 if measured is None else measured.forfeits,
        "budget": outcome.budget or None,
        "seconds_a_move": None if measured is None else measured.work.seconds,
        "nodes_a_move": None if measured is None else measured.work.nodes,
        "verdict": None if judgement is None else str(judgement.verdict),
        "settled": None if judgement is None else judgement.settled,
        "state": outcome.state,
        "note": row.note,
    }


def _estimate_dict(estimate: Estimate | None) -> dict[str, float | None] | None:
    if estimate is None:
        return None
    ends = {"value": estimate.value, "low": estimate.low, "high": estimate.high}
    return {key: end if isfinite(end) else None for key, end in ends.items()}


def _study_dict(study: Study) -> dict[str, Any]:
    games = study.games()
    return {
        "file": study.path.name,
        "games": len(games),
        "ladder": [rung._asdict() for rung in ladder_of(study)],
        "versions": [json.loads(text) for text in sorted({game.versions for game in games})],
        "config": study.config.model_dump(mode="json"),
    }
