"""What a study shows, in the terminal: scores by pairing with their 95 % intervals."""

from rich.markup import escape
from rich.table import Table

from ks_arena.schedule import Pairing
from ks_arena.scores import PairingScore, score_of
from ks_arena.statistics.elo import elo_of
from ks_arena.study import Study


def scores(study: Study) -> Table:
    """A row a pairing, points and Elo being the first player's; below them how the games ended."""
    table = Table(title="points and Elo of the first; intervals are 95 %, by pair", caption_justify="left")
    for heading in ("first", "second"):
        table.add_column(heading)
    for heading in ("games", "won", "drawn", "lost", "points", "Elo"):
        table.add_column(heading, justify="right")
    notes = []
    for pairing in study.pairings:
        score = score_of(study, pairing)
        names = escape(pairing.first), escape(pairing.second)
        if score.interval is None:
            table.add_row(*names, str(score.played))
            continue
        table.add_row(*names, str(score.played), *map(str, score.results), *_strength(score))
        notes += _notes(study, pairing)
    table.caption = escape("\n".join(notes))
    return table


def _strength(score: PairingScore) -> list[str]:
    """Points and Elo with their intervals, where there are any."""
    if score.points is None or score.interval is None:
        return []
    low, high = score.interval
    return [
        f"{score.points:.1%} [{100 * low:.1f}, {100 * high:.1f}]",
        f"{elo_of(score.points):+.0f} [{elo_of(low):+.0f}, {elo_of(high):+.0f}]",
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
