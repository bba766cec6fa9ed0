"""The report as one HTML file that needs nothing else and asks for nothing."""

import base64
import html
import re
from collections.abc import Mapping
from pathlib import Path

from markdown_it import MarkdownIt

from ks_arena.report.style import DPI
from ks_arena.report.words import BREAK

PIXELS_AN_INCH = 115
STYLE = Path(__file__).with_name("page.css")
PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>
{style}</style>
</head>
<body>
<main style="--names: {names}ch">
{body}</main>
</body>
</html>
"""


def page(
    markdown: str,
    title: str,
    pictures: Mapping[str, tuple[bytes, bytes]],
    names: int,
    before: str = "",
    after: str = "",
) -> str:
    """The page of a report.

    Args:
        markdown: the report. HTML in it is shown, not taken for HTML.
        title: of the page.
        pictures: PNG files by the name that the report calls them by, on light and on dark paper.
        names: letters of the longest label, for which tables keep room.
        before: HTML to put before it.
        after: HTML to put after it.
    """
    # No links: what looks like an address is a player's name or what it raised.
    body = (
        MarkdownIt("commonmark", {"html": False})
        .enable("table")
        .disable(["link", "autolink"])
        .render(markdown)
    )
    body = body.replace(html.escape(BREAK), BREAK)
    body = body.replace("<table>", '<div class="scroll"><table>').replace("</table>", "</table></div>")
    for name, (light, dark) in pictures.items():
        body = re.sub(
            rf'<p><img src="{re.escape(name)}" alt="([^"]*)" ?/></p>',
            lambda found, light=light, dark=dark: _figure(found[1], light, dark),  # type: ignore[misc]
            body,
        )
    style = STYLE.read_text(encoding="utf-8")
    return PAGE.format(title=html.escape(title), style=style, names=names + 3, body=before + body + after)


def _figure(about: str, light: bytes, dark: bytes) -> str:
    return (
        f'<figure><picture><source media="(prefers-color-scheme: dark)" srcset="{_inline(dark)}">'
        f'<img src="{_inline(light)}" alt="{about}" style="--width: {_width(light)}px"></picture></figure>'
    )


def _width(png: bytes) -> int:
    """The greatest width in pixels, at which text in the picture is about as large as text around it."""
    return round(int.from_bytes(png[16:20], "big") / DPI * PIXELS_AN_INCH)


def _inline(png: bytes) -> str:
    return "data:image/png;base64," + base64.b64encode(png).decode()
