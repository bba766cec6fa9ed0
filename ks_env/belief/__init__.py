"""What a seat can know: metapositions and exact endgames, from its views and nothing else."""
