"""Published tables: what was reported, the study that measures it here, and whether the two agree."""
