"""The lobby: open tables, tables to watch, users online, and pairing."""
