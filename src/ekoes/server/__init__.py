"""The web table: REST and web sockets around the tables of ``ekoes.tables``, kept by ``ekoes.storage``."""
