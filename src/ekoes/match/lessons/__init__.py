"""Lessons: small positions of a game with a goal, played by the rules like any table."""
