"""The rules of EKKO as kernels on one record."""
