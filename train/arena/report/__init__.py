"""The report of a study, as Markdown, HTML and pictures."""

from train.arena.report.write import write_report

__all__ = ["write_report"]
