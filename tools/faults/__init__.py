"""Servers that meet with all that can happen to one, while people play: nothing promised may be lost."""
