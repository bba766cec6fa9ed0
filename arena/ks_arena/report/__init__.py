"""The report of a study, as Markdown, HTML and pictures."""

from ks_arena.report.write import report_page, write_report

__all__ = ["report_page", "write_report"]
