"""The commands of the arena: ``ekoes arena …``."""
