"""Sends a server what nobody should send: by its routes, as it describes them, and by its sockets."""
