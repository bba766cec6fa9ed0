"""The games: one folder each, which exports one object."""
