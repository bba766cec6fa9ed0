"""Announcements as lines below a picture."""

from ks_env.core.actions import action_to_text
from ks_env.core.answers import Kind
from ks_env.games.invisible import announcement as invisible
from ks_env.games.kriegspiel.announcement import Announcement
from ks_env.render.scene_data import colour_name

AnyAnnouncement = Announcement | invisible.Announcement


def announcement_line(heard: AnyAnnouncement, seat: bool | None) -> str:
    """One announcement as a line: who tried what, as far as the listener knows, and the referee's words.

    Args:
        heard: the announcement.
        seat: who listens; None for the referee.
    """
    if heard.kind is Kind.START:
        return f"Start · {heard.text()}"
    if heard.action is None:
        return _overheard(heard)
    tried = action_to_text(heard.action, heard.by)
    return (
        f"{colour_name(heard.by)} {tried} · {heard.text()}" if seat is None else f"{tried} · {heard.text()}"
    )


def gives_check(heard: AnyAnnouncement) -> bool:
    """Whether the side now to move is in check by it."""
    if isinstance(heard, Announcement):
        return bool(heard.checks)
    return heard.kind is Kind.MOVED and bool(heard.checkers or heard.hidden_checkers)


def _overheard(heard: AnyAnnouncement) -> str:
    """What a listener hears of the opponent's try."""
    if heard.kind in (Kind.MOVED, Kind.LOST):
        return heard.text()
    asked = heard.kind in (Kind.ANY_YES, Kind.ANY_NO)
    return f"{colour_name(heard.by)} {'asks any?' if asked else 'tries'} · {heard.text()}"
