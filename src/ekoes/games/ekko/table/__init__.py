"""EKKO at a table: the presenter, records, and pictures."""
