"""Where bots think: worker processes beside the server, or threads in it."""
