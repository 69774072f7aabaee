"""What is kept: tables, their seats, browser sessions, and every order that a table took."""
