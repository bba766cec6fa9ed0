"""One game of invisible chess put to the compiled referee and to the oracle at once."""

from __future__ import annotations

import dataclasses
import random
from typing import Any, Final

import chess
import numpy as np

from ks_env.core.answers import Kind
from ks_env.games.invisible.announcement import Announcement
from ks_env.games.invisible.game import INVISIBLE, InvisibleGame
from ks_env.games.invisible.hidden import all_choices, parse_both
from ks_env.games.invisible.layout import Why
from ks_env.games.under_way import Row
from tests.duel import REASONS
from tests.oracle import actions
from tests.oracle.invisible import InvisibleOracle
from tests.oracle.invisible_seat import Heard, Seat

KINDS: Final = {
    Kind.START: "start",
    Kind.ILLEGAL: "illegal",
    Kind.NONSENSE: "nonsense",
    Kind.MOVED: "moved",
    Kind.LOST: "lost",
}
WHYS: Final = {Why.NONE: "", Why.BLOCKED: "blocked", Why.NOTHING: "nothing", Why.CHECK: "check"}
TURNS: Final = ("", "visible", "hidden", "lost")
NAMES: Final = {"kind": KINDS, "why": WHYS, "reason": REASONS}


def as_heard(announcement: Announcement) -> Heard:
    """An announcement of the compiled referee in the oracle's words, field by field."""
    values = {f.name: getattr(announcement, f.name) for f in dataclasses.fields(announcement)}
    return Heard(**{k: NAMES[k][v] if k in NAMES else v for k, v in values.items()})  # type: ignore[index]


def _bits(board: int, mirror: int) -> list[int]:
    return sorted(square ^ mirror for square in chess.SquareSet(board))


def _at(square: int, mirror: int) -> int | None:
    return None if square < 0 else square ^ mirror


def _numbers(bits: int) -> list[int]:
    return [n for n in range(16) if bits >> n & 1]


def facts_of_view(view: Row) -> dict[str, Any]:
    """A VIEW record in plain values; squares are those of the board."""
    v, mirror = view, 56 * int(view["seat"])
    hidden = [n for n in range(1, 16) if v["unseen"][n]]
    took = _at(int(v["took"]), mirror)
    lost = _at(int(v["lost"]), mirror)
    moved = _at(int(v["their_from"]), mirror)
    return {
        "own": {s ^ mirror: (int(v["men"][s]), int(v["ids"][s])) for s in range(64) if v["men"][s]},
        "seen": {s ^ mirror: int(v["seen"][s]) for s in range(64) if v["seen"][s]},
        "exposed": {n: int(v["exposed"][n]) ^ mirror for n in range(1, 16) if v["exposed"][n] >= 0},
        "rights": sorted(c ^ mirror for c, bit in ((7, 1), (0, 2)) if int(v["rights"]) & bit),
        "unseen": {n: int(v["unseen"][n]) for n in hidden},
        "placed": {n: int(v["placed"][n]) ^ mirror for n in range(1, 16) if v["placed"][n] >= 0},
        "shade": {
            n: (int(v["shade"][n]) == 1) != bool(mirror)
            for n in hidden
            if v["shade"][n] and v["unseen"][n] == chess.BISHOP
        },
        "rested": {n: int(v["rested"][n]) for n in hidden},
        "turn": TURNS[int(v["their_turn"])],
        "moved": None if moved is None else (moved, int(v["their_to"]) ^ mirror),
        "mover": int(v["their_mover"]),
        "passed": _at(int(v["passed"]), mirror),
        "lost": None if lost is None else (lost, int(v["lost_kind"])),
        "took": None if took is None else (took, int(v["took_kind"]), int(v["took_number"])),
        "last": None if v["last"] < 0 else int(v["last"]),
        "checkers": _bits(int(v["checkers"]), mirror),
        "hidden checkers": _numbers(int(v["hidden_checkers"])),
        "checks": int(v["checks"]),
        "gave": _bits(int(v["givers"]), mirror),
        "gave, number": int(v["gave"]),
        "answer": Kind(int(v["answer"])).name.lower() if v["answer"] else None,
        "why": WHYS[Why(int(v["why"]))],
        "attackers": _bits(int(v["attackers"]), mirror),
        "hidden attackers": _numbers(int(v["hidden_attackers"])),
        "refused": {a for a in range(1859) if int(v["refused"][a >> 6]) >> (a & 63) & 1},
        "refused from": {s: int(v["refused_from"][s]) for s in range(64) if v["refused_from"][s]},
        "refused to": {s: int(v["refused_to"][s]) for s in range(64) if v["refused_to"][s]},
        "refusals": int(v["refusals"]),
        "clock": int(v["fifty"]),
        "number": int(v["moves"]),
        "pawns taken": int(v["pawns_taken"]),
        "pieces taken": int(v["pieces_taken"]),
        "men taken": int(v["men_taken"]),
        "pawns lost": int(v["pawns_lost"]),
        "pieces lost": int(v["pieces_lost"]),
    }


def facts_of_seat(seat: Seat) -> dict[str, Any]:
    """The same of the oracle's seat."""
    answer = seat.answer
    refused_from = [actions.STEPS[a].source for a in seat.refused]
    refused_to = [actions.STEPS[a].target for a in seat.refused]
    counts = seat.counts
    return {
        "own": seat.own,
        "seen": seat.seen,
        "exposed": seat.exposed,
        "rights": sorted(seat.rights),
        "unseen": seat.unseen,
        "placed": seat.placed,
        "shade": {n: s for n, s in seat.shade.items() if n in seat.unseen},
        "rested": {n: seat.rested[n] for n in seat.unseen},
        "turn": seat.turn,
        "moved": seat.moved,
        "mover": seat.mover,
        "passed": seat.passed,
        "lost": seat.lost,
        "took": seat.took,
        "last": seat.last,
        "checkers": sorted(seat.checkers),
        "hidden checkers": sorted(seat.hidden_checkers),
        "checks": len(seat.checkers) + len(seat.hidden_checkers),
        "gave": sorted(seat.gave),
        "gave, number": len(seat.gave),
        "answer": answer.kind if answer else None,
        "why": answer.why if answer else "",
        "attackers": sorted(answer.checkers) if answer and answer.why else [],
        "hidden attackers": sorted(answer.hidden_checkers) if answer and answer.why else [],
        "refused": seat.refused,
        "refused from": {s: refused_from.count(s) for s in set(refused_from)},
        "refused to": {s: refused_to.count(s) for s in set(refused_to)},
        "refusals": len(seat.refused),
        "clock": seat.clock,
        "number": seat.number,
        **counts,
        "men taken": counts["pawns taken"] + counts["pieces taken"],
    }


class RefereesDifferError(AssertionError):
    """The two referees disagree; the message plays the game again."""


class InvisibleDuel:
    """A game before both referees. `ask` puts a try to both; `compare` looks at all that can be seen."""

    def __init__(self, hidden: str, fen: str = chess.STARTING_FEN, choice: int = 0, **options: int) -> None:
        rules = dataclasses.replace(INVISIBLE, **options)  # type: ignore[arg-type]
        self.recipe = (hidden, fen, choice, options)
        self.asked: list[int] = []
        self.ours = InvisibleGame(hidden, rules, fen, choice=choice)
        white, black = all_choices(chess.Board(fen), *parse_both(hidden))[choice]
        self.oracle = InvisibleOracle(fen, white, black, **options)
        self.compare()

    def ask(self, action: int) -> Heard:
        """One try, answered by both; what the mover hears."""
        self.asked.append(action)
        mine = self.oracle.ask(action)
        self._same("answer", as_heard(self.ours.ask(action)), mine)
        self._same("winner", self.ours.winner, self.oracle.winner)
        self._same("reason", REASONS[self.ours.reason], self.oracle.reason)
        return mine

    def compare(self) -> None:
        """The position, all that was heard, both views, and what may be tried."""
        ours, oracle = self.ours, self.oracle
        self._same("to play", ours.to_play, None if oracle.reason else oracle.board.turn)
        self._same("board", ours.board().fen(), oracle.board.fen())
        self._same("plies", ours.plies, oracle.plies)
        for colour in chess.COLORS:
            name = chess.COLOR_NAMES[colour]
            heard, expected = ours.heard(colour), oracle.heard[colour]
            self._same(f"number of messages to {name}", len(heard), len(expected))
            self._same(f"what {name} heard last", as_heard(heard[-1]), expected[-1])
            view, seat = facts_of_view(ours.view(colour)), facts_of_seat(oracle.seats[colour])
            for fact in {*view, *seat}:
                self._same(f"{fact} of {name}", view.get(fact, "?"), seat.get(fact, "?"))
            mine = {n: s for s, n in oracle.number.items() if oracle.board.color_at(s) == colour}
            self._same(f"hidden men of {name}", ours.hidden_squares(colour), mine)
            self._same(f"what {name} sees", ours.seen_board(colour).piece_map(), self._seen(colour))
            self._same(f"placed men of {name}", oracle.seats[colour].exposed, oracle.seats[not colour].placed)
        if not oracle.reason:
            self._compare_masks()

    def _seen(self, colour: chess.Color) -> dict[int, chess.Piece]:
        men, number = self.oracle.board.piece_map(), self.oracle.number
        return {s: p for s, p in men.items() if p.color == colour or s not in number}

    def _compare_masks(self) -> None:
        turn = self.oracle.board.turn
        seat = self.oracle.seats[turn]
        legal, informed, own = self.oracle.legal(), seat.informed(), seat.own_board()
        self._same("legal tries", self.ours.legal(), legal)
        self._same("informed mask", self.mask("informed"), informed)
        self._same("own-board mask", self.mask("own-board"), own)
        if not legal <= informed <= own:
            raise RefereesDifferError(f"masks: {legal - informed}, {informed - own}; {self._how()}")
        assert not self.ours.mask(not turn).any()

    def mask(self, level: Any) -> set[int]:
        """The compiled mask of the side to play, as a set."""
        return set(np.flatnonzero(self.ours.mask(self.oracle.board.turn, level)).tolist())

    def _same(self, what: str, found: object, expected: object) -> None:
        if found != expected:
            raise RefereesDifferError(f"{what}:\n  ks_env  {found}\n  oracle  {expected}\n{self._how()}")

    def _how(self) -> str:
        return f"{self.recipe!r} after {self.asked}; {self.oracle.board.fen()} {self.oracle.number}"


def draw_try(rng: random.Random, duel: InvisibleDuel) -> int:
    """Mostly from the informed mask, at times legal, over the own board, or any of the 1,858 tries."""
    kind = rng.random()
    if kind < 0.06:
        return rng.randrange(actions.COUNT)
    if kind < 0.1 and duel.oracle.seats[duel.oracle.board.turn].refused:
        return rng.choice(sorted(duel.oracle.seats[duel.oracle.board.turn].refused))
    if kind < 0.5:
        moves = [m for m in duel.oracle.board.legal_moves if _is_telling(duel, m)]
        pool = moves if moves and rng.random() < 0.5 else list(duel.oracle.board.legal_moves)
        return actions.number_of(rng.choice(pool), duel.oracle.board.turn)
    level = "own-board" if kind < 0.65 else "informed"
    return rng.choice(sorted(duel.mask(level)))


def _is_telling(duel: InvisibleDuel, move: chess.Move) -> bool:
    board = duel.oracle.board
    double = (
        board.piece_type_at(move.from_square) == chess.PAWN and abs(move.from_square - move.to_square) == 16
    )
    telling = board.is_capture(move) or board.is_castling(move) or move.promotion or board.gives_check(move)
    return bool(telling or double)


def play_random(
    rng: random.Random, hidden: str, fen: str, choice: int, tries: int, **options: int
) -> InvisibleDuel:
    """A random game, compared after every try."""
    duel = InvisibleDuel(hidden, fen, choice, **options)
    for _ in range(tries):
        if duel.oracle.reason:
            break
        duel.ask(draw_try(rng, duel))
        duel.compare()
    return duel
