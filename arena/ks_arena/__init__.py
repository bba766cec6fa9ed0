"""The arena: matches and tournaments whose results can be believed, stopped, resumed and played again."""
