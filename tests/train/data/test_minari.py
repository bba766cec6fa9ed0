"""A data set in Minari: its episodes are what the environments of the game show."""

import shutil
from pathlib import Path

import gymnasium
import numpy as np
import pytest
from ks_train.data.schema import DataError, read_games

from tests.seats import observe_game
from tests.train.data.made import config, make

minari = pytest.importorskip("minari")


@pytest.fixture(autouse=True)
def _there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MINARI_DATASETS_PATH", str(tmp_path / "minari"))


def test_a_data_set_goes_through_minari(files: dict[str, Path]) -> None:
    from ks_train.data.minari import export_minari

    made = export_minari(files["Kriegspiel"], "kriegspiel/test-v0", opponent="capture", author="somebody")
    kept = minari.load_dataset("kriegspiel/test-v0")
    assert (kept.total_episodes, kept.total_steps) == (made.total_episodes, made.total_steps)
    episodes = list(kept.iterate_episodes())
    (games,) = read_games(files["Kriegspiel"])
    assert kept.total_steps == len(games.tries)
    for episode in episodes:
        g, seat = divmod(int(episode.id), 2)
        check(games, g, seat, episode)
    env = kept.recover_environment(eval_env=True)
    assert isinstance(env.unwrapped, gymnasium.Env)
    assert env.observation_space["observation"].shape == episodes[0].observations["observation"].shape[1:]
    assert env.spec.kwargs["opponent"] == "capture"
    with pytest.raises(ValueError, match="has a data set 'kriegspiel/test-v0' already"):
        export_minari(files["Kriegspiel"], "kriegspiel/test-v0")


def check(games, g, seat, episode) -> None:  # type: ignore[no-untyped-def]  # Minari's types are not there without it
    """Play the game beside the episode of one seat."""
    game, colour, step = games.begin(g), seat == 0, 0
    for action in games.tries_of(g).tolist():
        if game.to_play == colour:
            assert (episode.observations["observation"][step] == observe_game(game, colour)).all()
            assert (episode.observations["action_mask"][step] == game.mask(colour)).all()
            assert episode.actions[step] == action
            step += 1
        game.judge(action)
    assert len(episode) == step
    assert (episode.observations["observation"][step] == observe_game(game, colour)).all()
    assert not episode.observations["action_mask"][step].any()
    assert episode.rewards[-1] == games.results[g] * (1 - 2 * seat)
    assert not np.any(episode.rewards[:-1])
    cut = games.reasons[g] == "plies"
    assert episode.truncations.tolist() == [False] * (step - 1) + [cut]
    assert episode.terminations.tolist() == [False] * (step - 1) + [not cut]


@pytest.mark.parametrize("name", ["InvisibleChess", "DarkChess"])
def test_other_games_go_through_minari(files: dict[str, Path], name: str) -> None:
    from ks_train.data.minari import export_minari

    export_minari(files[name], f"{name.lower()}-test-v0")
    kept = minari.load_dataset(f"{name.lower()}-test-v0")
    (games,) = read_games(files[name])
    for episode in kept.iterate_episodes([0, 1]):
        check(games, *divmod(int(episode.id), 2), episode)


@pytest.mark.parametrize("name", ["noversion", "", "ä b-v0", "../out-v0"])
def test_a_name_that_minari_cannot_read_back_is_refused(
    files: dict[str, Path], tmp_path: Path, name: str
) -> None:
    from ks_train.data.minari import export_minari

    with pytest.raises(ValueError, match="is no name of a data set; expected one such as"):
        export_minari(files["Kriegspiel"], name)
    assert not (tmp_path / "minari").exists() or not list((tmp_path / "minari").iterdir())
    assert minari.list_local_datasets() == {}


def test_nothing_is_left_of_an_export_that_failed(files: dict[str, Path], tmp_path: Path) -> None:
    from ks_train.data.minari import export_minari

    mixed = tmp_path / "mixed"
    mixed.mkdir()
    for place, name in enumerate(("Kriegspiel", "DarkChess")):
        shutil.copy(files[name], mixed / f"{place}.parquet")
    for _ in range(2):
        with pytest.raises(DataError, match="is of another game"):
            export_minari(mixed, "mixed-v0")
    assert minari.list_local_datasets() == {}
    assert export_minari(files["Kriegspiel"], "mixed-v0").total_episodes > 0


def test_an_encoder_adds_its_planes(files: dict[str, Path]) -> None:
    from ks_train.data.minari import export_minari

    plain = export_minari(files["hidden start"], "plain-v0")
    encoded = export_minari(files["hidden start"], "encoded-v0", encoder="metaposition")
    base = plain.observation_space["observation"].shape[0]
    assert encoded.observation_space["observation"].shape[0] > base
    for a, b in zip(plain.iterate_episodes(), encoded.iterate_episodes(), strict=True):
        assert (b.observations["observation"][:, :base] == a.observations["observation"]).all()


def test_forfeits_are_left_out(tmp_path: Path) -> None:
    from ks_train.data.minari import export_minari

    players = [{"player": "tests.arena.players:Raises", "label": "raises"}, "random", "capture"]
    meetings = [{"players": ["raises", "random"]}, {"players": ["capture", "random"]}]
    made = make(tmp_path / "games.parquet", config(players=players, games=8, meetings=meetings))
    (games,) = read_games(made.path)
    ended = [reason != "forfeit" for reason in games.reasons]
    assert 0 < sum(ended) < 8
    assert export_minari(made.path, "forfeits-v0").total_episodes == 2 * sum(ended)
