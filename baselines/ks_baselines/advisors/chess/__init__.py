"""The strategic advisor (I01 §4): our own fixed-depth search that values all moves of a chess position."""
