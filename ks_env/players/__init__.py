"""Players: the protocol, the registry, and the two that are kernels, `random` and `capture`."""
