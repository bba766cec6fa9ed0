"""Tournaments of the arena, looked at while they are played: the report so far, and games that ended."""

import html
import threading
from collections.abc import Sequence
from pathlib import Path

from ks_arena.study.records import name_of, record_of
from ks_arena.study.store import FILE, file_of_run
from ks_arena.study.study import Study

from ks_env.record import Record
from ks_play.analysis import Finished
from ks_play.refusals import Refusal

# The report is asked for again while games are missing; its text is put in place of the old.
SCRIPT = """<script>
"use strict";
const main = document.querySelector("main");
if (main.dataset.finished === undefined) setInterval(async () => {
  if (document.hidden) return;
  try {
    const answer = await fetch(location.href), text = await answer.text();
    const fresh = new DOMParser().parseFromString(text, "text/html").querySelector("main");
    if (answer.ok && fresh.innerHTML !== main.innerHTML) main.innerHTML = fresh.innerHTML;
  } catch { /* the server is away */ }
}, 10000);
</script>"""
STYLE = """<style>nav{margin:0 0 1rem}nav a,.games a{color:LinkText}
.games{columns:18rem;padding-left:1.2rem}</style>"""


class Studies:
    """The tournaments that a server shows.

    Args:
        paths: files of the studies, or folders of runs; they are read only, whenever somebody looks.

    Raises:
        ConfigError: one is not there, or is no study.
    """

    def __init__(self, paths: Sequence[Path]) -> None:
        self._files = [file_of_run(path) for path in paths]
        for file in self._files:
            Study.read(file)
        self._pages: dict[int, tuple[int, str]] = {}
        self._drawing = threading.Lock()  # pictures are drawn by one thread at a time

    def names(self) -> list[str]:
        """What the page of choices calls them: the folder, or the file."""
        return [file.parent.name if file.name == FILE else file.stem for file in self._files]

    def page(self, number: int) -> str:
        """The report of a study as it stands.

        Raises:
            Refusal: there is no such study.
            ConfigError: it is damaged or missing.
        """
        from ks_arena.report import report_page  # draws by the extra "arena", which tournaments need, too

        with self._drawing:
            study = self._read(number)
            games = len(study.games())
            known = self._pages.get(number)
            if known is None or known[0] != games:
                page = report_page(study, _front(study), _pairings(study, number) + SCRIPT)
                if study.finished:
                    page = page.replace("<main", "<main data-finished", 1)
                known = self._pages[number] = (games, page)
            return known[1]

    def pairing(self, number: int, pairing: int) -> str:
        """The games of a pairing, to be opened.

        Raises:
            Refusal: there is no such study or pairing.
            ConfigError: it is damaged or missing.
        """
        study = self._read(number)
        if not 0 <= pairing < len(study.pairings):
            raise Refusal("there is no such pairing", 404)
        title = html.escape(_title(study, pairing))
        items = "".join(
            f'<li><a href="/studies/{number}/{each.pairing}-{each.pair}-{each.leg}">'
            f"{html.escape(f'{each.white} – {each.black}')}</a> {_score(each.outcome)} ·"
            f" {html.escape(each.reason)}, {(each.plies + 1) // 2} moves</li>"
            for each in study.games(pairing)
        )
        return (
            f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{title}</title>'
            '<meta name="viewport" content="width=device-width, initial-scale=1">'
            '<link rel="stylesheet" href="/palette.css"><link rel="stylesheet" href="/page/page.css"></head>'
            f'<body><main class="card games"><p><a href="/studies/{number}">The whole study</a></p>'
            f"<h1>{title}</h1><ol>{items or '<li>No game has ended.</li>'}</ol></main></body></html>"
        )

    def game(self, number: int, place: str) -> Finished:
        """A game that has ended.

        Args:
            number: of the study.
            place: pairing, pair and leg of the game, as `0-12-1`.

        Raises:
            Refusal: there is no such study or game.
            ConfigError: it is damaged or missing.
        """
        study = self._read(number)
        for each in study.games():
            if f"{each.pairing}-{each.pair}-{each.leg}" == place:
                record: Record = record_of(each, study.config)
                return Finished(f"{number} {name_of(each)}", record, (None, None), (1, 1), {})
        raise Refusal("there is no such game, or it has not ended", 404)

    def _read(self, number: int) -> Study:
        if not 0 <= number < len(self._files):
            raise Refusal("there is no such study", 404)
        return Study.read(self._files[number])


def _front(study: Study) -> str:
    played, all_games = len(study.games()), study.expected_games
    return (
        f'{STYLE}<nav><a href="/watch">Watch</a></nav>'
        f'<progress max="{max(all_games, 1)}" value="{played}" aria-label="Games played"></progress>'
        f" {played:,} of {all_games:,} games"
    )


def _pairings(study: Study, number: int) -> str:
    items = "".join(
        f'<li><a href="/studies/{number}/pairings/{each.index}">{html.escape(_title(study, each.index))}</a>'
        f" · {len(study.games(each.index))} games</li>"
        for each in study.pairings
    )
    return f'<h2>Games</h2><ul class="games">{items}</ul>'


def _title(study: Study, pairing: int) -> str:
    each = study.pairings[pairing]
    budget = "" if each.budget is None else f", {each.budget}"
    return f"{each.first} v {each.second}{budget}"


def _score(outcome: int) -> str:
    return {1: "1–0", 0: "½–½", -1: "0–1"}[outcome]
