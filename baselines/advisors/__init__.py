"""Advisors of invisible chess (I01): experts that give every move of a position a utility."""
