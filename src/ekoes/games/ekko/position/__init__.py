"""Positions of EKKO: actions, notation, state, refusals, and the interchange form."""
