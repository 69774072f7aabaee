"""Bots of Ekö: they judge positions and search turns."""
