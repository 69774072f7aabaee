"""The web table: REST and web sockets around the tables of ``ekoes.match``, kept by ``ekoes.storage``."""
