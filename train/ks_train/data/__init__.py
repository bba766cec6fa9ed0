"""Games as data: played by any players, kept as tries, replayed into any observation."""
