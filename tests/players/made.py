"""How many announcements are made."""

import pytest

from ks_env.games.invisible.announcement import Announcement as InvisibleAnnouncement
from ks_env.games.kriegspiel.announcement import Announcement


def counted_announcements(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """A list to which every announcement is added that is made from now on, of either game."""
    made: list[object] = []

    for kind in (Announcement, InvisibleAnnouncement):
        usual = kind.__init__

        def noted(self: object, *args: object, usual: object = usual, **values: object) -> None:
            made.append(self)
            usual(self, *args, **values)  # type: ignore[operator]

        monkeypatch.setattr(kind, "__init__", noted)
    return made
