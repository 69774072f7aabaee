"""How heavy the page is, and how soon it answers on a slow machine: ``python -m benchmarks.page``."""
