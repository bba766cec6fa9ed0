"""The rules: compiled kernels over rows of arrays, and one game for people. No learning words here."""
