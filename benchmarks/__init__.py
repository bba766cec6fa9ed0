"""Speed of the environments beside their peers: `python -m benchmarks.run`."""
