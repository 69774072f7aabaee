"""The card game EKKO: rules as kernels, and what people and programs hold in their hands."""
