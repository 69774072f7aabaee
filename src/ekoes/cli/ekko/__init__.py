"""The commands of EKKO: ``ekoes ekko …``."""
