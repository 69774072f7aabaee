"""Accounts, sign-in, seats of account holders and API tokens."""
