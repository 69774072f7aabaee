"""What a server has to carry, beside what it is seen to carry: ``python -m benchmarks.carrying``."""
