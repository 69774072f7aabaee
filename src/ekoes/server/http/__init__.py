"""HTTP routes by resource, middleware and OpenAPI."""
