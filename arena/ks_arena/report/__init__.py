"""The report of a study, as Markdown, HTML and pictures."""

from ks_arena.report.write import write_report

__all__ = ["write_report"]
