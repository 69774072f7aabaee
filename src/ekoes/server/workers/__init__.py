"""Worker processes: bots and sandboxed computations."""
