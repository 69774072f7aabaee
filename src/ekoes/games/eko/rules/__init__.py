"""The rules of Ekö as kernels on one record; nothing here knows of objects, JSON or people."""
