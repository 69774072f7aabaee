"""Killing a server while people play at it: nothing that was acknowledged may be lost, or done twice."""
