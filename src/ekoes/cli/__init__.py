"""The command line: ``main.py`` finds the command, the other modules hold the commands."""
