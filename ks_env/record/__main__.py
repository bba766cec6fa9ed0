"""`python -m ks_env.record` writes the JSON schemas of records anew, each into its game's folder."""

import importlib.resources
from pathlib import Path

from ks_env.games import game_ids, game_named
from ks_env.record.json_format import schema_text

if __name__ == "__main__":
    for game in map(game_named, game_ids()):
        folder = importlib.resources.files(game.notation.record.__module__.rpartition(".")[0])
        Path(str(folder), "record.schema.json").write_text(schema_text(game), encoding="utf-8")
