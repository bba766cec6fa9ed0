"""The belief network."""
