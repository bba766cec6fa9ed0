"""Location maps."""
