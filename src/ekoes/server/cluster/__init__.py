"""Several processes that share a database: each thing has one owner, and everybody may ask at any door."""
