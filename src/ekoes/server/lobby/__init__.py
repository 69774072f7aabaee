"""Where people meet: open tables, tables to watch, who is here, and who looks for a game."""
