"""The contract that games fulfil, their registry, and kits for notation and JSON."""
