"""The referee of one game of the arena: the position, and what is counted of it."""

from typing import Any

from ks_arena.match.result import GameResult
from ks_arena.study.config import StudyConfig
from ks_arena.study.schedule import GameJob, men_of
from ks_env.core.answers import Kind
from ks_env.games import game_named
from ks_env.games.under_way import AnyAnnouncement, GameUnderWay


class Referee:
    """The position of one game, and what has been counted of it.

    Args:
        game: at its start; its row is played on.

    Attributes:
        game: as it was given.
        moves: turns ended, by seat: moves played, and in invisible chess turns lost.
        tries: answered tries, by seat.
        spoken: moves after which the referee said more than whose turn it is.
        actions: all tries.
        played: whether the latest try was played.
    """

    def __init__(self, game: GameUnderWay[Any]) -> None:
        self.game = game
        self.truth = game.row()["truth"]
        self.moves = [0, 0]
        self.tries = [0, 0]
        self.spoken = 0
        self.actions: list[int] = []
        self.played = False

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return bool(self.truth["reason"])

    @property
    def mover(self) -> int:
        """The seat to move."""
        return int(self.truth["side"])

    def view(self, seat: int) -> Any:
        """A copy of what a seat knows."""
        return self.game.view(seat == 0)

    def ask(self, action: int) -> bool:
        """Judge a try; whether the turn is over."""
        mover = self.mover
        kind = Kind(self.game.judge(action))
        self.played = kind is Kind.MOVED
        ended = kind.ends_turn
        self.tries[mover] += 1
        self.actions.append(action)
        if ended:
            self.moves[mover] += 1
            self.spoken += self.game.has_spoken(self.game.row(), self.game.ruleset)
        return ended

    def heard(self, seat: int) -> AnyAnnouncement | None:
        """What a seat hears of the latest answer; None for nothing."""
        heard: AnyAnnouncement | None = self.game.hears(self.game.row(), self.game.ruleset, seat == 0)
        return heard


def game_of_job(job: GameJob) -> GameUnderWay[Any]:
    """A game that is to be played, at its start."""
    play = game_named(job.game).play
    return play.for_match(job.fen, job.rules, hidden_start=job.hidden, men=job.men, draws=job.seeds)


def referee_of_result(result: GameResult, config: StudyConfig) -> Referee:
    """The referee of a game that has been played, at its start."""
    game = game_named(config.game).play.for_match(
        result.start_fen,
        config.rules,
        hidden_start=config.hidden_start,
        men=men_of(config, result.white, result.black),
        draws=(result.white_seed, result.black_seed),
    )
    return Referee(game)
