"""The tutorial: every position is solved by the moves it asks for, and answers others."""

from __future__ import annotations

from pathlib import Path

import pytest
from ks_play.lessons import LESSONS, take

from tests.play.serving import serving

SOLUTIONS = [
    ["d4d5", "e1e2"],
    ["d1d4", "d4d5"],
    ["a1a8"],
    ["e4f5", "e4d5"],
    ["e5d6"],
    ["a7a8n"],
    ["e1g1", "e1d1"],
    ["g2h3"],
    ["c6c7", "b1a1"],
    ["d1d2"],
]
MISTAKES = {
    1: "e1e2",
    2: "d1d6",
    4: "e4e5",
    5: "e5f6",
    6: "a1b1",
    7: "e1d1",
    8: "g2g6",
    9: "b1b8",
    10: "d1c1",
}


@pytest.mark.parametrize("number", range(1, len(LESSONS) + 1))
def test_a_position_is_solved(number: int) -> None:
    tries = SOLUTIONS[number - 1]
    for made in range(len(tries) + 1):
        lesson = take(number, tries[:made])
        assert lesson["done"] == (made == len(tries)), lesson["told"]["lines"]
        assert bool(lesson["says"]) == (made > 0)
    with pytest.raises(ValueError, match="start it again"):
        take(number, [*tries, "a1a2"])


@pytest.mark.parametrize("number", MISTAKES)
def test_a_mistake_is_answered_and_does_not_solve(number: int) -> None:
    lesson = take(number, [MISTAKES[number]])
    assert lesson["says"]
    assert not lesson["done"]
    assert lesson["says"] != take(number, SOLUTIONS[number - 1])["says"]


def test_a_lesson_shows_the_seat_alone() -> None:
    for number, lesson in enumerate(LESSONS, 1):
        board = take(number, [])["told"]["scene"]["board"]
        assert not any(letter.islower() for letter in board), lesson.title


def test_bad_lessons_are_refused(tmp_path: Path) -> None:
    with serving(tmp_path) as client:
        assert client.post("/lessons/1", json={"tries": []}).json()["title"] == "A refused try"
        for path, body in (("0", {"tries": []}), ("1", {"tries": ["e2e9"]}), ("1", {"tries": 5}), ("1", [])):
            answer = client.post(f"/lessons/{path}", json=body)
            assert answer.status_code == 400
            assert answer.json()["error"]
