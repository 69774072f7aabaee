"""Notices to browsers whose page is closed: Web Push."""
