"""Games of a study played again: as game records, PGN, and lists of tries in words."""

import json
from collections.abc import Callable
from typing import NamedTuple

from ks_arena.apart.wire import try_text
from ks_arena.match.referee import Referee, referee_of_result
from ks_arena.match.result import FORFEIT, OUTCOMES, GameResult, reason_name
from ks_arena.sections import ConfigError
from ks_arena.study.config import StudyConfig
from ks_arena.study.study import Study
from ks_env.games.record import ended_otherwise
from ks_env.games.words import colour_name
from ks_env.record import Record


class Tries(NamedTuple):
    """All answered tries of a game in order.

    Attributes:
        texts: UCI text of each, or `any?`.
        accepted: whether it was played.
    """

    texts: list[str]
    accepted: list[bool]


def tries_of(result: GameResult, config: StudyConfig) -> Tries:
    """The tries in words, those that were played apart from the others.

    Raises:
        ConfigError: under the config's rules the tries do not make the game that the result describes.
    """
    tries = Tries([], [])

    def ask(referee: Referee, number: int) -> None:
        tries.texts.append(try_text(number, referee.view(referee.mover), referee.mover == 0))
        referee.ask(number)
        tries.accepted.append(referee.played)

    _replayed(result, config, ask)
    return tries


def _replayed(result: GameResult, config: StudyConfig, ask: Callable[[Referee, int], object]) -> Referee:
    """The referee after a game has been played again, its tries judged by `ask` one by one.

    Raises:
        ConfigError: it is not the game that the result describes.
    """
    try:
        referee = referee_of_result(result, config)
        for number in result.numbers:
            if referee.over:
                raise ValueError("there are tries after its end")
            ask(referee, number)
    except ConfigError:
        raise
    except ValueError as error:
        raise ConfigError(f"{name_of(result)}: is damaged: {error}") from error
    plies, why = int(referee.truth["plies"]), reason_name(int(referee.truth["reason"]))
    outcome = OUTCOMES[int(referee.truth["winner"])]
    same_end = result.reason == FORFEIT or (outcome, why) == (result.outcome, result.reason)
    if plies != result.plies or not same_end:
        raise ConfigError(
            f"{name_of(result)}: its tries make {plies} plies and the outcome {outcome:+d} ({why}); expected"
            f" {result.plies} and {result.outcome:+d} ({result.reason}): it is damaged, or was played under"
            " other rules"
        )
    return referee


def check_games(study: Study) -> None:
    """Play the games of a study again, to see that its outcomes are those of its tries.

    Raises:
        ConfigError: under the config's rules the tries of a game do not make what is said of it.
    """
    for game in study.games():
        tries_of(game, study.config)


def record_of(result: GameResult, config: StudyConfig) -> Record:
    """The record of a game, with what the referee said, by playing it again.

    Where the game is to be found in the study, the versions it was played with and who forfeited by what are
    in the record's metadata.

    Raises:
        ConfigError: under the config's rules the tries do not make the game that the result describes.
    """
    game = _replayed(result, config, lambda referee, number: referee.game.ask(number)).game
    place = {"pairing": result.pairing, "pair": result.pair, "leg": result.leg}
    forfeit = {} if result.fault is None else _forfeit(result)
    return game.definition.notation.record.from_game(
        game,
        one_line(result.white),
        one_line(result.black),
        event=one_line(config.name),
        seeds={"white": result.white_seed, "black": result.black_seed},
        metadata=place | forfeit | {"versions": json.loads(result.versions)},
    )


def _forfeit(result: GameResult) -> dict[str, str]:
    white_won = result.outcome > 0
    loser = result.black if white_won else result.white
    words = f"{colour_name(white_won)} wins: {loser} forfeits: {result.fault}"
    return ended_otherwise(white_won, one_line(words))


def name_of(result: GameResult) -> str:
    """Which game of the study it is, for messages."""
    return f"game {result.leg + 1} of pair {result.pair + 1}, {result.white} v {result.black}"


def one_line(text: str) -> str:
    """The text without line ends and other control characters."""
    return "".join(letter if letter.isprintable() else " " for letter in text)
