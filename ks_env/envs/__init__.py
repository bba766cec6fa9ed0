"""One thin file for each interface, over one engine."""
