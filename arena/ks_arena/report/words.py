"""Numbers and names as reports write them."""

import re
from collections.abc import Iterable, Sequence
from math import isfinite, isinf

from ks_arena.statistics.score import Interval
from ks_arena.study.records import one_line

NOTHING = "–"
BREAK = "<br>"  # within a cell of a table


def percent(share: float, digits: int = 1) -> str:
    """A share as a percentage."""
    return f"{100 * share:.{digits}f} %"


def share_interval(interval: Interval | None) -> str:
    """An interval of shares, in per cent."""
    if interval is None:
        return NOTHING
    return f"[{100 * interval[0]:.1f}, {100 * interval[1]:.1f}]"


def elo(value: float) -> str:
    """An Elo difference, with its sign."""
    if isinf(value):
        return "+∞" if value > 0 else "−∞"
    rounded = round(value)
    return "0" if rounded == 0 else f"{rounded:+d}".replace("-", "−")


def elo_interval(interval: Interval | None) -> str:
    """An interval of Elo differences; an end that is not bounded is open."""
    if interval is None:
        return NOTHING
    low, high = interval
    opening, closing = "[" if isfinite(low) else "(", "]" if isfinite(high) else ")"
    return f"{opening}{elo(low)}, {elo(high)}{closing}"


def results(wins: int, draws: int, losses: int) -> str:
    """Won, drawn and lost games."""
    return f"{wins}–{draws}–{losses}"


def seconds(value: float | None) -> str:
    """A time with two or three digits that count."""
    if value is None:
        return NOTHING
    if value >= 100:
        return f"{value:,.0f} s"
    if value >= 1:
        return f"{value:.3g} s"
    if value >= 1e-3:
        return f"{1e3 * value:.3g} ms"
    return f"{1e6 * value:.3g} µs"


def amount(value: float | None) -> str:
    """A number of whatever is counted, per move."""
    if value is None:
        return NOTHING
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def budget(value: float | None) -> str:
    """A budget as short as it can be said exactly."""
    if value is None:
        return NOTHING
    return f"{value:,.0f}" if value == int(value) else f"{value:.15g}"


def shortened(text: str, longest: int) -> str:
    """The text, its middle left out where it is too long: labels differ at both ends."""
    text = one_line(text)
    if len(text) <= longest:
        return text
    tail = (longest - 1) // 2
    return f"{text[: longest - 1 - tail]}…{text[-tail:]}"


def plain(text: str) -> str:
    """Text from outside, such as a label, as Markdown that shows it as it is."""
    escaped = re.sub(r"([\\`*\[\]<>|&~#!$])", r"\\\1", one_line(text))
    return re.sub(r"(?<!\w)_|_(?!\w)", r"\\_", escaped)


def table(headings: Sequence[str], rows: Iterable[Sequence[str]], left: int = 1) -> str:
    """A Markdown table; the first `left` columns are aligned to the left, the others to the right."""
    sides = ["---" if number < left else "---:" for number in range(len(headings))]
    lines = [headings, sides, *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)
