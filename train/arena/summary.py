"""What a study shows, in the terminal: scores by pairing with their 95 % intervals."""

import numpy as np
from rich.markup import escape
from rich.table import Table

from train.arena.schedule import Pairing
from train.arena.study import Study
from train.statistics.elo import elo_interval, elo_of
from train.statistics.pairs import mean_points, pairs_of, pentanomial, points_interval
from train.statistics.score import Score


def scores(study: Study) -> Table:
    """A row a pairing, points and Elo being the first player's; below them how the games ended."""
    table = Table(title="points and Elo of the first; intervals are 95 %, by pair", caption_justify="left")
    for heading in ("first", "second"):
        table.add_column(heading)
    for heading in ("games", "won", "drawn", "lost", "points", "Elo"):
        table.add_column(heading, justify="right")
    notes = []
    for pairing in study.pairings:
        score = _score(study, pairing)
        if score is None:
            table.add_row(escape(pairing.first), escape(pairing.second), "0")
            continue
        counts = pentanomial(pairs_of(study.games(pairing.index)))
        cells = [score.games, score.wins, score.draws, score.losses]
        names = escape(pairing.first), escape(pairing.second)
        table.add_row(*names, *map(str, cells), *_strength(counts))
        notes += _notes(study, pairing)
    table.caption = escape("\n".join(notes))
    return table


def _score(study: Study, pairing: Pairing) -> Score | None:
    points = [game.first_points for game in study.games(pairing.index)]
    return Score(points.count(1), points.count(0.5), points.count(0)) if points else None


def _strength(counts: np.ndarray) -> list[str]:
    """Points and Elo with their intervals; empty before a pair is complete."""
    if not counts.sum():
        return ["", ""]
    points, (low, high) = mean_points(counts), points_interval(counts)
    below, above = elo_interval(counts)
    return [
        f"{points:.1%} [{100 * low:.1f}, {100 * high:.1f}]",
        f"{elo_of(points):+.0f} [{below:+.0f}, {above:+.0f}]",
    ]


def _notes(study: Study, pairing: Pairing) -> list[str]:
    games = study.games(pairing.index)
    reasons = sorted({game.reason for game in games})
    ends = ", ".join(f"{sum(game.reason == reason for game in games)} {reason}" for reason in reasons)
    notes = [f"{pairing.first} v {pairing.second}: {ends}"]
    verdict = study.verdict(pairing.index)
    if verdict is not None:
        notes.append(
            f"  {verdict.accepted} accepted after {verdict.stopped_at} pairs, LLR {verdict.llr:+.2f}"
        )
    elif study.config.sprt is not None:
        notes.append("  the sequential test has not decided")
    faulty = [game for game in games if game.fault]
    faults = sorted({f"{game.black if game.outcome > 0 else game.white} {game.fault}" for game in faulty})
    return notes + [f"  {fault}" for fault in faults[:3]]
