"""What a study shows, in the terminal: scores by pairing with their 95 % intervals."""
