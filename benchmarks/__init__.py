"""How fast we are, and others beside us in the same run: ``python -m benchmarks``.

A report, not a test: nothing fails for being slow. Every engine plays random games on one thread,
each decision drawn evenly from the legal ones; a decision is one choice of one player.
"""
