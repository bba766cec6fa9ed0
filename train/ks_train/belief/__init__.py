"""What players know and think: explained decisions, calibration, profiles as pictures."""
