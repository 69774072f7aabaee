"""Infrastructure of the server: time, tasks, logging, telemetry, limits, secrets."""
