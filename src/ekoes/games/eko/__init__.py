"""Ekö, the board game for 2 to 4."""
