"""What `advantage-search` has learnt."""
