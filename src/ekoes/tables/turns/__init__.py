"""Tables of turn-based games."""
