"""Sphinx configuration. The tables of observation planes are written from the code at every build."""

import sys
from importlib.metadata import version as installed_version
from pathlib import Path

DOCS = Path(__file__).resolve().parent
sys.path.insert(0, str(DOCS.parent))

from ks_baselines.darkboard.terms import DarkboardTerms  # noqa: E402
from ks_baselines.mcts.advantage_search.full import FullTerms  # noqa: E402
from ks_baselines.samplers.terms import JudgedTerms  # noqa: E402

from ks_env.belief.terms import terms_table  # noqa: E402
from ks_env.belief.terms.raw import RawTerms  # noqa: E402
from ks_env.core.planes import markdown_table  # noqa: E402
from ks_env.games.dark.planes import TABLE as DARK_TABLE  # noqa: E402
from ks_env.games.invisible.planes import TABLE as INVISIBLE_TABLE  # noqa: E402
from ks_env.games.kriegspiel.planes import TABLE  # noqa: E402

GENERATED = DOCS / "_generated"
GENERATED.mkdir(exist_ok=True)
(GENERATED / "planes.md").write_text(markdown_table(TABLE) + "\n", encoding="utf-8")
for name, kind in (
    ("raw", RawTerms),
    ("darkboard", DarkboardTerms),
    ("full", FullTerms),
    ("judged", JudgedTerms),
):
    for part, table in (("tries", kind.tries), ("states", kind.states)):
        (GENERATED / f"{name}_{part}.md").write_text(terms_table(table) + "\n", encoding="utf-8")
(GENERATED / "dark_planes.md").write_text(markdown_table(DARK_TABLE) + "\n", encoding="utf-8")
(GENERATED / "invisible_planes.md").write_text(markdown_table(INVISIBLE_TABLE) + "\n", encoding="utf-8")

project = "ks_env"
author = "the ks_env authors"
copyright = author
release = installed_version("ks-env")
version = release

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "sphinx.ext.viewcode"]
exclude_patterns = ["_build", "_generated"]
myst_enable_extensions = ["colon_fence", "deflist"]
myst_heading_anchors = 3

default_role = "code"
napoleon_use_ivar = True
autodoc_member_order = "bysource"
autodoc_typehints = "description"
autodoc_typehints_description_target = "documented"

html_theme = "furo"
html_title = "ks_env"
