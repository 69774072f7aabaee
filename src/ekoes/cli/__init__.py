"""The command line: ``main.py`` finds the command, one file holds each."""
