"""The commands of Ekö: ``ekoes eko …``."""
