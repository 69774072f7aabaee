"""Positions of Ekö: tiles, layout, actions, state, refusals, setup, and the interchange form."""
