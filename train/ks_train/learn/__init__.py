"""Learning: the PPO loop, its config, checkpoints and the run's folder."""
