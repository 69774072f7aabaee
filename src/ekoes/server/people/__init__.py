"""Accounts: signing up and in, devices, recovery, what is kept of somebody, and seats that change hands."""
