"""Challenges and event streams for bot accounts."""
