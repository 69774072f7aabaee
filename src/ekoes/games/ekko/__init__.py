"""The card game EKKO: rules as kernels, positions, live tables, records and bots."""
