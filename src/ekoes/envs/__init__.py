"""Environments for learning: Gymnasium, PettingZoo, and batches of games in numpy arrays."""
