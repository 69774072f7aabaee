"""Commands that every game has: each module makes the command of one game."""
