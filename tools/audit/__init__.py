"""What is known against the packages that Ekoes needs, and the list of them (SBOM)."""
