"""Tournaments as values: who plays whom in which round, and who stands where. No I/O, no await."""
