"""Tournaments that this server runs: who may do what, how rounds follow each other, and who is told of it."""
