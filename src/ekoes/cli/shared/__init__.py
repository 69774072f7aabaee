"""Commands that both games have: each module makes the command of one game."""
