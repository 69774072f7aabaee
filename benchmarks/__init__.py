"""How fast the engine, the server and the page are: ``python -m benchmarks NAME [--write]``."""
