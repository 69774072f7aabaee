"""Ekö at a table: choices, effects, and the presenter."""
