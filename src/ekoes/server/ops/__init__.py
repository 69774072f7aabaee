"""Infrastructure of the server: settings, time, logging, metrics, tracing, limits."""
