"""The protocol between server and clients: every message as a model."""
