"""The results as tables in the terminal, as JSON and as a page."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

Spread = dict[str, float]
Rows = list[list[str]]


def number(value: float) -> str:
    """Three significant digits, thousands apart."""
    if value >= 1000:
        digits = len(str(int(value))) - 3
        return f"{round(value, -digits):,.0f}"
    return f"{value:.3g}"


def with_spread(values: Spread, unit: str = "") -> str:
    """Median and, in brackets, the range."""
    return f"{number(values['median'])}{unit} ({number(values['min'])}–{number(values['max'])})"


def percent(values: Spread) -> str:
    """Median and range of a share."""
    return f"{values['median']:.1%} ({values['min']:.1%}–{values['max']:.1%})"


def _comparison(part: dict[str, Any]) -> tuple[list[str], Rows]:
    head = ["environment", "tries/s", *(f"× {name}" for name in part["peers"])]
    rows = []
    for row in part["rows"]:
        if row["missing"]:
            rows.append([row["name"], f"not measured: {row['missing']}", *("" for _ in part["peers"])])
            continue
        times = [with_spread(row["ratios"][peer]) if peer in row["ratios"] else "" for peer in part["peers"]]
        rows.append([row["name"], with_spread(row["rate"]), *times])
    return head, rows


def _batches(part: dict[str, Any]) -> tuple[list[str], Rows]:
    head = ["games at once", "bytes a try", "ns a try", "ns to fill as many bytes", "share", "tries/s"]
    rows = [
        [
            str(row["games"]),
            f"{row['bytes_written']:,}",
            f"{row['step_ns']:.0f}",
            f"{row['fill_ns']:.0f}",
            f"{row['share']:.0%}",
            number(1e9 / row["step_ns"]),
        ]
        for row in part["rows"]
    ]
    return head, rows


def _encoders(part: dict[str, Any]) -> tuple[list[str], Rows]:
    head = ["encoder", "against", "tries/s without", "tries/s with", "ratio"]
    rows = [
        [
            row["encoder"],
            row["opponent"],
            with_spread(row["without"]),
            with_spread(row["with"]),
            with_spread(row["ratio"]),
        ]
        for row in part["rows"]
    ]
    return head, rows


def _opponents(part: dict[str, Any]) -> tuple[list[str], Rows]:
    names = ["solo", "vector", "SB3"]
    rows = [[row["opponent"], *(with_spread(row[name]) for name in names)] for row in part["rows"]]
    return ["against", *(f"tries/s, {name}" for name in names)], rows


def _learning(part: dict[str, Any]) -> tuple[list[str], Rows]:
    head = ["environment", "tries/s of training", "environment's share", "tries/s of the environment"]
    rows = [
        [
            row["name"],
            with_spread(row["tries_per_second"]),
            percent(row["environment_share"]),
            with_spread(row["environment_tries_per_second"]),
        ]
        for row in part["rows"]
    ]
    return head, rows


def _arena(part: dict[str, Any]) -> tuple[list[str], Rows]:
    head = ["workers", "games/min", "tries a game", "ms in a game", "of which players", "ms around a game"]
    rows = [
        [
            str(row["workers"]),
            with_spread(row["games_per_minute"]),
            with_spread(row["tries"]),
            with_spread(row["game_ms"]),
            with_spread(row["players_ms"]),
            with_spread(row["around_ms"]),
        ]
        for row in part["rows"]
    ]
    return head, rows


def _kernels(part: dict[str, Any]) -> tuple[list[str], Rows]:
    head = ["interface", "compiled cold", "CPU, cold", "loaded warm", "imports"]
    rows = [
        [
            row["interface"],
            f"{row['cold']:.1f} s",
            f"{row['cpu']:.1f} s",
            with_spread(row["warm"], " s"),
            with_spread(row["import"], " s"),
        ]
        for row in part["rows"]
    ]
    return head, rows


def _invisible(part: dict[str, Any]) -> tuple[list[str], Rows]:
    head = ["against", "hidden men", "Kriegspiel", "invisible chess", "ratio"]
    rows = [
        [
            row["opponent"],
            row["hidden"],
            with_spread(row["kriegspiel"]),
            with_spread(row["invisible"]),
            with_spread(row["ratio"]),
        ]
        for row in part["rows"]
    ]
    return head, rows


def _where(part: dict[str, Any]) -> tuple[list[str], Rows]:
    rows = [[row["part"], with_spread(row["ns"]), percent(row["share"])] for row in part["rows"]]
    return ["part", "ns a try", "share"], rows


def _threads(part: dict[str, Any]) -> tuple[list[str], Rows]:
    head = ["environment", "games at once", "tries/s with the draw", "steps alone", "two threads: ratio"]
    head += ["quickest steps, one and two threads", "ratio"]
    rows = [
        [
            row["name"],
            str(row["games"]),
            *(with_spread(row[name]) for name in ("with_draw", "one", "ratio")),
            " and ".join(map(number, row["quickest"])),
            f"{row['quickest_ratio']:.2f}",
        ]
        for row in part["rows"]
    ]
    return head, rows


TABLES = {
    "vector": _comparison,
    "aec": _comparison,
    "limits": _batches,
    "where": _where,
    "threads": _threads,
    "encoders": _encoders,
    "invisible": _invisible,
    "dark": _comparison,
    "opponents": _opponents,
    "learning": _learning,
    "arena": _arena,
    "kernels": _kernels,
}


def show(name: str, part: dict[str, Any], console: Console) -> None:
    """Print one part."""
    head, rows = TABLES[name](part)
    table = Table(title=part["title"], title_justify="left")
    for i, column in enumerate(head):
        table.add_column(column, justify="left" if i == 0 else "right")
    for row in rows:
        table.add_row(*row)
    console.print(table)
    console.print(part["note"] + "\n")


def _markdown_table(head: Sequence[str], rows: Rows) -> list[str]:
    lines = [head, ["---", *("---:" for _ in head[1:])], *rows]
    return ["| " + " | ".join(cells) + " |" for cells in lines]


def markdown(results: dict[str, Any]) -> str:
    """The page."""
    machine = results["machine"]
    versions = ", ".join(f"{name} {number}" for name, number in machine["versions"].items())
    (title, *others) = (str(part["title"]) for part in results["parts"].values())
    lines = [
        "# Speed" if others else f"# Speed: {title[0].lower()}{title[1:]}",
        "",
        f"Measured by `{machine['command']}` on {machine['date']}: {machine['processor']}, "
        f"{machine['cores']} cores, {machine['system']}, Python {machine['python']}; load of the machine "
        f"before the run {', '.join(map(str, machine['load_before']))}. {versions}.",
        "",
        "Random play in one process, with one thread where nothing else is said. Ours and the peers take "
        "turns; each figure is the median of the rounds, with the least and the greatest in brackets, and "
        "ratios are taken within a round.",
    ]
    for name, part in results["parts"].items():
        lines += ["", f"## {part['title']}", "", *_markdown_table(*TABLES[name](part)), "", part["note"]]
    return "\n".join(lines) + "\n"


def write(results: dict[str, Any], folder: Path) -> tuple[Path, Path]:
    """Write `speed.json` and `speed.md`."""
    folder.mkdir(parents=True, exist_ok=True)
    data, page = folder / "speed.json", folder / "speed.md"
    data.write_text(json.dumps(results, indent=2) + "\n", encoding="utf-8")
    page.write_text(markdown(results), encoding="utf-8")
    return data, page
