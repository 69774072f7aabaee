"""The art of the picture of a position: palette, ground, pieces, panel."""
