"""The joint distribution of hidden men in invisible chess."""
