"""Tournaments: permissions, rounds, and broadcasts to viewers."""
