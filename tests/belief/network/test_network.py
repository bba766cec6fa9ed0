"""The encoder `belief`: it never contradicts what is certain, and is alike in every interface."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import chess
import numpy as np
import pytest

from ks_env.belief.encoders import Encoder, make_encoder
from ks_env.belief.inputs import SeatPlanes
from ks_env.belief.location import KINGS, LOCATION, RATES, follow_map, open_map
from ks_env.belief.location.layout import SORTS, allowed
from ks_env.belief.metaposition.layout import certain
from ks_env.belief.network import (
    hears_particles,
    make_work,
    predict,
    predict_sampled,
    read_network,
    shipped_network,
    write_network,
)
from ks_env.belief.network.encoder import BeliefEncoder
from ks_env.belief.network.inputs import (
    BOARDS,
    MEMORY_FIRST,
    PLANES,
    SHARES_TOLD,
    VALUES,
    InputsEncoder,
)
from ks_env.belief.network.network import SHIPPED, SHIPPED_PARTICLES
from ks_env.belief.network.sampled import BeliefParticlesEncoder, SampledInputsEncoder
from ks_env.belief.particles import Particles
from ks_env.belief.particles.encoder import size_of
from ks_env.belief.profile import shipped_drifts
from ks_env.core.ruleset import ICC, RULESETS
from ks_env.games import kriegspiel
from ks_env.games.kriegspiel.game import Game
from ks_env.games.kriegspiel.planes import COUNT


def predicted(ruleset: str = "icc", seed: int = 3, tries: int = 150) -> Iterator[tuple[Any, Any, Any, Game]]:
    """The map of the seat to move, what the network makes of it, what it was told, and the game."""
    game, rng = Game(RULESETS[ruleset]), random.Random(seed)
    rules, scratch = game.ruleset.record()[0], np.zeros((4, 64), np.float32)
    network = shipped_network()
    work = make_work(network)
    records = {colour: np.zeros(1, LOCATION) for colour in chess.COLORS}
    for colour, record in records.items():
        record[0] = open_map([chess.STARTING_FEN], colour)
    for _ in range(tries):
        if game.to_play is None:
            return
        mover = game.to_play
        place, view = records[mover][0], game.view(mover)
        follow_map(place, view, rules, RATES, shipped_drifts(), scratch)
        predict(place, view, network, work, scratch)
        yield place, work.maps.copy(), work.told.copy(), game
        game.ask(rng.choice(np.flatnonzero(game.mask(mover)).tolist()))


@pytest.mark.parametrize("ruleset", RULESETS)
def test_what_is_impossible_is_0_and_what_is_certain_adds_up_to_1(ruleset: str) -> None:
    looked = 0
    for place, maps, _, _ in predicted(ruleset):
        known = place["known"]
        assert np.isfinite(maps).all()
        assert (maps >= 0).all()
        assert (maps <= 1 + 1e-5).all()
        for sort in range(SORTS):
            board = int(allowed(known, sort))
            for square in range(64):
                assert board >> square & 1 or maps[sort, square] == 0
        sure = int(certain(known))
        occupied = [square for square in range(64) if sure >> square & 1]
        assert maps[:, occupied].sum(0) == pytest.approx(1, abs=1e-4)
        assert maps[KINGS].sum() == pytest.approx(1, abs=0.05)
        looked += 1
    assert looked > 30


def test_the_encoder_shows_what_is_predicted() -> None:
    seats = {colour: SeatPlanes(BeliefEncoder()) for colour in chess.COLORS}
    inputs = {colour: SeatPlanes(InputsEncoder()) for colour in chess.COLORS}
    for colour in chess.COLORS:
        for planes in (seats[colour], inputs[colour]):
            planes.begin(kriegspiel.opening(colour, ICC))
    for _, maps, told, game in predicted():
        assert game.to_play is not None
        view, rules = game.view(game.to_play), ICC.record()[0]
        shown = seats[game.to_play].planes(view, rules)[COUNT:]
        wanted = np.minimum(np.floor(maps * 255 + 0.5), 255).reshape(3, 8, 8)
        assert np.abs(shown[:3].astype(int) - wanted).max() <= 1
        assert (inputs[game.to_play].planes(view, rules).reshape(-1, 64) == told).all()


def test_with_particles_it_shows_what_the_network_makes_of_map_and_boards() -> None:
    boards, rules = 50, ICC.record()[0]
    made = BeliefParticlesEncoder(boards)
    seats = {colour: SeatPlanes(made) for colour in chess.COLORS}
    inputs = {colour: SeatPlanes(SampledInputsEncoder(boards)) for colour in chess.COLORS}
    filters = {colour: Particles(boards) for colour in chess.COLORS}
    for colour in chess.COLORS:
        opening = kriegspiel.opening(colour, ICC)
        for each in (seats[colour], inputs[colour], filters[colour]):
            each.begin(opening)
    network, scratch = shipped_network(particles=True), np.zeros((4, 64), np.float32)
    work, bare = make_work(network), make_work(network)
    differ = 0
    for place, _, _, game in predicted(tries=80):
        assert game.to_play is not None
        view, colour = game.view(game.to_play), game.to_play
        filters[colour].follow(view)
        shares = filters[colour].chances()
        predict_sampled(place, view, shares, size_of(filters[colour].record), network, work, scratch)
        shown = seats[colour].planes(view, rules)[COUNT:]
        wanted = np.minimum(np.floor(work.maps * 255 + 0.5), 255).reshape(3, 8, 8)
        assert np.abs(shown[:3].astype(int) - wanted).max() <= 1
        told = inputs[colour].planes(view, rules).reshape(-1, 64)
        assert (told == work.told).all()
        sorts = np.stack([shares[chess.KING], shares[chess.PAWN], shares[2:6].sum(0)])
        assert np.abs((told[SHARES_TOLD : SHARES_TOLD + 3] / 255.0) ** 2 - sorts).max() < 0.005
        alone = bare.maps.copy()
        predict(place, view, shipped_network(), work, scratch)  # what was told before is not told again
        predict(place, view, shipped_network(), bare, scratch)
        assert (work.maps == bare.maps).all()
        predict_sampled(place, view, shares, 1.0, network, work, scratch)
        differ += int(np.abs(alone - work.maps).max() > 0.1)
    assert differ > 20  # it listens to the boards


def test_it_is_found_by_its_name() -> None:
    made = make_encoder("belief")
    assert isinstance(made, BeliefEncoder)
    assert isinstance(made, Encoder)
    assert made.memory == LOCATION
    assert not hears_particles(shipped_network())
    assert isinstance(make_encoder("belief-particles"), BeliefParticlesEncoder)
    assert hears_particles(shipped_network(particles=True))
    for file in (SHIPPED, SHIPPED_PARTICLES):
        assert file.stat().st_size < 1_000_000
    assert VALUES.shape == (len(PLANES), 256)
    assert PLANES[BOARDS[np.searchsorted(BOARDS, MEMORY_FIRST)]].name == "may be empty"


def test_a_file_gives_back_the_weights_in_half_precision(tmp_path: Path) -> None:
    network = shipped_network()
    write_network(network, tmp_path / "weights.npz")
    for again, before in zip(read_network(tmp_path / "weights.npz"), network, strict=True):
        assert (again == before).all()
    with np.load(tmp_path / "weights.npz") as weights:
        np.savez(tmp_path / "old.npz", **{name: weights[name] for name in weights.files if name != "shares"})
    with pytest.raises(ValueError, match="lacks weights of this version's network"):
        read_network(tmp_path / "old.npz")
    write_network(network._replace(terms=network.terms[1:]), tmp_path / "weights.npz")
    with pytest.raises(ValueError, match="expected"):
        read_network(tmp_path / "weights.npz")
