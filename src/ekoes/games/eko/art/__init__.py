"""Draws a position: as SVG, as terminal text, and as a preview picture."""
