"""Bots of EKKO: levels, search, and players for live tables."""
