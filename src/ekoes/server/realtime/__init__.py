"""WebSockets: connections, sockets and broadcasts."""
