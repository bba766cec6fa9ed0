"""Metapositions (M07 §2): one compact record that contains every position a seat may be in."""
