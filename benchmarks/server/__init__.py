"""The server under load, with boardgame.io's beside it in the same run: ``make bench-server``."""
