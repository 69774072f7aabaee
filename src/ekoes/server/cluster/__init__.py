"""Several server processes on one database: each table has one owner, and any process accepts clients."""
