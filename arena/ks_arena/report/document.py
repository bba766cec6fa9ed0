"""The report as Markdown. Whatever comes from outside, labels and faults, is escaped."""

import json
import re
from collections import Counter
from math import isinf

from ks_arena.report import words
from ks_arena.report.crosstable import Cell, CrossTable
from ks_arena.report.sums import Summary
from ks_arena.report.words import NOTHING, plain, table
from ks_arena.statistics.ratings import Ratings
from ks_arena.statistics.score import Estimate
from ks_arena.study.scores import PairingScore

MOST_FAULTS = 10  # listed a player
PICTURES = {
    "crosstable.png": "Points of rows against columns, in per cent, and games won, drawn and lost",
    "ratings.png": "Ratings with 95 % intervals",
    "ladder.png": "Points and Elo against the budget, with 95 % intervals",
    "reasons.png": "How the games of each pairing ended",
}


FEW_DECISIVE = 20  # games that somebody won, for each player but one: below that intervals are too short


def document(summary: Summary) -> str:
    """The whole report."""
    parts = [
        f"# {plain(summary.study.config.name)}",
        _state(summary),
        _terms(summary),
        _ladder(summary) if summary.is_ladder else "",
        _scores(summary),
        _ratings(summary),
        _ends(summary),
        _players(summary),
        _time(summary),
        _again(summary),
    ]
    return "\n\n".join(filter(None, parts)) + "\n"


def _picture(name: str) -> str:
    return f"![{PICTURES[name]}]({name})"


def _state(summary: Summary) -> str:
    study = summary.study
    expected = study.expected_games
    if not study.ends:
        text = f"{summary.played:,} games so far; more are played where they tell most."
    elif study.finished:
        text = f"Finished: {expected:,} games that count."
    else:
        share = summary.played / max(expected, 1)
        text = f"**In progress**: {summary.played:,} of {expected:,} games ({words.percent(share, 0)})."
    if summary.alone:
        text += (
            f" Of {summary.alone} of them the other game of the pair is missing; they are in no score or"
            " rating yet."
        )
    return text


def _terms(summary: Summary) -> str:
    study, config = summary.study, summary.study.config
    limits = config.limits
    starts = len(config.starts)
    options = ", ".join(
        f"{plain(str(key))} {plain(str(value))}" for key, value in config.ruleset_options.items()
    )
    seconds = "none" if limits.seconds_a_move is None else f"{limits.seconds_a_move:g} s"
    rows = [
        ("players", str(len(summary.players))),
        ("rules", plain(config.ruleset) + (f" with {options}" if options else "")),
        ("start", _starts(starts, config.start is None) + (", hidden" if config.hidden_start else "")),
        (
            "games a pairing",
            f"{'at most ' * (config.sprt is not None or not study.ends)}{config.games}, in pairs:"
            " colours swapped",
        ),
        ("limit for a turn", seconds),
        ("seed", str(config.seed)),
    ]
    if config.sprt is not None:
        rule = config.sprt
        test = f"Elo {rule.elo0:g} v {rule.elo1:g}, alpha {rule.alpha:g}, beta {rule.beta:g}"
        rows.append(("sequential test", test))
    return table(("setting", "value"), rows, left=2)


def _starts(number: int, usual: bool) -> str:
    if usual:
        return "the initial position"
    return "one position" if number == 1 else f"{number} positions in turn"


def _scores(summary: Summary) -> str:
    crosstable = CrossTable(summary.study.labels, summary.scores)
    headings = ["", *(plain(label) for label in crosstable.columns)]
    rows = [
        [plain(row), *(_cell(crosstable.cell(row, column)) for column in crosstable.columns)]
        for row in crosstable.rows
    ]
    one_column = len(crosstable.columns) == 1 or len(summary.scores) == 1  # all of it is below too
    cross = "" if one_column else table(headings, rows)
    return "\n\n".join(
        filter(
            None,
            [
                "## Scores",
                _picture("crosstable.png"),
                "Points of the row's player against the column's, with the 95 % interval by pair of games;"
                " below them games won–drawn–lost." * bool(cross),
                cross,
                "### Pairings",
                _pairings(summary),
                "Intervals are 95 %, by pair of games; scores are the first player's. *Distinct* games differ"
                " in their colours, their start or a try: where they are few, the players leave little to"
                " chance, and the score covers only the few lines that they play. A move is *spoken* if the"
                " referee answered it by more than whose turn it is: a capture, a check, pawn tries.",
                _stopped(summary),
                _white(summary),
            ],
        )
    )


def _cell(cell: Cell | None) -> str:
    if cell is None:
        return ""
    if cell.points is None:
        return "no games"
    share = f"**{words.percent(cell.points)}** {words.share_interval(cell.interval)}"
    return f"{share}{words.BREAK}{words.results(*cell.results)}"


def _pairings(summary: Summary) -> str:
    sprt = summary.study.config.sprt is not None
    headings = [
        "first",
        "second",
        "games",
        "W–D–L",
        "points",
        "95 %",
        "Elo",
        "95 %",
        "distinct",
        "plies",
        "spoken",
    ]
    rows = [_pairing_row(score, sprt) for score in summary.scores]
    return table(headings + ["verdict"] * sprt, rows, left=2)


def _pairing_row(score: PairingScore, sprt: bool) -> list[str]:
    games = f"{score.played:,}" + (f" of {score.expected:,}" if score.played < score.expected else "")
    names = [plain(score.pairing.first), plain(score.pairing.second), games]
    if score.points is None or score.elo is None:
        return [*names, *[NOTHING] * (8 + sprt)]
    return [
        *names,
        words.results(*score.results),
        words.percent(score.points),
        words.share_interval(score.interval),
        words.elo(score.elo),
        words.elo_interval(score.elo_interval),
        f"{score.distinct:,}",
        words.amount(score.plies_a_game),
        NOTHING if score.spoken_share is None else words.percent(score.spoken_share, 0),
        *[_verdict(score)] * sprt,
    ]


def _verdict(score: PairingScore) -> str:
    verdict = score.verdict
    if verdict is None:
        return "none" if score.played >= score.expected else "not yet"
    return f"{verdict.accepted} after {verdict.stopped_at:,} pairs, LLR {verdict.llr:.2f}".replace("-", "−")


def _stopped(summary: Summary) -> str:
    if summary.study.config.sprt is None:
        return ""
    return (
        "Where a sequential test has stopped a pairing its verdict is the result: the score leans the way of"
        " the verdict, and its interval is too short."
    )


def _white(summary: Summary) -> str:
    won, drawn, lost = summary.white
    games = won + drawn + lost
    if not games:
        return ""
    return (
        f"White won {won:,}, drew {drawn:,} and lost {lost:,} of {games:,} games:"
        f" {words.percent((won + drawn / 2) / games)} of the points."
    )


def _ratings(summary: Summary) -> str:
    if not summary.ratings and len(summary.study.labels) == 2:
        return ""  # the score of the one pairing says it all
    parts = ["## Ratings", _picture("ratings.png")]
    parts += [_group(summary, ratings) for ratings in summary.ratings]
    if len(summary.ratings) > 1:
        parts.append(
            "There is no chain of games between these groups of players, so their ratings cannot be compared."
        )
    if summary.unrated:
        names = ", ".join(plain(label) for label in summary.unrated)
        parts.append(f"Not rated, as they have played no complete pair of games: {names}.")
    if summary.ratings:
        parts.append(
            "One model for all games: Bradley–Terry with Davidson's draws and an advantage for White."
            " The 95 % intervals take the two games of a pair as dependent. Small differences of ratings are"
            " those of Elo by points; where draws are frequent, larger ones bring more points than that."
        )
        parts += _misfit(summary)
    return "\n\n".join(parts)


def _group(summary: Summary, ratings: Ratings) -> str:
    totals = _points_of_players(summary)
    order = sorted(zip(ratings.labels, ratings.players, strict=True), key=lambda item: -item[1].value)
    rows = []
    for label, estimate in order:
        points, games = totals[label]
        share = words.percent(points / games)
        rows.append([plain(label), words.elo(estimate.value), _ends_of(estimate), f"{games:,}", share])
    text = table(("player", "Elo", "95 %", "games", "points"), rows)
    white, draw = ratings.white_advantage, ratings.draw
    text += (
        f"\n\nWhite's advantage: {words.elo(white.value)} Elo {_ends_of(white)}. Draws between equals:"
        f" {words.percent(draw.value)} {words.share_interval(draw.interval)}."
    )
    zero = "the mean of the players" if ratings.anchor is None else plain(ratings.anchor)
    text += f" Zero is {zero}."
    if any(map(isinf, (end for estimate in ratings.players for end in estimate.interval))):
        text += (
            "\n\nAn open end: the games do not bound the rating on that side, as nobody scored against"
            " the player, or it against nobody. A weak prior keeps the rating itself finite."
        )
    return text + _doubts(ratings)


def _doubts(ratings: Ratings) -> str:
    """Where the ratings are worth little."""
    if not ratings.determined:
        return (
            "\n\n**The games alone determine no ratings**, as when somebody won and drew but never lost: a"
            " weak prior has made them finite, and their intervals mean nothing. Take the scores."
        )
    if ratings.decisive < FEW_DECISIVE * (len(ratings.labels) - 1):
        return (
            f"\n\n**Only {ratings.decisive} of these games were decisive**, too few for the intervals of the"
            " ratings, which are too short. Take the scores."
        )
    return ""


def _misfit(summary: Summary) -> list[str]:
    """The pairings whose scores the model cannot explain, which its intervals say nothing of."""
    gaps = []
    for ratings in summary.ratings:
        for score in summary.scores:
            sides = score.pairing.first, score.pairing.second
            if score.interval is None or not set(sides) <= set(ratings.labels):
                continue
            said = ratings.expected_points(*sides)
            if not score.interval[0] <= said <= score.interval[1]:
                names = f"{plain(sides[0])} v {plain(sides[1])}"
                gaps.append(
                    f"{names} ({words.percent(said)}, in the games {words.percent(score.points or 0)})"
                )
    if not gaps:
        return []
    return [
        f"The points that the model expects are outside the interval of the score for {', '.join(gaps)}. It"
        " has one frequency of draws between equals for all; where that does not hold, trust the scores."
    ]


def _ends_of(estimate: Estimate) -> str:
    return words.elo_interval(estimate.interval)


def _points_of_players(summary: Summary) -> dict[str, tuple[float, int]]:
    """Points and games of each player, over all its pairings."""
    points: Counter[str] = Counter()
    games: Counter[str] = Counter()
    for score in summary.scores:
        wins, draws, losses = score.results
        for label, mine in ((score.pairing.first, wins), (score.pairing.second, losses)):
            points[label] += mine + draws / 2  # type: ignore[assignment]
            games[label] += len(score.games)
    return {label: (points[label], games[label]) for label in games}


def _ladder(summary: Summary) -> str:
    unit = getattr(summary.study.config.tournament, "unit", "")
    rows = [
        [
            plain(score.pairing.series or score.pairing.first),
            plain(score.pairing.second),
            words.budget(score.pairing.budget),
            f"{score.played:,}",
            NOTHING if score.points is None else words.percent(score.points),
            words.share_interval(score.interval),
            NOTHING if score.elo is None else words.elo(score.elo),
            words.elo_interval(score.elo_interval),
        ]
        for score in summary.scores
        if score.pairing.budget is not None
    ]
    headings = ("series", "against", plain(unit), "games", "points", "95 %", "Elo", "95 %")
    return "\n\n".join(["## Score against budget", _picture("ladder.png"), table(headings, rows, left=2)])


def _ends(summary: Summary) -> str:
    ends: Counter[tuple[float, str]] = sum((score.ends for score in summary.scores), Counter())
    order = sorted(ends, key=lambda end: (-end[0], end[1] != "checkmate", end[1]))
    names = {1.0: "first wins", 0.5: "draw", 0.0: "second wins"}
    headings = ["first", "second", *(f"{names[points]}: {plain(reason)}" for points, reason in order)]
    rows = [
        [plain(score.pairing.first), plain(score.pairing.second), *(str(score.ends[end]) for end in order)]
        for score in summary.scores
    ]
    note = 'Games cut short by the limit on plies are counted as draws ("plies").'
    told = note if any(reason == "plies" for _, reason in ends) else ""
    counts = table(headings, rows, left=2) if order else ""
    return "\n\n".join(filter(None, ["## How games ended", _picture("reasons.png"), counts, told]))


def _players(summary: Summary) -> str:
    rows = []
    for each in summary.players.values():
        if not each.games:
            rows.append([plain(each.label), "0", *[NOTHING] * 6])
            continue
        rows.append(
            [
                plain(each.label),
                f"{each.games:,}",
                NOTHING if each.tries_a_move is None else f"{each.tries_a_move:.3f}",
                words.seconds(each.seconds_a_move),
                words.amount(each.nodes_a_move),
                words.seconds(each.slowest),
                NOTHING if each.spoken_share is None else words.percent(each.spoken_share),
                str(each.faults.total()),
            ]
        )
    headings = (
        "player",
        "games",
        "tries a move",
        "time a move",
        "nodes a move",
        "longest turn",
        "spoken in its games",
        "forfeits",
    )
    parts = ["## Players", table(headings, rows)]
    parts.append(
        "Nodes are each player's own count of its work; what they are differs from player to player."
    )
    return "\n\n".join([*parts, *_faults(summary)])


def _faults(summary: Summary) -> list[str]:
    lines = []
    for each in summary.players.values():
        for fault, times in each.faults.most_common(MOST_FAULTS):
            lines.append(f"- {plain(each.label)}, {times} ×: {plain(fault)}")
        if len(each.faults) > MOST_FAULTS:
            lines.append(f"- {plain(each.label)}: {len(each.faults) - MOST_FAULTS} other faults")
    return ["### Forfeits", "\n".join(lines)] if lines else []


def _time(summary: Summary) -> str:
    if summary.arena_share is None:
        return ""
    return (
        "## Time\n\n"
        f"All games together took {words.seconds(summary.seconds)} of wall clock;"
        f" {words.percent(summary.arena_share)} of it was the arena's own and the rest the players'."
    )


def _again(summary: Summary) -> str:
    name, text, command = summary.study.recipe
    fence = "`" * max(3, 1 + max((len(run) for run in re.findall("`+", text)), default=0))
    parts = [
        "## To play it again",
        f"Save this as `{name}`. With the same versions and budgets that are counts, the games are the same.",
        f"{fence}yaml\n{text.rstrip()}\n{fence}",
        f"```sh\n{command}\n```",
        *_versions(summary),
    ]
    return "\n\n".join(parts)


def _versions(summary: Summary) -> list[str]:
    parts = []
    if len(summary.versions) > 1:
        parts.append("The games were **not all played with the same versions**:")
    for text, games in summary.versions.most_common():
        found = json.loads(text)
        listed = ", ".join(f"{plain(str(key))} {plain(str(value))}" for key, value in found.items())
        parts.append(f"{games:,} {'game' if games == 1 else 'games'}: {listed}.")
    return parts
