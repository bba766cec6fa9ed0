"""A process as a player: started for every game, so that nothing is carried from one to the next."""

import shlex
import shutil
import sys
import weakref
from dataclasses import fields
from pathlib import Path
from typing import Any

from ks_arena.apart.cage import DEFAULT_CAGE, Cage
from ks_arena.apart.process import Process
from ks_arena.apart.wire import (
    MOST_WORDS,
    VERSION,
    FaultError,
    Teller,
    Weighed,
    checked_hello,
    checked_try,
    checked_weighed,
    opening_told,
)
from ks_env.core.actions import text_to_action
from ks_env.games.opening import Opening
from ks_env.games.under_way import AnyAnnouncement
from ks_env.players.protocol import View

PREPARING = 300.0  # seconds that a player may take to get ready, to load a model or to compile
THINKING = 300.0  # seconds for a try, where the arena sets no other limit
HELLO = {"type": "hello", "protocol": VERSION}
READY = {"type": "ready"}
GUEST = "from ks_arena.apart.guest import main; main()"  # the program of a player written in Python


class ApartPlayer:
    """A player in a process of its own.

    Args:
        command: program and arguments.
        name: shown in results; that which the process gives itself by default.
        cage: the limits of the process.

    Attributes:
        games: what it plays, known once the process has said hello.
        nodes: its count of its work, if it keeps one.
        patience: seconds that the next answer may take.

    Raises:
        FaultError: the process cannot be started, or does not say hello as it should.
    """

    compiled = False

    def __init__(self, command: list[str], name: str = "", cage: Cage | None = None) -> None:
        self._command = command
        self._cage = cage or DEFAULT_CAGE
        self.patience = THINKING
        self._colour = True
        self._teller: Teller | None = None
        self._weighs: Any = None
        self._begun = False
        self._start()
        self.games, self._wants = self._said.games, self._said.wants
        self.name = name or self._said.name
        if self._said.hears:
            self.hear = self._hear
        if self._said.weighs:
            self.weighed = self._weighed

    def _start(self) -> None:
        self._process = Process(self._command, self._cage)
        self._finalizer = weakref.finalize(self, self._process.close)
        try:
            self._said = checked_hello(self._checked(self._process.ask(HELLO, PREPARING)))
        except FaultError:
            self.close()
            raise
        self._begun = False

    def begin(self, opening: Opening) -> None:
        """A new game, in a new process unless this is the first.

        Raises:
            FaultError: the process does not get ready for it.
        """
        if self._begun or not self._finalizer.alive:
            self.close()
            self._start()
        self._begun = True
        self._teller = Teller(opening, self._wants)
        self._colour = opening.colour
        if hasattr(self, "nodes"):
            del self.nodes
        answer = self._checked(self._process.ask(opening_told(opening, self._wants), PREPARING))
        if answer.get("type") != "ready":
            raise FaultError(f"answered {ascii(answer)[:80]} to begin; expected {READY}")

    def choose(self, view: View) -> int:
        """The next try.

        Raises:
            FaultError: the process does not give one.
            ValueError: no game has been begun.
        """
        if self._teller is None:
            raise ValueError("no game has been begun; call begin first")
        answer = self._checked(self._process.ask(self._teller.view(view), self.patience))
        nodes = answer.get("nodes")
        if isinstance(nodes, int) and 0 <= nodes < 2**63:
            self.nodes = int(nodes)
        self._weighs = answer.get("weighed")
        if answer.get("type") != "try":
            raise FaultError(f"answered {ascii(answer)[:80]} to choose; expected type try")
        chosen = checked_try(answer.get("try"))
        if isinstance(chosen, int):
            return chosen
        try:
            return text_to_action(chosen, self._colour)
        except ValueError as error:
            raise FaultError(f"chose {chosen!a}: {error}") from None

    def _weighed(self) -> Weighed:
        """What the process compared its latest tries by.

        Raises:
            FaultError: it did not say.
        """
        return checked_weighed(self._weighs)

    def _hear(self, announcement: AnyAnnouncement) -> None:
        """What the referee said; nothing is answered."""
        assert self._teller is not None
        self._process.tell(self._teller.heard(announcement), self.patience)

    @staticmethod
    def _checked(answer: dict[str, Any]) -> dict[str, Any]:
        if answer.get("type") == "fault":
            raise FaultError(f"raised {str(answer.get('words'))[:MOST_WORDS]}")
        return answer

    def close(self) -> None:
        """End the process."""
        self._finalizer()


def isolated_player(name: str, cage: Cage | None = None) -> ApartPlayer:
    """A player of the registry, or of a place, in a process of its own.

    Args:
        name: as `ks_env.players.make_player` takes it. It is made there, never here.
        cage: its limits.

    Raises:
        FaultError: it cannot be made there.
    """
    return ApartPlayer([sys.executable, "-c", GUEST, name], cage=cage)


def is_apart(name: str) -> bool:
    """Whether the player of that name lives in a process of its own by itself."""
    return name.partition(":")[0] in ("isolated", "process")


def isolated_name(name: str, cage: Cage = DEFAULT_CAGE) -> str:
    """The name by which `make_player` makes `isolated_player(name, cage)`; see `named_isolated_player`."""
    changed = (
        f",{field.name}={getattr(cage, field.name)}"
        for field in fields(Cage)
        if getattr(cage, field.name) != field.default
    )
    return f"isolated:player={name!r}{''.join(changed)}"


def named_isolated_player(
    player: str, memory: int = Cage.memory, processes: int = Cage.processes, answer: int = Cage.answer
) -> ApartPlayer:
    """The player `isolated`: another player, in a process of its own that holds no referee.

    Args:
        player: its name, as `ks_env.players.make_player` takes it. It is made there, never here.
        memory: MiB that it may use.
        processes: how many processes and threads it may have.
        answer: bytes of its longest answer.

    Raises:
        ValueError: it cannot be made there.
    """
    try:
        return isolated_player(str(player), Cage(memory, processes, answer))
    except FaultError as fault:
        raise ValueError(f"player {str(player)!r}, in its own process: {fault}") from None


def process_player(
    command: str, name: str = "", memory: int = Cage.memory, processes: int = Cage.processes
) -> ApartPlayer:
    """The player `process`: a program in any language that speaks the protocol of `docs/protocol.md`.

    Args:
        command: program and arguments, as a shell would split them; paths may be relative to this folder.
        name: shown in results; by default the one that it gives itself.
        memory: MiB that it may use.
        processes: how many processes and threads it may have.

    Raises:
        ValueError: there is no such program, or it does not speak the protocol.
    """
    words = shlex.split(str(command))
    program = shutil.which(words[0]) if words else None
    if program is None:
        raise ValueError(f"player process: no program {command!r}; expected a command on this machine")
    rest = [str(Path(word).resolve()) if Path(word).is_file() else word for word in words[1:]]
    try:
        return ApartPlayer([str(Path(program).absolute()), *rest], name, Cage(memory, processes))
    except FaultError as error:
        raise ValueError(f"player process: {command!r} {error}") from None
