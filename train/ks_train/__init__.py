"""Learning, evaluating and the `ks` command. Torch is imported only where it is used."""
