"""The one engine under every interface: a batch of games, stepped into buffers that the caller owns."""

from collections.abc import Callable, Sequence
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt

from ks_env.belief.encoders import check_encodes, make_encoder
from ks_env.belief.inputs import plane_count
from ks_env.belief.terms import Tries, make_terms
from ks_env.core.actions import ACTIONS
from ks_env.core.answers import UNDER_WAY
from ks_env.core.record import Array
from ks_env.core.tries import MOST_TRIES
from ks_env.envs import batch as kernels
from ks_env.envs.batch import NO_KERNEL, Buffers, CompactBuffers
from ks_env.envs.compact import check_starts, layout_of, masks_of
from ks_env.envs.crew import Crew, shared
from ks_env.envs.encoding import Encoding
from ks_env.envs.making import bound, compile_kernels, make_batch, make_buffers, make_compact_buffers
from ks_env.envs.opponents import Opponent, make_opponent
from ks_env.envs.options import check_whole, row_seeds
from ks_env.envs.saving import put_back, saved
from ks_env.games.definition import GameDefinition
from ks_env.games.options import GameOptions
from ks_env.games.under_way import GameUnderWay
from ks_env.players.threads import Threads

RangeKernel = Callable[[int, int], None]

MOST_ENVS = 1_000_000  # many more than any memory has room for


class Engine:
    """N games, against an opponent or in self-play.

    It owns the games and no output: `bind` takes the caller's arrays.

    Args:
        num_envs: how many games.
        game: which game is played.
        options: its options.
        opponent: name, player factory or batch player; None for self-play.
        autoreset: `batch.NEXT_STEP`, `batch.SAME_STEP` or `batch.DISABLED`.
        threads: rows are cut into so many ranges, each stepped by its own thread.
        keep_log: keep all announcements of the games under way, for `game`; much slower.
        compact: observe as `ks_env.envs.compact` says, into `CompactBuffers`.

    Attributes:
        planes: how many there are, the game's and the encoder's.
    """

    def __init__(
        self,
        num_envs: int,
        game: GameDefinition,
        options: GameOptions,
        opponent: Opponent | None,
        *,
        autoreset: int,
        threads: int = 1,
        keep_log: bool = False,
        compact: bool = False,
    ) -> None:
        check_whole("num_envs", num_envs, 1, MOST_ENVS)
        check_whole("threads", threads, 1, MOST_ENVS)
        self.num_envs = num_envs
        self.begun = False
        self.options = options
        self.game_played = game
        self.compact = compact
        self.kernels = kernels.kernels_of(game.kernels, layout_of(game.planes) if compact else None)
        self.rules = options.rules()
        self.encoder = make_encoder(options.encoder)
        if self.encoder is not None:
            check_encodes(self.encoder, game)
        self.planes = plane_count(self.encoder, game)
        self.terms = make_terms(options.terms)
        if self.terms is not None:
            check_encodes(self.terms, game)
        self.seats_bound = 2 if opponent is None else 1
        self.threads = min(threads, num_envs)
        self._pool = Threads(self.threads)
        self._crew = Crew(self.threads)
        self._actions = np.zeros(num_envs, np.int64)  # what the crew reads
        self.logs: list[list[tuple[Any, Any]]] | None = [[] for _ in range(num_envs)] if keep_log else None
        followers = [each for each in (self.encoder, self.terms) if each is not None]
        self._with_crew = self.threads > 1 and not followers
        if compact and followers:
            raise ValueError("observation='compact' cannot be combined with an encoder or terms")
        crew = self.threads if self._with_crew else 1
        compile_kernels(game, self_play=opponent is None, threads=crew, compact=compact)
        self.batch, self.fens = make_batch(num_envs, game, options, autoreset, followers)
        if compact:
            check_starts(self.batch.starts)
        self._encoding = Encoding(self.encoder, self.terms, self.batch, game, self_play=opponent is None)
        self.buffers: Any = self.fresh_buffers()
        self.set_opponent(opponent)
        self.seed(None)

    @property
    def high(self) -> npt.NDArray[np.uint8]:
        """Upper bounds of the planes, u1[C, 8, 8]."""
        extra = [p.high for p in self.encoder.planes] if self.encoder else []
        bounds = np.concatenate([self.game_played.planes.high, np.array(extra, np.uint8)])
        return np.broadcast_to(bounds[:, None, None], (self.planes, 8, 8)).copy()

    def fresh_buffers(self) -> Buffers | CompactBuffers:
        """Buffers of the right shapes, zeroed."""
        if self.compact:
            return make_compact_buffers(self.num_envs, self.seats_bound, self.game_played.planes)
        return make_buffers(self.num_envs, self.seats_bound, self.planes)

    def bind(self, **arrays: Array) -> None:
        """Write into the caller's arrays from now on.

        Args:
            **arrays: any of the fields of `Buffers`, or of `CompactBuffers`, C-contiguous and writeable.
                Planes may also be shaped (..., 8, 8), and an axis of one seat may be left out.

        Raises:
            ValueError: unknown name, wrong shape, dtype or layout.
        """
        self.buffers = bound(self.buffers, self.fresh_buffers(), arrays)

    def set_opponent(self, opponent: Opponent | None) -> None:
        """Play against another opponent from now on; call it between games, or reset afterwards."""
        number, player = (NO_KERNEL, None) if opponent is None else make_opponent(opponent, self)
        self.opponent = player
        self.batch.settings["opponent"] = number
        if player is not None:  # it has not been told of the games under way
            self.begun = False

    def seed(
        self, seed: int | Sequence[int | None] | None, chosen: npt.NDArray[np.bool_] | None = None
    ) -> None:
        """Seed the random streams of all rows, or of the chosen ones, by Gymnasium's rules.

        Args:
            seed: row i of an int gets `seed + i`; None draws fresh ones; None in a list leaves
                that row's alone.
            chosen: bool[N], which rows.

        Raises:
            ValueError: a seed is negative, or there is not one for each row.
        """
        seeds = row_seeds(seed, self.num_envs)
        for i in range(self.num_envs) if chosen is None else np.flatnonzero(chosen).tolist():
            if seed is None or seeds[i] is not None:
                state = np.random.SeedSequence(seeds[i]).generate_state(3, np.uint64)
                self.batch.games[i]["truth"]["random"] = state

    def _run(self, task: RangeKernel) -> None:
        """Run a kernel over all rows, cut into ranges for the threads."""
        if self.threads == 1:
            task(0, self.num_envs)
            return
        cuts = np.linspace(0, self.num_envs, self.threads + 1).astype(int).tolist()
        self._pool.map(task, cuts[:-1], cuts[1:])

    def reset(self, chosen: npt.NDArray[np.bool_] | None = None) -> None:
        """Begin new games, in all rows or the chosen ones, and observe all rows."""
        if chosen is None:
            chosen = np.ones(self.num_envs, np.bool_)
        if not self.begun and not chosen.all():
            raise gymnasium.error.ResetNeeded("the first reset() begins some rows only; expected all of them")
        self.begun = True
        if chosen.all() and self.opponent is None and self.logs is None:
            self._begin_whole()
            return
        self._run(lambda a, b: kernels.begin_rows(self.batch, chosen, a, b))
        self._begin_logs(chosen)
        self._opponent_turns(begun=chosen)
        self._observe()

    def _begin_whole(self) -> None:
        """Begin all rows by the kernel of a step, as if their games had ended: one kernel less to compile.

        What a step says beside its observations stays as it was.
        """
        settings, batch = self.batch.settings, self.batch
        mode = settings["autoreset"].copy()
        said = [getattr(self.buffers, name) for name in ("rewards", "terminations", "truncations")]
        before = [array.copy() for array in said]
        batch.ended[:] = True
        batch.seats[:] = batch.games["truth"]["side"]  # in the old games nobody waits for an opponent
        settings["autoreset"] = kernels.NEXT_STEP
        try:
            self._step_whole(np.zeros(self.num_envs, np.int64))
        finally:
            settings["autoreset"] = mode
            for array, was in zip(said, before, strict=True):
                array[...] = was

    def begin_at(self, rows: npt.NDArray[np.int64], starts: npt.NDArray[np.int64]) -> None:
        """Begin games of self-play in these rows, from these start positions instead of drawn ones.

        Args:
            rows: i8[M], each once.
            starts: i8[M], numbers of start positions.
        """
        batch = self.batch
        batch.games[rows] = batch.starts[starts]
        batch.games["truth"]["past"][rows] = 1
        batch.history[rows, 0] = batch.starts["truth"]["key"][starts]
        batch.memory[rows] = batch.openings[starts]
        batch.ended[rows] = False
        batch.tally[rows] = np.zeros(1, batch.tally.dtype)
        self.begun = True
        self._observe()

    def step(self, actions: npt.NDArray[np.int64]) -> None:
        """One try in every row, all outputs into the bound buffers.

        Rows whose game ended before are begun anew (NEXT_STEP) or rest (DISABLED). An integer outside the
        action space is nonsense to the referee.

        Raises:
            TypeError: the actions are not integers.
            ValueError: there is not one for each row.
            gymnasium.error.ResetNeeded: no games have been begun.
        """
        if not self.begun:
            raise gymnasium.error.ResetNeeded("call reset() before the first step(), or after set_opponent()")
        given = np.asarray(actions)
        if given.dtype.kind not in "iu":
            raise TypeError(f"actions are {given.dtype}; expected integers, one for each game")
        tries = np.ascontiguousarray(given, np.int64)
        if tries.shape != (self.num_envs,):
            raise ValueError(f"actions have the shape {tries.shape}; expected ({self.num_envs},)")
        if self.opponent is None and self.logs is None:
            self._step_whole(tries)
        else:
            self._step_in_parts(tries)

    def _step_whole(self, tries: npt.NDArray[np.int64]) -> None:
        """A step in one kernel, range by range, and the encoder's planes after it."""
        whole = self.kernels.against.step if self.seats_bound == 1 else self.kernels.self_play.step
        if self._with_crew:
            self._actions[:] = tries
            self._crew.step(shared(whole), self.batch, self.buffers, self._actions)
            return

        def step(first: int, last: int) -> None:
            whole(self.batch, self.buffers, tries, first, last)
            self._encoding.observe(self.buffers, first, last)
            self._encoding.observe_ends(self.buffers, first, last)

        self._run(step)

    def _begun(self, ended_before: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
        """Rows in which the step that has just been settled began a new game."""
        done = self.buffers.terminations | self.buffers.truncations
        mode = int(self.batch.settings["autoreset"][0])
        nothing = np.zeros(self.num_envs, np.bool_)
        return {kernels.NEXT_STEP: ended_before, kernels.SAME_STEP: done}.get(mode, nothing)

    def _step_in_parts(self, tries: npt.NDArray[np.int64]) -> None:
        """The same step with Python between the tries."""
        before = self.batch.ended.copy()
        if self.seats_bound == 2:
            self.kernels.self_play.mover_tries(self.batch, self.buffers, tries, 0, self.num_envs)
            begun = self._begun(before)
            self._note_rows(~before & ~begun)
        else:
            self._run(lambda a, b: self.kernels.against.learner_tries(self.batch, self.buffers, tries, a, b))
            self._note_rows(~before)
            self._opponent_turns(answered=~before)
            self._run(lambda a, b: self.kernels.against.settle_rows(self.batch, self.buffers, a, b))
            begun = self._begun(before)
        self._begin_logs(begun)
        self._opponent_turns(begun=begun)
        self._observe()
        self._encoding.observe_ends(self.buffers, 0, self.num_envs)

    def _opponent_turns(
        self, *, begun: npt.NDArray[np.bool_] | None = None, answered: npt.NDArray[np.bool_] | None = None
    ) -> None:
        if self.opponent is not None:
            self.opponent.play(begun=begun, answered=answered)
        elif self.seats_bound == 1 and self.logs is not None:
            self._logged_kernel_turns()
        elif self.seats_bound == 1:
            self._run(lambda a, b: self.kernels.against.kernel_opponents(self.batch, a, b))

    def _logged_kernel_turns(self) -> None:
        scratch = np.empty(MOST_TRIES, np.int16)
        truth = self.batch.games["truth"]
        for row in range(self.num_envs):
            while truth["reason"][row] == UNDER_WAY and truth["side"][row] != self.batch.seats[row]:
                self.kernels.against.kernel_opponent_tries_once(self.batch, row, scratch)
                self.note(row)

    def note(self, row: int) -> None:
        """Add the row's latest answer to its log, if logs are kept."""
        if self.logs is not None:
            self.logs[row].append(self.game_played.play.both_hear(self.batch.games[row], self.rules))

    def _note_rows(self, chosen: npt.NDArray[np.bool_]) -> None:
        for row in np.flatnonzero(chosen) if self.logs is not None else ():
            self.note(int(row))

    def _begin_logs(self, chosen: npt.NDArray[np.bool_]) -> None:
        if self.logs is not None:
            for row in np.flatnonzero(chosen):
                self.logs[int(row)] = []
            self._note_rows(chosen)

    def game(self, row: int) -> GameUnderWay[Any]:
        """The game under way in a row, for pictures and records; it follows the row.

        Raises:
            ValueError: the engine keeps no logs.
        """
        if self.logs is None:
            raise ValueError("no announcements are kept; make the environment with a render_mode")
        number = int(self.batch.games[row]["truth"]["start"])
        return self.game_played.play.adopt(
            self.batch.games[row : row + 1],
            self.batch.history[row : row + 1],
            self.rules,
            start=self.batch.starts[number],
            fen=self.fens[number],
            hidden_start=self.options.starts_hidden,
            log=self.logs[row],
        )

    def _observe(self) -> None:
        """Observations and masks of all rows."""
        task = self.kernels.self_play.observe_mover if self.seats_bound == 2 else self.kernels.observing.rows

        def observe(first: int, last: int) -> None:
            task(self.batch, self.buffers, first, last)
            self._encoding.observe(self.buffers, first, last)

        self._run(observe)

    @property
    def tries(self) -> Tries:
        """The tries of the observed seats with their terms; the next step overwrites them.

        Raises:
            ValueError: no terms were asked for.
            gymnasium.error.ResetNeeded: no games have been begun.
        """
        if self.terms is None:
            raise ValueError('no terms of tries are worked out; make the environment with terms="raw"')
        if not self.begun:
            raise gymnasium.error.ResetNeeded("call reset() before asking for the tries")
        return self._encoding.tries()

    @property
    def final_states(self) -> npt.NDArray[np.float32]:
        """Terms of the last states of games that were begun anew, f4[N, seats, S], as `buffers.final`."""
        return self._encoding.final_states

    def _place(self, row: int, seat: int) -> tuple[Any, Any, int]:
        """What a game's observing kernel takes of a seat: view, rules and mask level."""
        check_whole("row", row, 0, self.num_envs - 1)
        check_whole("seat", seat, 0, 1)
        batch = self.batch
        return batch.games[row]["views"][seat], batch.rules[0], int(batch.settings["level"][0])

    def observe(
        self, row: int, seat: int
    ) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.int8], Tries | None]:
        """Planes u1[C, 8, 8], mask i1[ACTIONS] and tries of either seat, fresh arrays.

        The mask is zero for a seat that waits or has finished.

        Raises:
            ValueError: no such row or seat; or the seat is the opponent's, and the encoder has a memory.
        """
        place = self._place(row, seat)
        planes, mask = np.zeros((self.planes, 64), np.uint8), np.zeros(ACTIONS, np.int8)
        self.kernels.observing.row(*place, planes, mask)
        planes[self.game_played.planes.count :], tries = self._encoding.seat(row, seat)
        return planes.reshape(-1, 8, 8), mask, tries

    def observe_compactly(self, row: int, seat: int) -> dict[str, Array]:
        """The compact observation of either seat, fresh arrays.

        Raises:
            ValueError: no such row or seat.
        """
        place = self._place(row, seat)
        one = make_compact_buffers(1, 1, self.game_played.planes)
        parts = (one.boards[0], one.squares[0], one.values[0], one.tries[0])
        self.kernels.observing.row(*place, *parts)
        boards, squares, values, tries = parts
        return {"boards": boards, "squares": squares.reshape(-1, 8, 8), "values": values, "tries": tries}

    def masks(self) -> npt.NDArray[np.int8]:
        """The masks of the observed seats, i1[N, ACTIONS]: the buffer, or made of the tries."""
        masks: npt.NDArray[np.int8] = masks_of(self.buffers.tries) if self.compact else self.buffers.masks
        return masks

    def get_state(self) -> dict[str, Array]:
        """Everything that later steps depend on, as copies of arrays, with their checksum.

        Raises:
            ValueError: the opponent is not a kernel, and keeps its own state.
        """
        self._check_keeps_none()
        return saved(self.batch)

    def _check_keeps_none(self) -> None:
        if self.opponent is not None:
            raise ValueError(
                f"the opponent {self.opponent.name!r} keeps its own state, which cannot be saved"
            )

    def set_state(self, state: dict[str, Array]) -> None:
        """Go on from a state of `get_state`, and observe.

        Raises:
            ValueError: it is of another shape, version or ruleset, or not as it was saved: kernels would read
                memory that is not theirs; or announcements are kept, which it does not hold; or the opponent
                is not a kernel, and keeps its own state.
        """
        self._check_keeps_none()
        if self.logs is not None:
            raise ValueError("a saved state holds no announcements; make the environment without render_mode")
        put_back(self.batch, state)
        self.begun = True
        self._observe()
