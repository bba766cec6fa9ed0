"""Approach C: what the default player knows beyond the paper."""
