"""The study of how Darkboard's stalemates come about."""

from research.stalemates import count


def test_stalemates_are_told_by_what_made_the_last_move() -> None:
    found = count("random", 2, 21)  # the first of these games ends in a stalemate
    assert found["games"] == sum(found["ends"].values()) == 2
    assert found["ends"]["stalemate"] == sum(found["stalemates by"].values()) == 1
    assert found["stalemates by"] == {"hard rule": 1}
