"""Games that are over: found, shown to everybody, and how links to tables look elsewhere."""
