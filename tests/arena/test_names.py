"""What a user may call a player by."""

import hashlib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from ks_arena.names import _quoted, absolute, fingerprint, label_of, resolve, split_names
from ks_arena.sections import ConfigError

from ks_env.players import make_player
from ks_env.players.registry import parse_name

WEIGHTS = b"PK not really"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working directory with runs in it."""
    for name in ("runs/quickstart", "runs/long/checkpoints/000000128", "random", "a, b=c", "7", "C:\\runs"):
        (tmp_path / name).mkdir(parents=True)
        (tmp_path / name / "model.zip").write_bytes(WEIGHTS)
    (tmp_path / "best.zip").write_bytes(b"PK another")
    (tmp_path / "empty").mkdir()
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    "text",
    ["random", "capture", "model:file=runs/x", "my_package.players:Careful", "players:Careful:depth=3"],
)
def test_names_of_players_stay(text: str, folder: Path) -> None:
    assert resolve(text) == resolve(f"  {text} ") == text


@pytest.mark.parametrize(
    ("text", "name", "label"),
    [
        ("runs/quickstart", "model:file=runs/quickstart", "quickstart"),
        ("runs/quickstart/", "model:file=runs/quickstart/", "quickstart"),
        ("./runs/../runs/quickstart", "model:file=./runs/../runs/quickstart", "quickstart"),
        ("runs/quickstart/model.zip", "model:file=runs/quickstart/model.zip", "quickstart"),
        (
            "runs/quickstart:temperature=0.5",
            "model:file=runs/quickstart,temperature=0.5",
            "quickstart:temperature=0.5",
        ),
        ("best.zip", "model:file=best.zip", "best"),
        ("runs/long/checkpoints/000000128", "model:file=runs/long/checkpoints/000000128", "long/000000128"),
        ("./random", "model:file=./random", "random"),
        ("a, b=c", "model:file='a, b=c'", "a, b=c"),
        ("7", "model:file='7'", "7"),
        ("C:\\runs:temperature=0", "model:file=C:\\runs,temperature=0", "C:\\runs:temperature=0"),
    ],
)
def test_paths_become_models(text: str, name: str, label: str, folder: Path) -> None:
    assert resolve(text) == resolve(name) == name
    assert fingerprint(absolute(name)) == fingerprint(name)
    assert str(folder) in absolute(name)
    assert label_of(absolute(name)).endswith(label)
    assert label_of(text) == label_of(name) == label
    kind, parameters = parse_name(name)
    assert kind == "model"
    assert Path(parameters["file"]).exists()


@given(path=st.text(st.characters(codec="utf-8", exclude_categories=["Cs"]), min_size=1))
def test_every_path_survives_its_way_through_a_name(path: str) -> None:
    name = f"model:file={_quoted(path)},temperature=0.5"
    assert parse_name(name) == ("model", {"file": path, "temperature": 0.5})


@pytest.mark.parametrize("text", ["randon", "", "runs/quick", "worst.zip", "mcts-z:nodes=3", ":"])
def test_what_is_none_is_told_the_three_forms(text: str, folder: Path) -> None:
    with pytest.raises(
        ConfigError, match=r"expected .*darkboard, .*mcts-c, model, .*random.*package\.module:factory"
    ) as e:
        resolve(text)
    assert repr(text) in str(e.value)
    assert "run's folder or model file" in str(e.value)


def test_hints(folder: Path) -> None:
    with pytest.raises(
        ConfigError, match=r"bad parameter '3deep' in player 'a\.b:Careful:3deep'; expected name:key="
    ):
        resolve("a.b:Careful:3deep")
    with pytest.raises(ConfigError, match=r"'randon' is not a player \(did you mean 'random'\?\)"):
        resolve("randon")
    with pytest.raises(ConfigError, match=r"there is no folder or \.zip file of this name"):
        resolve("runs/quick")
    with pytest.raises(ConfigError, match=r"empty/model\.zip: no such model"):
        resolve("empty")
    with pytest.raises(
        ConfigError, match=r"the latest checkpoint of the run is runs/long/checkpoints/0000001"
    ):
        resolve("runs/long")


names = st.builds(
    "".join,
    st.tuples(
        st.sampled_from(["random", "runs/quickstart", "mcts-c", "a.b:C"]),
        st.sampled_from(["", ":n=1", ":n=1,c=0.5", ":depth=3,text='x:y'"]),
    ),
)


@given(st.lists(names, min_size=1))
def test_lists_of_names_are_split_between_players(texts: list[str]) -> None:
    assert split_names(",".join(texts)) == texts
    assert split_names(" , ".join(texts)) == texts


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("capture", "capture"),
        ("mcts-c:nodes=5000,c=2", "mcts-c:nodes=5000,c=2"),
        ("mcts-c:nodes={budget}", "mcts-c:nodes={budget}"),
        ("my_package.players:Careful", "Careful"),
        ("my_package.players:Careful:depth=3", "Careful:depth=3"),
        ("runs/gone:temperature={budget}", "gone:temperature={budget}"),
        ("runs/gone/model.zip", "gone"),
        ("model:file=runs/gone,temperature={budget}", "gone:temperature={budget}"),
        ("model:temperature=1", "model:temperature=1"),
        ("x:5", "x:5"),
    ],
)
def test_labels_need_no_player(text: str, label: str) -> None:
    assert label_of(text) == label


@given(st.text(max_size=30))
def test_whatever_was_written_has_a_label(text: str) -> None:
    assert isinstance(label_of(text), str)


def test_fingerprints_are_of_the_model_and_the_config_of_its_run(folder: Path) -> None:
    expected = hashlib.sha256(WEIGHTS).hexdigest()
    for text in ("runs/quickstart", "model:file=runs/quickstart", "runs/quickstart/model.zip:temperature=2"):
        assert fingerprint(text) == expected
    assert fingerprint("best.zip") != expected
    (folder / "best.zip").write_bytes(WEIGHTS)
    assert fingerprint("best.zip") == expected
    config = folder / "runs/quickstart/config.yaml"
    kept = config.read_text() if config.exists() else None
    config.write_text("other: 1")
    assert fingerprint("runs/quickstart") not in (expected, None)
    assert fingerprint("runs/quickstart") == fingerprint("runs/quickstart/model.zip")
    assert kept is None
    assert fingerprint("random") is None
    assert fingerprint("my_package.players:Careful") is None
    with pytest.raises(ConfigError, match="no such model"):
        fingerprint("model:file=runs/gone")


def test_a_resolved_name_makes_a_player() -> None:
    assert make_player(resolve("ks_env.players.kernel_player:capture_player")).name == "capture"
