"""The database: tables with their events, results, users, chat and tournaments."""
