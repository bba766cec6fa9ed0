"""What all games share: compiled kernels over rows of arrays. No learning words here."""
