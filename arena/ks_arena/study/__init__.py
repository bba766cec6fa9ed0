"""Studies: config, schedule, the store of games, running and reading them."""
