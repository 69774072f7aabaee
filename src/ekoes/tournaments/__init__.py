"""Tournaments as values: pairings and standings. No I/O, no await."""
